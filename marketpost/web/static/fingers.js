/* Which places of the board a click means. A mouse points at one; a finger may cover several that are smaller than it is. */

const FINGER = 40; // CSS pixels across
let byFinger = false;
addEventListener("pointerdown", ({ pointerType }) => { byFinger = pointerType === "touch"; }, true);

/** The middle of a place on the screen: of what is drawn for pointers, if it is drawn; corners count as often as they are. */
function middleOf(place) {
  const shape = place.querySelector(":scope > .hit") ?? place.querySelector(":scope > polygon") ?? place;
  const box = shape.getBoundingClientRect();
  if (!shape.points) return [box.x + box.width / 2, box.y + box.height / 2];
  const corners = [...shape.points].map((corner) => corner.matrixTransform(shape.getScreenCTM()));
  return ["x", "y"].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length);
}

const within = (least, wanted, most) => Math.max(least, Math.min(wanted, most));

/** Whether a point lies in the square of a finger's size around the middle of a place; at the edge of the board the square is moved inside. */
function covers(board, place, { x, y }) {
  const frame = board.getBoundingClientRect(), [across, down] = middleOf(place), half = FINGER / 2;
  return Math.abs(x - within(frame.left + half, across, frame.right - half)) <= half
    && Math.abs(y - within(frame.top + half, down, frame.bottom - half)) <= half;
}

/** The names of the places that a click may mean, the one below it first. */
function placesMeant({ target, clientX: x, clientY: y }) {
  const pointed = target.closest("[data-place]");
  if (!byFinger) return pointed ? [pointed.dataset.place] : [];
  const board = target.closest("#board").firstElementChild;
  const legal = [...board.querySelectorAll(".possible")];
  const below = document.elementsFromPoint(x, y).map((each) => each.closest("#board .possible")).find(Boolean) ?? pointed;
  const meant = [below, ...legal.filter((place) => covers(board, place, { x, y }))].filter(Boolean);
  return [...new Set(meant.map((place) => place.dataset.place))];
}
