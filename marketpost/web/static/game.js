/* The page of a game, made lively: orders by clicking, moves as they happen, stepping without reloading.
   Everything here also works without it, by links and forms; the server draws all that is shown. */

import { draftOf, keepDraft, dropDraft } from "./drafts.js";
import { post, fetchPart, connection } from "./connection.js";

const table = document.querySelector(".table");
const game = table.dataset.game;
const parts = ["head", "result", "since", "position", "chairs", "composer", "proposal", "talk", "log", "more"];
const field = () => document.getElementById("orders");
const part = (id) => document.getElementById(id);
const read = (html) => new DOMParser().parseFromString(html, "text/html");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/* ---- showing what the server says ---- */

/** Put the parts of a fetched page in the places of ours; the reader's draft is put back from where it is kept. */
function show(fresh) {
  replay?.stop();
  const patch = fresh.querySelector("#board template")?.content.firstElementChild;
  // The board is described by what differs from one that has been replaced meanwhile.
  if (patch && patch.dataset.base !== table.dataset.shown) { reload(); return; }
  const board = patch && patched(live, patch);
  put(fresh, parts);
  if (board) part("board").replaceChildren(board);
  live = part("board")?.firstElementChild;
  restore();
}

const reload = () => fetchPart(location.href, "page").then((answer) => answer && show(read(answer)));

/** The same page again. If nothing was done since, board and orders stay as they are under the reader's hand. */
function renew(fresh) {
  const version = Number(fresh.querySelector(".table").dataset.version);
  if (version < Number(table.dataset.version)) return;
  if (version === Number(table.dataset.version)) {
    put(fresh, parts.filter((id) => !["position", "composer", "since"].includes(id)));
    return;
  }
  if (Date.now() - toldAt > 4000) tell("", "");
  show(fresh);
  announceNews();
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
  Object.assign(table.dataset, fresh.querySelector(".table").dataset);
  document.title = fresh.title;
  if (saying && part("text")) part("text").value = saying;
  if (focused) (part(focused) ?? part("turn")).focus?.();
}

const text = (element) => element?.textContent.replace(/\s+/g, " ").trim() ?? "";

/** Say it to a screen reader, when it has finished what it is saying. */
function announce(...told) {
  part("announce").textContent = told.flat().filter(Boolean).join(" ");
}

const announceNews = () => announce([...document.querySelectorAll("#since li")].slice(-1).map(text), text(part("turn")));

let toldAt = 0;

/** One element stays for all outcomes, so that a screen reader hears of them. It is cleared when the reader goes on. */
function tell(said, kind) {
  part("outcome").className = `outcome ${kind}`;
  part("outcome").textContent = said;
  toldAt = Date.now();
}
table.addEventListener("input", () => { if (part("outcome").matches(".told")) tell("", ""); });

let fetching = null, again = false;

/** The page as it is now, once at a time: what comes in meanwhile is fetched when it is done. */
async function refresh() {
  if (fetching) { again = true; return; }
  fetching = fetchPart(location.href, "page", table.dataset.shown);
  try {
    const answer = await fetching;
    if (answer) renew(read(answer));
  } finally {
    fetching = null;
    if (again) { again = false; refresh(); }
  }
}
connection.onBack = refresh;

/* ---- moves as they happen ---- */

/** From what this page shows on: what happened while it was loading is told, too. */
function follow() {
  const address = new URL(table.dataset.events, location.href);
  address.searchParams.set("after", table.dataset.version);
  const source = new EventSource(address);
  source.addEventListener("changed", (event) => {
    if (Number(event.data) > Number(table.dataset.version)) refresh();
  });
  source.addEventListener("talk", (event) => {
    if (event.data !== part("talk").dataset.count) refresh();
  });
  // A server that is full or restarting closes the door for good; then we knock again.
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) setTimeout(() => { refresh(); follow(); }, 5000);
  });
  addEventListener("pagehide", () => source.close(), { once: true });
}

/* ---- stepping through the game, and through what happened since my last turn ---- */

async function goTo(address, remember = true) {
  const answer = await fetchPart(address, "page", table.dataset.shown);
  if (!answer) return;
  if (remember) history.pushState(null, "", address);
  show(read(answer));
}

table.addEventListener("click", (event) => {
  const link = event.target.closest("a.step, .log a.number");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  goTo(link.href);
});
addEventListener("popstate", () => goTo(location.href, false));
addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && part("orders-form")) {
    event.preventDefault();
    send();
  }
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, textarea, select")) return;
  if (event.key === "?") part("rules")?.toggleAttribute("open");
  const sign = { ArrowLeft: "←", ArrowRight: "→", Home: "⇤", End: "⇥" }[event.key];
  const link = sign && document.querySelector(`a.step[data-step="${sign}"]`);
  if (!link) return;
  event.preventDefault();
  goTo(link.href);
});

let replay = null;

