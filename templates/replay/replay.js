// Steps through a recorded game. Each picture is a list of pieces, told by what is other than in the one before.
const told = JSON.parse(document.getElementById("game").textContent);
const part = (id) => document.getElementById(id);
const picture = [];
const pictures = told.steps.map((step) => {
  for (const [start, gone, ...come] of step.edits) picture.splice(start, gone, ...come);
  return [...picture];
});
let at = told.steps.length - 1;

function show(number) {
  at = Math.max(0, Math.min(number, told.steps.length - 1));
  const step = told.steps[at];
  part("board").innerHTML = pictures[at].map((piece) => told.pieces[piece]).join("");
  part("where").textContent = told.where.replace("#", at + 1);
  part("told").replaceChildren(...step.told.map((line) => Object.assign(document.createElement("p"), { textContent: line })));
  step.scores.forEach((score, seat) => { part(`score-${seat}`).textContent = score; });
  document.querySelectorAll("#log li").forEach((line, index) => line.toggleAttribute("aria-current", index === at));
  part("first").disabled = part("back").disabled = at === 0;
  part("on").disabled = part("last").disabled = at === told.steps.length - 1;
}

const ways = { first: () => show(0), back: () => show(at - 1), on: () => show(at + 1), last: () => show(told.steps.length - 1) };
for (const [id, go] of Object.entries(ways)) part(id).addEventListener("click", go);
const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
addEventListener("keydown", (event) => {
  if (!(event.key in keys) || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  ways[keys[event.key]]();
});
part("log").addEventListener("click", (event) => {
  const line = event.target.closest("li");
  if (line) show([...line.parentElement.children].indexOf(line));
});
part("steps").hidden = false;
show(0);
