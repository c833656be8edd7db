/* The page of a game, made lively: orders by clicking, moves as they happen, stepping without reloading.
   Everything here also works without it, by links and forms; the server draws all that is shown. */

const table = document.querySelector(".table");
const game = table.dataset.game;
const parts = ["head", "position", "chairs", "composer", "proposal", "talk", "log", "more"];
const field = () => document.getElementById("orders");
const part = (id) => document.getElementById(id);
const read = (html) => new DOMParser().parseFromString(html, "text/html");

/* ---- showing what the server says ---- */

/** Put the parts of a fetched page in the places of ours. What the reader is writing stays. */
function show(fresh, keep = true) {
  const written = keep ? field()?.value : undefined;
  put(fresh, parts);
  present = null;
  if (written && field() && !field().value) {
    field().value = written;
    consider();
  } else {
    showDraft();
  }
}

/** The same page again. If nothing was done since, board and orders stay as they are under the reader's hand. */
function renew(fresh) {
  if (fresh.querySelector(".table").dataset.version !== table.dataset.version) show(fresh);
  else put(fresh, parts.filter((id) => id !== "position" && id !== "composer"));
}

function put(fresh, ids) {
  const focused = document.activeElement?.id;
  const saying = part("text")?.value;
  for (const id of ids) {
    const old = part(id), made = fresh.getElementById(id);
    if (old && made) old.replaceWith(made);
    else if (made) table.append(made);
    else old?.remove();
  }
  table.dataset.version = fresh.querySelector(".table").dataset.version;
  document.title = fresh.title;
  if (saying && part("text")) part("text").value = saying;
  if (focused) (part(focused) ?? part("turn")).focus?.();
  tellOutcome(fresh.getElementById("outcome"));
}

/** One element stays for all outcomes, so that a screen reader hears of them. */
function tellOutcome(told) {
  if (!told?.textContent.trim()) return;
  const outcome = part("outcome");
  outcome.className = told.className;
  outcome.textContent = told.textContent;
}

let fetching = null, again = false;

/** The page as it is now, once at a time: what comes in meanwhile is fetched when it is done. */
async function refresh() {
  if (fetching) { again = true; return; }
  fetching = fetch(location.href, { headers: { "X-Part": "page" } });
  try {
    const answer = await fetching;
    if (answer.ok) renew(read(await answer.text()));
  } finally {
    fetching = null;
    if (again) { again = false; refresh(); }
  }
}

/* ---- moves as they happen ---- */

/** From what this page shows on: what happened while it was loading is told, too. */
function follow() {
  const address = new URL(table.dataset.events, location.href);
  address.searchParams.set("after", table.dataset.version);
  const source = new EventSource(address);
  source.addEventListener("changed", refresh);
  source.addEventListener("talk", (event) => {
    if (event.data !== part("talk").dataset.count) refresh();
  });
  // A server that is full or restarting closes the door for good; then we knock again.
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) setTimeout(() => { refresh(); follow(); }, 5000);
  });
  addEventListener("pagehide", () => source.close(), { once: true });
}

/* ---- stepping through the game ---- */

async function goTo(address, remember = true) {
  const answer = await fetch(address, { headers: { "X-Part": "page" } });
  if (!answer.ok) { location.href = address; return; }
  if (remember) history.pushState(null, "", address);
  show(read(await answer.text()));
}

table.addEventListener("click", (event) => {
  const link = event.target.closest("a.step, .log a.number");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  goTo(link.href);
});
addEventListener("popstate", () => goTo(location.href, false));
addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, textarea, select")) return;
  const sign = { ArrowLeft: "←", ArrowRight: "→", Home: "⇤", End: "⇥" }[event.key];
  const link = sign && document.querySelector(`a.step[data-step="${sign}"]`);
  if (!link) return;
  event.preventDefault();
  goTo(link.href);
});

/* ---- writing orders ---- */

let chosen = [];