/** Show the boards after each entry of the list, one by one, then the present again. Whoever wants less motion goes on by hand. */
class Replay {
  constructor(items) {
    this.items = items;
    this.at = -1;
  }

  async next() {
    clearTimeout(this.timer);
    this.items[this.at]?.classList.remove("now");
    this.at += 1;
    const item = this.items[this.at];
    if (!item) { this.stop(); return; }
    item.classList.add("now");
    item.scrollIntoView({ block: "nearest" });
    const answer = await fetchPart(item.dataset.at, "board");
    if (replay !== this || !answer) return;
    part("board").replaceChildren(read(answer).querySelector("svg"));
    part("replay").textContent = part("replay").dataset.next;
    if (!calm.matches) this.timer = setTimeout(() => this.next(), 1600);
  }

  stop() {
    clearTimeout(this.timer);
    replay = null;
    for (const item of this.items) item.classList.remove("now");
    if (part("replay")) part("replay").textContent = part("replay").dataset.again;
    showDraft();
  }
}

table.addEventListener("click", (event) => {
  if (event.target.id !== "replay") return;
  replay ??= new Replay([...document.querySelectorAll("#since li[data-at]")]);
  replay.next();
});

/* ---- writing orders ---- */

let chosen = [];
let live = part("board")?.firstElementChild;

/** Put back what was being written, also after a reload or a step back in the game; send again what was not answered. */
function restore() {
  const kept = field() && draftOf(table.dataset);
  if (!kept || field().value) { showDraft(); return; }
  field().value = kept.orders;
  if (kept.sending) send(kept.sending);
  else consider();
}

/** Ask the server what the orders would do and what may follow; `extra` adds a step, drops one, or picks a branch of chance. */
async function consider(extra = {}) {
  const form = part("orders-form");
  if (!form) return;
  keepDraft(table.dataset, field().value);
  const body = new URLSearchParams(new FormData(form));
  for (const [name, value] of Object.entries(extra)) body.set(name, value);
  const asked = field().value;
  const { answer } = await post(`/games/${game}/preview`, body, "draft");
  if (!answer || !field() || field().value !== asked) return;
  const fresh = read(answer).getElementById("draft");
  const from = document.activeElement?.closest("#draft, #choice") ? document.activeElement : null;
  part("draft").replaceWith(fresh);
  if ("add" in extra || "drop" in extra) {
    field().value = fresh.dataset.orders;
    keepDraft(table.dataset, field().value);
  }
  showDraft();
  announce([...fresh.querySelectorAll(".summary, .wrong, .told, .gains")].map(text));
  // Whoever came by keyboard goes on there: to the next steps, or to Send when the turn is whole.
  if (from) (fresh.querySelector(".steps button.order") ?? part("send")).focus();
}

/** The board shows what the orders would make of it, and the present again when there are none. */
function showDraft() {
  replay?.stop();
  const board = part("board"), patch = part("after-board")?.content?.firstElementChild;
  if (!board || !live) return;
  const after = patch && patch.dataset.base === table.dataset.shown ? patched(live, patch) : null;
  board.replaceChildren(after ?? live);
  board.classList.toggle("draft", Boolean(after));
  choose([]);
}

/** The board that the server describes by what differs from the one shown now: line by line, as the picture is written. Empty lines share one text node. */
function patched(now, patch) {
  const lines = [[]], after = document.importNode(patch, true);
  for (const node of now.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) lines.push(...[...node.data.matchAll("\n")].map(() => []));
    else lines.at(-1).push(node);
  }
  for (const same of after.querySelectorAll("[data-same]")) {
    const [from, to] = same.dataset.same.split("-").map(Number);
    same.replaceWith(...lines.slice(from, to + 1).flatMap((line, number) => [...(number ? ["\n"] : []), ...line.map((node) => node.cloneNode(true))]));
  }
  return after;
}

/** The steps that can be taken now, and whole beginnings of a turn: a click on the board may say what is done before how it is paid for. */
function options() {
  const draft = part("draft") ?? table;
  const steps = [...draft.querySelectorAll(".steps button.order")].map((button) => ({ button, text: button.value, places: button.dataset.places }));
  const further = JSON.parse(draft.dataset.further || "[]").map(([text, places]) => ({ text, places }));
  return [...steps, ...further].map((each) => ({ ...each, places: each.places.split(" ") }));
}

const names = (option, places) => places.every((place) => option.places.includes(place));

/** Only the steps that name all of these places; all steps if there are none. */
function choose(places, at = null) {
  chosen = places;
  part("choice")?.remove();
  const draft = part("draft");
  if (!draft) return;
  const all = options();
  for (const option of all) if (option.button) option.button.hidden = !names(option, places);
  const filtered = draft.querySelector(".filtered");
  if (filtered) {
    filtered.hidden = !places.length;
    filtered.firstElementChild.textContent = places.join(" + ");
  }
  for (const place of document.querySelectorAll("#board [data-place]")) {
    place.classList.toggle("chosen", places.includes(place.dataset.place));
    place.classList.toggle("possible", all.some((option) => names(option, [...places, place.dataset.place])));
  }
  if (at) ask(all.filter((option) => names(option, places)), at);
}

