/* Shows what others did, entry by entry: the board before it, each piece along its way, the board after it.
   Whoever wants less motion sees the ways as lines, and goes on by hand. */

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const STEP = 320, REST = 1600; // milliseconds

function draw(name, given, ...inside) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(given)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

/** The middles of these places, in the units of the picture; none if one of them is not on it. */
function middles(board, places) {
  const boxes = places.map((place) => board.querySelector(`[data-place="${CSS.escape(place)}"]`)?.getBBox());
  return boxes.every(Boolean) ? boxes.map((box) => [box.x + box.width / 2, box.y + box.height / 2]) : [];
}

const trace = (board, [, , , places]) => board.append(draw("polyline", { points: middles(board, places).join(" "), class: "way" }));

async function travel(board, [letter, colour, ink, places]) {
  const sign = draw("text", { class: `f-${ink}`, y: 8, "text-anchor": "middle", "font-size": 24, "font-weight": "bold" }, letter);
  const piece = draw("g", { class: "mover" }, draw("circle", { r: 20, class: `f-${colour} s-ink`, "stroke-width": 2 }), sign);
  board.append(piece);
  const frames = middles(board, places).map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
  await piece.animate(frames, { duration: STEP * places.length, easing: "ease-in-out", fill: "forwards" }).finished.catch(() => {});
}

class Replay {
  /** `first` is the board before the first entry; `boardAt` fetches the one after an entry; `show` is given each board, and the entry. */
  constructor(items, first, { boardAt, show, ended }) {
    Object.assign(this, { items, board: first, boardAt, show, ended, at: -1, known: Number(items[0].dataset.version) - 1 });
  }

  async next() {
    clearTimeout(this.timer);
    this.items[this.at]?.classList.remove("now");
    const item = this.items[++this.at], at = this.at;
    if (!item) { this.stop(); return; }
    item.classList.add("now");
    item.parentElement.scrollTop = item.offsetTop - item.parentElement.offsetTop;
    const motions = JSON.parse(item.dataset.motions ?? "[]"), after = await this.boardAt(item.dataset.version);
    if (this.at !== at || !after) return;
    if (motions.length && !calm.matches) {
      const shown = this.show(this.board, item);
      for (const motion of motions) {
        trace(shown, motion);
        await travel(shown, motion);
        if (this.at !== at) return;
      }
    }
    const shown = this.show(after, item);
    shown.classList.add("fresh");
    for (const motion of motions) trace(shown, motion);
    Object.assign(this, { board: after, known: Number(item.dataset.version) });
    if (!calm.matches) this.timer = setTimeout(() => this.next(), REST);
  }

  stop() {
    clearTimeout(this.timer);
    this.at = Infinity;
    for (const item of this.items) item.classList.remove("now");
    this.ended();
  }
}