/** Ask the server what the orders would do and what may follow; `extra` adds a step, drops one, or picks a branch of chance. */
async function consider(extra = {}) {
  const form = part("orders-form");
  if (!form) return;
  const body = new URLSearchParams(new FormData(form));
  for (const [name, value] of Object.entries(extra)) body.set(name, value);
  const asked = field().value;
  const answer = await fetch(`/games/${game}/preview`, { method: "POST", body, headers: { "X-Part": "draft" } });
  if (!answer.ok || !field() || field().value !== asked) return;
  const fresh = read(await answer.text()).getElementById("draft");
  const from = document.activeElement?.closest("#draft") ? document.activeElement : null;
  part("draft").replaceWith(fresh);
  if ("add" in extra || "drop" in extra) field().value = fresh.dataset.orders;
  showDraft();
  // Whoever came by keyboard goes on there: to the next steps, or to Send when the turn is whole.
  if (from) (fresh.querySelector(".steps button.order") ?? part("send")).focus();
}

let present = null;

/** The board shows what the orders would make of it, and the present again when there are none. */
function showDraft() {
  const board = part("board"), after = part("after-board")?.firstElementChild;
  if (board && after) {
    present ??= board.firstElementChild;
    board.replaceChildren(after);
  } else if (board && present) {
    board.replaceChildren(present);
    present = null;
  }
  board?.classList.toggle("draft", Boolean(after));
  choose([]);
}

/** Only the steps that name all of these places; all steps if there are none. */
function choose(places) {
  chosen = places;
  const draft = part("draft");
  if (!draft) return;
  const buttons = [...draft.querySelectorAll(".steps button.order")];
  for (const button of buttons) button.hidden = !names(button, places);
  const filtered = draft.querySelector(".filtered");
  if (filtered) {
    filtered.hidden = !places.length;
    filtered.firstElementChild.textContent = places.join(" + ");
  }
  for (const place of document.querySelectorAll("#board [data-place]")) {
    place.classList.toggle("chosen", places.includes(place.dataset.place));
    place.classList.toggle("possible", buttons.some((button) => names(button, [...places, place.dataset.place])));
  }
}

function names(button, places) {
  const named = button.dataset.places.split(" ");
  return places.every((place) => named.includes(place));
}

/** A click on the board: one step that names the place is taken, several are offered, and another place narrows them down. */
function click(place) {
  const buttons = [...document.querySelectorAll("#draft .steps button.order")];
  const narrowed = [...new Set([...chosen, place])];
  const places = buttons.some((button) => names(button, narrowed)) ? narrowed : [place];
  const fitting = buttons.filter((button) => names(button, places));
  if (fitting.length === 1) consider({ add: fitting[0].value });
  else choose(fitting.length ? places : []);
}

table.addEventListener("click", (event) => {
  const place = event.target.closest("#board [data-place]");
  if (place && part("draft")) click(place.dataset.place);
  if (event.target.id === "all-steps") choose([]);
});

let pause;
table.addEventListener("input", (event) => {
  if (event.target !== field()) return;
  clearTimeout(pause);
  pause = setTimeout(consider, 250);
});

/* ---- sending ---- */

table.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (form.id === "orders-form") {
    event.preventDefault();
    if (submitter?.id === "send" || !submitter) send(form);
    else consider(submitter.name ? { [submitter.name]: submitter.value } : {});
  } else if (form.id === "talk-form") {
    event.preventDefault();
    talk(form);
  }
});

async function send(form) {
  const button = part("send");
  button.disabled = true;
  clearTimeout(pause);
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), headers: { "X-Part": "page" } });
    part("outcome").textContent = "";
    part("outcome").className = "outcome";
    const fresh = read(await answer.text()), newest = Number(table.dataset.version);
    show(fresh, false);
    // The next move may have been shown before this answer came, which is then the older page.
    if (Number(table.dataset.version) < newest) refresh();
  } finally {
    button.disabled = false;
    // The button that was pressed may be gone, and with it the place of the keyboard.
    if (document.activeElement === document.body) (document.querySelector("#draft .steps button.order") ?? part("turn")).focus();
  }
}

async function talk(form) {
  const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
  if (!answer.ok) return;
  form.reset();
  renew(read(await answer.text()));
}

document.documentElement.classList.add("lively");
showDraft();
follow();
