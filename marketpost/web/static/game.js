/* The page of a game, made lively: orders by clicking, moves as they happen, stepping without reloading.
   Everything here also works without it, by links and forms; the server draws all that is shown.
   It is served as one script with drafts.js, connection.js, fingers.js and replay.js before it, which share its scope. */

const table = document.querySelector(".table");
const game = table.dataset.game;
const parts = ["head", "result", "lesson", "since", "position", "chairs", "composer", "hint", "ahead", "proposal", "talk", "log", "more"];
const field = () => document.getElementById("orders");
const part = (id) => document.getElementById(id);
const read = (html) => new DOMParser().parseFromString(html, "text/html");

/* ---- showing what the server says ---- */

/** Put the parts of a fetched page in the places of ours; the reader's draft is put back from where it is kept. */
function show(fresh) {
  replay?.stop();
  const patch = patchIn(fresh), board = patch && patched(live, patch);
  put(fresh, parts);
  if (board) part("board").replaceChildren(board);
  live = part("board")?.firstElementChild;
  restore();
}

const patchIn = (fresh) => fresh.querySelector("#board script");

/** Whether the board in a fetched page is described by what differs from one that has been replaced meanwhile. */
const isOutdated = (fresh) => Boolean(patchIn(fresh)) && patchIn(fresh).dataset.base !== table.dataset.shown;

/** The same page again. If nothing was done since, board and orders stay as they are under the reader's hand. */
function renew(fresh) {
  const version = Number(fresh.querySelector(".table").dataset.version);
  if (version < Number(table.dataset.version)) return;
  if (version === Number(table.dataset.version)) {
    put(fresh, parts.filter((id) => !["position", "composer", "since"].includes(id)));
    return;
  }
  if (!part("position") && fresh.getElementById("position")) { location.reload(); return; } // it has begun: another page, with a board
  if (isOutdated(fresh)) { refresh(); return; }
  if (Date.now() - toldAt > 4000) tell("", "");
  showNews(fresh);
}

/** Show a newer page, say what is new on it, and play it on the board, with what was still to be played. */
function showNews(fresh) {
  const before = replay?.board ?? live, known = replay?.known ?? Number(table.dataset.version);
  show(fresh);
  announceNews();
  playNews(before, known);
}

function put(fresh, ids) {
  const focused = document.activeElement?.id;
  const fields = document.querySelectorAll("#text, #ahead-orders, .hosting input[id]:not([readonly])");
  const written = [...fields].map(({ id, value, defaultValue }) => [id, value, defaultValue]);
  document.querySelector("#log .now")?.removeAttribute("aria-current");
  document.querySelector("#log .now")?.classList.remove("now");
  for (const same of fresh.querySelectorAll("[data-same-as]")) same.replaceWith(part(same.dataset.sameAs) ?? "");
  for (const id of ids) {
    const old = part(id), made = fresh.getElementById(id);
    if (old && made) old.replaceWith(made);
    else if (made) table.append(made);
    else old?.remove();
  }
  Object.assign(table.dataset, fresh.querySelector(".table").dataset);
  document.title = fresh.title;
  iconOf(document).href = iconOf(fresh).href;
  showCount();
  for (const [id, value, sent] of written) {
    if (!value || value === sent || !part(id)) continue;
    part(id).value = value; // what the reader is writing stays
    part(id).closest("details")?.setAttribute("open", "");
  }
  if (focused) (part(focused) ?? part("turn")).focus?.();
}

const iconOf = (page) => page.querySelector("link[rel=icon]");

