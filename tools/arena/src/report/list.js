// The list of the games, with its filters and its order; and what starts the script, below. It goes on from
// `report.js`.

// So many rows are made at once, as thousands would take a while.
const PAGE = 100;
const worst = (game) => (game.ll ? Math.max(...game.ll) : -1);
// Headings, with what is shown and what is sorted by; numbers stand on the right.
const FIELDS = [
  ["Game", (game) => game.n + 1],
  ["First", (game) => data.engines[game.f]],
  ["Second", (game) => data.engines[game.s]],
  ["Result", resultText, (game) => game.r],
  ["Reason", (game) => data.reasons[game.w], (game) => game.w],
  ["Stones", (game) => columnsOf(game).length],
  ["Seconds", (game) => game.t.toFixed(game.t < 10 ? 2 : 0), (game) => game.t],
  ["Worst loss", (game) => (worst(game) < 0 ? "" : worst(game)), worst],
  ["Opening", (game) => game.o || game.b],
  ["Pair", (game) => game.p + 1],
].map(([name, text, key = text]) => ({ name, text, key, isNumber: typeof key(data.games[0] || {}) === "number" }));

// The games that pass the filters in their order, how many of them have rows, and what they are sorted by.
let chosen = [];
let rows = 0;
let sorting = { field: -1, isDown: false };

function choose() {
  const words = byId("filter-text").value.toLowerCase();
  const first = byId("filter-first").value;
  const wanted = byId("filter-winner").value;
  const reason = byId("filter-reason").value;
  const text = (game) => [game.o, columnsOf(game), game.d, data.engines[game.f], data.engines[game.s]].join("\n");
  chosen = data.games.filter((game) =>
    (first === "" || game.f === Number(first)) &&
    (wanted === "" || winner(game) === wanted) &&
    (reason === "" || (reason === "faults" ? isFault(game) : game.w === Number(reason))) &&
    (words === "" || text(game).toLowerCase().includes(words)));
  const { key, isNumber } = FIELDS[sorting.field];
  const compare = isNumber ? (a, b) => key(a) - key(b) : (a, b) => key(a).localeCompare(key(b));
  chosen.sort((a, b) => (sorting.isDown ? -compare(a, b) : compare(a, b)) || a.n - b.n);
  byId("count").textContent = `${chosen.length} of ${data.games.length} games`;
  byId("list").tBodies[0].textContent = "";
  rows = 0;
  addRows();
}

function addRows() {
  const body = byId("list").tBodies[0];
  for (const game of chosen.slice(rows, rows + PAGE)) {
    const row = make(body, "tr", shown && shown.game === game ? { class: "shown" } : {});
    row.game = game;
    FIELDS.forEach(({ name, text, isNumber }, index) => {
      const isWord = !isNumber || name === "Result" || name === "Reason";
      const kind = isWord ? (name === "Reason" && isFault(game) ? "fault" : "") : "n";
      const cell = make(row, "td", { class: kind }, index ? text(game) : "");
      // The first cell has a button for those who have no mouse.
      if (!index) make(cell, "button", { "aria-label": `Replay game ${text(game)}` }, text(game));
    });
  }
  rows = Math.min(chosen.length, rows + PAGE);
  byId("more").hidden = rows === chosen.length;
  byId("more").textContent = `Show more (${chosen.length - rows} left)`;
}

function sortBy(field) {
  sorting = { field, isDown: sorting.field === field && !sorting.isDown };
  const headings = byId("list").tHead.rows[0].cells;
  [...headings].forEach((heading, index) => {
    const isDown = sorting.isDown ? "descending" : "ascending";
    heading.setAttribute("aria-sort", index === field ? isDown : "none");
    const mark = sorting.isDown ? " ↓" : " ↑";
    heading.firstChild.textContent = FIELDS[index].name + (index === field ? mark : "");
  });
  choose();
}

function makeList() {
  FIELDS.forEach(({ name }, index) => {
    const heading = make(byId("list").tHead.rows[0], "th", { scope: "col" });
    make(heading, "button", {}, name).addEventListener("click", () => sortBy(index));
  });
  data.engines.forEach((engine, index) => {
    make(byId("filter-first"), "option", { value: index }, engine);
    make(byId("filter-winner"), "option", { value: engine }, engine);
  });
  make(byId("filter-winner"), "option", { value: "draw" }, "draw");
  make(byId("filter-reason"), "option", { value: "faults" }, "any fault");
  data.reasons.forEach((reason, index) => make(byId("filter-reason"), "option", { value: index }, reason));
  byId("filters").addEventListener("input", choose);
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("more").addEventListener("click", addRows);
  byId("list").tBodies[0].addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    if (row) openFromList(row.game);
  });
  sortBy(0);
}

// --- Keys ---

function press(event) {
  const isElsewhere = event.target.closest("input, select, textarea, .scroll");
  if (isElsewhere || event.altKey || event.ctrlKey || event.metaKey || !shown) return;
  const steps = { ArrowLeft: shown.ply - 1, ArrowRight: shown.ply + 1 };
  // Elsewhere on the page these two scroll.
  const isInReplay = event.target.closest("#replay");
  const ends = isInReplay ? { Home: 0, End: shown.stones.length } : {};
  const ply = { ...steps, ...ends }[event.key];
  if (ply === undefined) return;
  event.preventDefault();
  goTo(ply);
}

makeBoard();
makeList();
const buttons = {
  "to-first": () => goTo(0),
  "to-previous": () => goTo(shown.ply - 1),
  "to-next": () => goTo(shown.ply + 1),
  "to-last": () => goTo(shown.stones.length),
  "game-before": () => openNeighbour(-1),
  "game-after": () => openNeighbour(1),
};
for (const id in buttons) byId(id).addEventListener("click", buttons[id]);
byId("slider").addEventListener("input", () => goTo(Number(byId("slider").value)));
byId("curve").addEventListener("click", clickOnCurve);
document.addEventListener("keydown", press);
window.addEventListener("hashchange", () => {
  if (openAddressed() && document.activeElement.closest("#faults")) byId("replay").scrollIntoView();
});
if (data.games.length) {
  if (openAddressed()) byId("replay").scrollIntoView();
  else open(data.games[0]);
} else {
  byId("replay").hidden = true;
}