/** A choice between several meanings of a click, where it was made. */
function ask(offered, at) {
  const menu = document.createElement("div");
  menu.id = "choice";
  menu.setAttribute("role", "group");
  menu.setAttribute("aria-label", text(document.querySelector("#draft .steps legend")));
  for (const option of offered.slice(0, 12)) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet order";
    button.textContent = option.text;
    button.addEventListener("click", () => consider({ add: option.text }));
    menu.append(button);
  }
  part("position").append(menu);
  const frame = part("position").getBoundingClientRect();
  menu.style.left = `${Math.max(0, Math.min(at.x - frame.x, frame.width - menu.offsetWidth))}px`;
  menu.style.top = `${at.y - frame.y + 14}px`;
  if (at.byKeyboard) menu.firstElementChild.focus();
}

/** A click on the board: one step that names the place is taken, several are offered, and another place narrows them down. */
function click(place, at) {
  const all = options();
  const narrowed = [...new Set([...chosen, place])];
  const places = all.some((option) => names(option, narrowed)) ? narrowed : [place];
  const fitting = all.filter((option) => names(option, places));
  if (fitting.length === 1) consider({ add: fitting[0].text });
  else choose(fitting.length ? places : [], fitting.length > 1 ? at : null);
}

table.addEventListener("click", (event) => {
  const place = event.target.closest("#board [data-place]");
  if (place && part("draft") && !replay) click(place.dataset.place, { x: event.clientX, y: event.clientY });
  else if (event.target.id === "all-steps") choose([]);
  else if (!event.target.closest("#choice")) part("choice")?.remove();
});
addEventListener("keydown", (event) => { if (event.key === "Escape") choose([]); });

let pause;
table.addEventListener("input", (event) => {
  if (event.target !== field()) return;
  clearTimeout(pause);
  keepDraft(table.dataset, field().value);
  pause = setTimeout(consider, 250);
});

/* ---- sending ---- */

table.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (form.id === "orders-form") {
    event.preventDefault();
    if (submitter?.id === "send" || !submitter) send();
    else consider(submitter.name ? { [submitter.name]: submitter.value } : {});
  } else if (form.id === "talk-form") {
    event.preventDefault();
    talk(form);
  }
});

let sending = false;

/** Send the orders until they are answered, always under the same key: however often they arrive, they count once.
    What was sent is kept with the draft, so that a page that is loaded meanwhile goes on with it. */
async function send(earlier = null) {
  const form = part("orders-form");
  if (!form || sending) return;
  sending = true;
  clearTimeout(pause);
  part("send").disabled = true;
  const body = new URLSearchParams(new FormData(form));
  for (const [name, value] of Object.entries(earlier ?? {})) body.set(name, value);
  const sent = Object.fromEntries(["orders", "key", "version"].map((name) => [name, body.get(name)]));
  keepDraft(table.dataset, sent.orders, sent);
  try {
    const { answer, signedOut } = await post(form.action, body, "page", { untilAnswered: true, shown: table.dataset.shown });
    if (signedOut) { keepDraft(table.dataset, sent.orders); return; }
    dropDraft(table.dataset);
    answered(read(answer));
  } finally {
    sending = false;
    if (part("send")) part("send").disabled = false;
    // The button that was pressed may be gone, and with it the place of the keyboard.
    if (document.activeElement === document.body) (document.querySelector("#draft .steps button.order") ?? part("turn")).focus();
  }
}

/** Show the answer to orders; if the next move has been shown before it came, it is the older page, and only what it says of the orders counts. */
function answered(fresh) {
  const told = fresh.getElementById("outcome"), page = fresh.querySelector(".table");
  if (!page || Number(page.dataset.version) < Number(table.dataset.version)) refresh();
  else {
    show(fresh);
    announceNews();
  }
  tell(text(told) || text(fresh.querySelector("[role=alert]")), told?.matches(".told") ? "told" : "wrong");
}

async function talk(form) {
  const { answer } = await post(form.action, new URLSearchParams(new FormData(form)), "page", { shown: table.dataset.shown });
  if (!answer) return;
  form.reset();
  renew(read(answer));
}

/* ---- inviting ---- */

table.addEventListener("click", async (event) => {
  const link = part("seat-link")?.value ?? location.href;
  if (event.target.id === "copy") {
    await navigator.clipboard.writeText(link);
    event.target.textContent = event.target.dataset.done;
  } else if (event.target.id === "share") {
    await navigator.share({ title: event.target.dataset.title, url: link }).catch(() => {}); // the reader may think better of it
  }
});
if (part("share") && navigator.share) part("share").hidden = false;

navigator.serviceWorker?.register("/service-worker.js").catch(() => {}); // a browser without one plays as well

document.documentElement.classList.add("lively");
restore();
follow();