/** The number of games that wait, which the title begins with, in the icon of an installed page, too. */
function showCount() {
  const count = Number(document.title.match(/^\((\d+)\)/)?.[1] ?? 0);
  (count ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.())?.catch(() => {}); // not every system shows one
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

let fetching = null, again = false;

/** The page as it is now, once at a time: what comes in meanwhile is fetched when it is done. */
async function refresh() {
  if (fetching) { again = true; return; }
  const before = table.dataset.version;
  fetching = fetchPart(location.href, "page", table.dataset.shown);
  try {
    const answer = await fetching;
    if (answer) renew(read(answer));
  } finally {
    fetching = null;
    if (again) { again = false; refresh(); }
    else if (table.dataset.version !== before) catchUp();
  }
}
connection.onBack = () => { refresh(); if (field()?.value && !sending) considering = preview(); };

/* ---- moves as they happen ---- */

const SILENT = 30000; // the stream says something every ten seconds
let newest = 0;

/** Fetch the page if the stream has told of something that it does not show. */
function catchUp() {
  if (!fetching && newest > Number(table.dataset.version)) refresh();
}

/** From what this page shows on: what happened while it was loading is told, too. */
function follow() {
  const address = new URL(table.dataset.events, location.href);
  address.searchParams.set("after", table.dataset.version);
  const source = new EventSource(address);
  let silence, open = true;
  const again = (pause) => { clearTimeout(silence); source.close(); setTimeout(() => { refresh(); follow(); }, pause); };
  // A connection that was cut without a word is silent for ever.
  const heard = () => { clearTimeout(silence); silence = setTimeout(() => again(0), SILENT); };
  heard();
  source.addEventListener("changed", (event) => {
    heard();
    newest = Math.max(newest, Number(event.data));
    // Our own move comes with the answer to our orders; if that is late, what the others did after it is not.
    if (sending) setTimeout(catchUp, 1500);
    else catchUp();
  });
  source.addEventListener("talk", (event) => {
    heard();
    if (event.data !== part("talk").dataset.count) refresh();
  });
  source.addEventListener("analysis", (event) => {
    heard();
    if (event.data !== (part("result").dataset.pending ?? "false")) refresh();
  });
  // A browser connects again by itself, unless a server that is full or restarting has closed the door for good. If it cannot, the reader is told.
  source.addEventListener("open", () => { open = true; });
  source.addEventListener("error", () => {
    if (!open) knock();
    open = false;
    if (source.readyState === EventSource.CLOSED) again(5000);
  });
  addEventListener("pagehide", () => { clearTimeout(silence); source.close(); }, { once: true });
}

/* ---- stepping through the game, and through what happened since my last turn ---- */

async function goTo(address, remember = true) {
  const answer = await fetchPart(address, "page", table.dataset.shown);
  if (!answer) return;
  const fresh = read(answer);
  if (isOutdated(fresh)) { goTo(address, remember); return; }
  if (remember) history.pushState(null, "", address);
  show(fresh);
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

/** The board after an entry; the present one is here, others come as what differs from it. */
async function boardAt(version) {
  if (version === table.dataset.shown) return live;
  const answer = await fetchPart(`/games/${game}?at=${version}`, "board", table.dataset.shown);
  const board = answer && read(answer).querySelector("svg, script");
  return board?.dataset.base ? patched(live, board) : board;
}

/** Show entries of the list "since my last turn" on the board, one by one, then the present again. */
function play(items, first) {
  replay?.stop();
  const playing = part("playing");
  const show = (board, item) => {
    part("board").replaceChildren(board.cloneNode(true));
    part("board").classList.remove("draft");
    playing.hidden = false;
    playing.querySelector("p").textContent = text(item);
    for (const place of document.querySelectorAll("#board .possible")) place.classList.remove("possible");
    return part("board").firstElementChild;
  };
  const ended = () => {
    replay = null;
    playing.hidden = true;
    if (part("replay")) part("replay").textContent = part("replay").dataset.again;
    showDraft();
  };
  replay = new Replay(items, first, { boardAt, show, ended });
  replay.next();
}

/** Show what others have just done, unless the reader is writing orders, looks elsewhere or wants less motion. */
function playNews(before, known) {
  const news = [...document.querySelectorAll("#since li")].filter((item) => Number(item.dataset.version) > known);
  if (news.length && before && !calm.matches && !field()?.value && !document.hidden) play(news, before);
}

table.addEventListener("click", async ({ target }) => {
  const list = document.querySelector("#since ol");
  if (target.id === "replay") {
    part("position").scrollIntoView({ block: "nearest" });
    const first = await boardAt(list.dataset.after);
    if (first) play([...list.children], first);
  }
  if (target.id === "play-next") replay?.next();
  if (target.id === "play-stop") { replay?.stop(); part("replay")?.focus(); }
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
  else considering = preview();
}

let considering = null;

/** The reader goes on with the orders: what was said of the last ones goes, and the server is asked about these. */
function consider(extra) {
  tell("", "");
  considering = preview(extra);
}

/** Ask what the orders would do and what may follow; `extra` adds a step, drops one, or picks a branch of chance.
    Whether the orders are now as the reader asked for. */
async function preview(extra = {}) {
  const form = part("orders-form");
  if (!form) return false;
  keepDraft(table.dataset, field().value);
  const body = new URLSearchParams(new FormData(form));
  for (const [name, value] of Object.entries(extra)) body.set(name, value);
  const asked = field().value;
  const { answer } = await post(`/games/${game}/preview`, body, "draft");
  if (!answer || !field() || field().value !== asked) return !("add" in extra || "drop" in extra);
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
  return true;
}

/** The board shows what the orders would make of it, and the present again when there are none. */
function showDraft() {
  replay?.stop();
  const board = part("board"), patch = document.querySelector("#draft script");
  if (!board || !live) return;
  const after = patch && patch.dataset.base === table.dataset.shown ? patched(live, patch) : null;
  board.replaceChildren(after ?? live);
  board.classList.toggle("draft", Boolean(after));
  choose([]);
}

/** The board that the server describes by what differs from the one shown now: line by line, as the picture is written. */
function patched(now, patch) {
  const lines = now.outerHTML.split("\n");
  const written = patch.textContent.replace(/^=(\d+)-(\d+)$/gm, (_, from, to) => lines.slice(from, Number(to) + 1).join("\n"));
  return read(written).querySelector("svg");
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
function choose(places) {
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
}

const MOST_STEPS = 6;

/** What several places below a finger may mean: the steps, or if they are many the places first. */
function offers(fitting, meanings, at) {
  const steps = (options) => options.map(({ text: step }) => ({ told: step, take: () => consider({ add: step }) }));
  if (meanings.length === 1 || fitting.length <= MOST_STEPS) return steps(fitting);
  return meanings.flatMap((places) => {
    const own = fitting.filter((option) => names(option, places)), place = places.at(-1);
    const told = text(document.querySelector(`#board [data-place="${CSS.escape(place)}"] > title`)) || place;
    return own.length === 1 ? steps(own) : [{ told, take: () => click([place], at) }];
  });
}

/** A choice between several meanings of a click, where it was made. */
function ask(offered, at) {
  const menu = document.createElement("div");
  menu.id = "choice";
  menu.setAttribute("role", "group");
  menu.setAttribute("aria-label", text(document.querySelector("#draft .steps legend")));
  for (const { told, take } of offered) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet order";
    button.textContent = told;
    button.addEventListener("click", take);
    menu.append(button);
  }
  part("position").append(menu);
  const frame = part("position").getBoundingClientRect();
  menu.style.left = `${Math.max(0, Math.min(at.x - frame.x, frame.width - menu.offsetWidth))}px`;
  menu.style.top = `${Math.min(at.y + 14, Math.max(0, innerHeight - menu.offsetHeight)) - frame.y}px`;
}

/** A click on the board: one step that names the place is taken, several are offered, and another place narrows them down.
    A finger may mean several places. */
function click(places, at) {
  replay?.stop();
  const all = options(), fits = (meaning) => all.some((option) => names(option, meaning));
  const narrowed = places.map((place) => [...new Set([...chosen, place])]);
  const meanings = narrowed.map((meaning, index) => (fits(meaning) ? meaning : [places[index]])).filter(fits);
  const fitting = all.filter((option) => meanings.some((meaning) => names(option, meaning)));
  if (fitting.length === 1) { consider({ add: fitting[0].text }); return; }
  choose(meanings.length > 1 ? chosen : meanings[0] ?? []);
  if (fitting.length) ask(offers(fitting, meanings, at), at);
}

table.addEventListener("click", (event) => {
  if (event.target.closest("#board") && part("draft")) click(placesMeant(event), { x: event.clientX, y: event.clientY });
  else if (event.target.id === "all-steps") choose([]);
  else if (!event.target.closest("#choice")) part("choice")?.remove();
});
addEventListener("keydown", (event) => { if (event.key === "Escape") choose([]); });

let pause;
table.addEventListener("input", (event) => {
  if (event.target !== field()) return;
  clearTimeout(pause);
  keepDraft(table.dataset, field().value);
  pause = setTimeout(() => consider(), 250);
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

/** While orders are under way they are neither changed nor sent twice. */
function hold(on) {
  if (part("send")) part("send").disabled = on;
  if (field()) field().readOnly = on;
}

/** Send the orders until they are answered, always under the same key: however often they arrive, they count once.
    What was sent is kept with the draft, so that a page that is loaded meanwhile goes on with it. */
async function send(earlier = null) {
  const form = part("orders-form");
  if (!form || sending) return;
  sending = true;
  clearTimeout(pause);
  hold(true);
  // A step that was just clicked is not in the orders before the server has added it; if it cannot, they are not what the reader wants to send.
  if (!earlier && !await (considering ?? true)) { sending = false; hold(false); return; }
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
    hold(false);
    // The button that was pressed may be gone, and with it the place of the keyboard.
    if (document.activeElement === document.body) (document.querySelector("#draft .steps button.order") ?? part("turn")).focus();
  }
}

/** Show the answer to orders; if the next move has been shown before it came, it is the older page, and only what it says of the orders counts. */
function answered(fresh) {
  const told = fresh.getElementById("outcome"), page = fresh.querySelector(".table");
  if (!page || isOutdated(fresh) || Number(page.dataset.version) < Number(table.dataset.version)) refresh();
  else showNews(fresh);
  tell(text(told) || text(fresh.querySelector("[role=alert]")), told?.matches(".told") ? "told" : "wrong");
  catchUp();
}

let talking = false;

/** Say it until it is answered, under the same key: a message that arrives twice is shown once. */
async function talk(form) {
  if (talking) return;
  talking = true;
  const body = new URLSearchParams(new FormData(form));
  const { answer } = await post(form.action, body, "page", { untilAnswered: true, shown: table.dataset.shown });
  talking = false;
  if (!answer) return;
  if (part("text")?.value === body.get("text")) part("text").value = "";
  renew(read(answer));
}

/* ---- inviting ---- */

table.addEventListener("click", async (event) => {
  const link = part("seat-link")?.value ?? location.href;
  if (event.target.id === "copy") {
    part("seat-link").select(); // a page that did not come by https may not copy, and its reader does it by hand
    await navigator.clipboard?.writeText(link);
    if (navigator.clipboard) event.target.textContent = event.target.dataset.done;
  } else if (event.target.id === "share") {
    await navigator.share({ title: event.target.dataset.title, url: link }).catch(() => {}); // the reader may think better of it
  }
});
if (navigator.share) document.documentElement.classList.add("sharing");

/* ---- what can wait until the page is read ---- */

/** Whoever does something here gets the service worker; a browser without one plays as well. */
const install = () => navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
for (const first of ["pointerdown", "keydown"]) addEventListener(first, install, { once: true });

/** The switch for notifications stands below the game; its script is loaded for those who come there. */
const arrived = new IntersectionObserver(([place]) => {
  if (!place.isIntersecting) return;
  arrived.disconnect();
  import("./push.js").catch(() => {}); // the switch is missing then, and all else works
});
if (part("push")) arrived.observe(part("push"));

document.documentElement.classList.add("lively");
showCount();
restore();
follow();
