/* Requests of a page, and what its reader is told when the network, the service or the session is lost. */

const bar = document.getElementById("connection");
const LONGEST_PAUSE = 10000;
const wait = (time) => new Promise((go) => { wake = go; setTimeout(go, time); });
let wake = () => {};

export const connection = { onBack: () => {} };

/** Tell what is lost, in the words that the page brought along; nothing when all is well. */
function lost(what) {
  const before = bar.dataset.lost ?? "";
  if (before === what) return;
  bar.dataset.lost = what;
  for (const told of bar.children) told.hidden = told.dataset.when !== what;
  bar.hidden = !what;
  if (before && !what) connection.onBack();
}

const signedOut = (status) => status === 401 || status === 403 || status === 404;

async function ask(address, given) {
  try {
    const answer = await fetch(address, given);
    if (answer.status >= 500 || answer.status === 429) { lost("service"); return null; }
    if (signedOut(answer.status)) { lost("session"); return answer; }
    lost("");
    return answer;
  } catch {
    lost(navigator.onLine ? "service" : "network");
    return null;
  }
}

/** What we ask for, and after which entry of the log our board is: the server then sends only what differs. */
const headers = (kind, shown) => ({ "X-Part": kind, ...(shown ? { "X-Shows": shown } : {}) });

/** A part of a page; nothing if it cannot be had now, which the reader is told. Who lost only the network is tried again for. */
export async function fetchPart(address, kind, shown = "") {
  const answer = await ask(address, { headers: headers(kind, shown) });
  if (!answer) setTimeout(knock, 3000);
  return answer?.ok ? await answer.text() : null;
}

/** Look whether the service is back. */
async function knock() {
  if (!bar.dataset.lost || bar.dataset.lost === "session") return;
  if (!await ask("/health", {})) setTimeout(knock, 3000);
}
addEventListener("online", () => { wake(); knock(); });
bar?.addEventListener("click", (event) => { if (event.target.matches("button")) { wake(); knock(); } });

/** Send a form. Until it is answered it is sent again, if it may be: under its key it counts once. */
export async function post(address, body, kind, { untilAnswered = false, shown = "" } = {}) {
  for (let pause = 1000; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    const answer = await ask(address, { method: "POST", body, headers: headers(kind, shown) });
    if (answer && signedOut(answer.status)) return { signedOut: true };
    if (answer) return { answer: await answer.text() };
    if (!untilAnswered) return {};
    await wait(pause);
  }
}
