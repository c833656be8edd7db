/* Requests of a page, and what its reader is told when the network, the service or the session is lost. */

const bar = document.getElementById("connection");
const LONGEST_PAUSE = 10000, PATIENCE = 20000; // the service answers orders within half of that, carried out or queued
const wait = (time) => new Promise((go) => { wake = go; setTimeout(go, time); });
let wake = () => {}, knocking = false;

const connection = { onBack: () => {} };

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

/** Ask, and read the whole answer: one that breaks off, or does not come in time, is none. */
async function request(address, given) {
  try {
    const answer = await fetch(address, { ...given, signal: AbortSignal.timeout(PATIENCE) });
    const { status, ok } = answer, said = await answer.text();
    // A browser takes headers that break off for whole ones, with nothing behind them.
    if (status >= 500 || status === 429 || !said) { lost("service"); return null; }
    lost(signedOut(status) ? "session" : "");
    return { status, ok, said };
  } catch {
    lost(navigator.onLine ? "service" : "network");
    return null;
  }
}

/** What we ask for, and after which entry of the log our board is: the server then sends only what differs. */
const headers = (kind, shown) => ({ "X-Part": kind, ...(shown ? { "X-Shows": shown } : {}) });

/** A part of a page; nothing if it cannot be had now, which the reader is told. Who lost only the network is tried again for. */
async function fetchPart(address, kind, shown = "") {
  const answer = await request(address, { headers: headers(kind, shown) });
  if (!answer) setTimeout(knock, 3000);
  return answer?.ok ? answer.said : null;
}

/** Look whether the service is there, until it is. */
async function knock() {
  if (bar.dataset.lost === "session" || knocking) return;
  knocking = true;
  const answer = await request("/health", {});
  knocking = false;
  if (!answer) setTimeout(knock, 3000);
}
addEventListener("offline", () => lost("network"));
addEventListener("online", () => { wake(); knock(); });
bar?.addEventListener("click", (event) => { if (event.target.matches("button")) { wake(); knock(); } });

/** Send a form. Until it is answered it is sent again, if it may be: under its key it counts once. */
async function post(address, body, kind, { untilAnswered = false, shown = "" } = {}) {
  for (let pause = 1000; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    const answer = await request(address, { method: "POST", body, headers: headers(kind, shown) });
    if (answer && signedOut(answer.status)) return { signedOut: true };
    if (answer) return { answer: answer.said };
    if (!untilAnswered) { setTimeout(knock, 3000); return {}; }
    await wait(pause);
  }
}
