// The board on which the games of a match are replayed. All that engines have said is put into the page as text,
// never as markup. Fields of games are described where the data are written, in `data.rs`. This file and `list.js`
// are one module, in this order.

const COLUMNS = 7, ROWS = 6, MATE = 1000000;
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

// Makes an element within another one, of its kind: HTML in HTML, SVG in SVG.
function make(parent, name, attributes = {}, text = "") {
  const made = document.createElementNS(parent.namespaceURI, name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  made.textContent = text;
  parent.append(made);
  return made;
}

// --- Words ---

// Neither results nor times are broken at the end of a line, hence the odd hyphens and blanks.
const resultText = (game) => ["0‑1", "1/2‑1/2", "1‑0"][game.r + 1];
const winner = (game) => (game.r ? data.engines[game.r > 0 ? game.f : game.s] : "draw");
const isFault = (game) => game.w >= data.fair;

function time(ms) {
  if (Math.abs(ms) < 1000) return ms.toFixed(ms < 10 && ms > 0 ? 2 : 0) + "\u00a0ms";
  return (ms / 1000).toFixed(ms < 10000 ? 2 : 1) + "\u00a0s";
}

const squareText = (stone) => "abcdefg"[stone.x] + (stone.y + 1);

function scoreText(score) {
  const distance = MATE - Math.abs(score);
  const text = distance < MATE / 2 ? "M" + distance : (Math.abs(score) / 100).toFixed(2);
  return (score > 0 ? "+" : score < 0 ? "−" : "") + text;
}

// --- Games ---

const columnsOf = (game) => game.b + game.m;

// Where the stones of a game lie, in the order of its moves.
function stonesOf(game) {
  const heights = Array(COLUMNS).fill(0);
  return [...columnsOf(game)].map((digit) => ({ x: digit - 1, y: heights[digit - 1]++ }));
}

// The ends of the lines of four or more that the last of the stones is part of.
function linesOf(stones) {
  if (!stones.length) return [];
  const last = stones.length - 1;
  // Stones of one player have numbers of one parity.
  const ours = new Set(stones.filter((_, ply) => ply % 2 === last % 2).map((stone) => stone.x + "," + stone.y));
  const end = ({ x, y }, dx, dy) => {
    while (ours.has(x + dx + "," + (y + dy))) { x += dx; y += dy; }
    return { x, y };
  };
  return [[1, 0], [0, 1], [1, 1], [1, -1]]
    .map(([dx, dy]) => [end(stones[last], -dx, -dy), end(stones[last], dx, dy)])
    .filter(([from, to]) => Math.max(to.x - from.x, Math.abs(to.y - from.y)) >= 3);
}

// What is known of a move: its number counts from the start of the game.
function figure(game, list, ply) {
  const index = ply - game.b.length;
  return index < 0 || !game[list] ? null : game[list][index];
}

// --- Board ---

const LEFT = 22, CELL = 100;
const centre = ({ x, y }) => ({ cx: LEFT + CELL * (x + 0.5), cy: CELL * (ROWS - y - 0.5) });
const cells = [];
const lines = [];
let lastMark;

function makeBoard() {
  const board = byId("board");
  make(board, "rect", { x: LEFT, y: 0, width: CELL * COLUMNS, height: CELL * ROWS, rx: 24 });
  for (let x = 0; x < COLUMNS; x++) {
    make(board, "text", { x: LEFT + CELL * (x + 0.5), y: CELL * ROWS + 36 }, "abcdefg"[x]);
    cells.push([]);
    for (let y = 0; y < ROWS; y++) {
      if (!x) make(board, "text", { x: 8, y: CELL * (ROWS - y - 0.5) + 10 }, String(y + 1));
      const stone = make(board, "circle", { ...centre({ x, y }), r: 41 });
      cells[x].push({ stone, ring: make(board, "circle", { ...centre({ x, y }), r: 26, class: "ring" }) });
    }
  }
  // One stone can end lines in all four directions.
  for (let i = 0; i < 4; i++) lines.push(make(board, "line", { class: "four" }));
  lastMark = make(board, "circle", { r: 41, class: "last" });
}

function drawBoard() {
  const stones = shown.stones.slice(0, shown.ply);
  for (const { stone, ring } of cells.flat()) {
    stone.setAttribute("class", "hole");
    ring.style.display = "none";
  }
  stones.forEach(({ x, y }, ply) => {
    cells[x][y].stone.setAttribute("class", ply % 2 ? "second-stone" : "first-stone");
    if (ply % 2) cells[x][y].ring.style.display = "";
  });
  const last = stones[stones.length - 1];
  lastMark.style.display = last ? "" : "none";
  if (last) for (const [key, value] of Object.entries(centre(last))) lastMark.setAttribute(key, value);
  const found = linesOf(stones);
  lines.forEach((line, i) => {
    line.style.display = found[i] ? "" : "none";
    (found[i] || []).forEach((end, j) => {
      line.setAttribute("x" + (j + 1), centre(end).cx);
      line.setAttribute("y" + (j + 1), centre(end).cy);
    });
  });
  const label = `Board with ${stones.length} stones` + (last ? `, the last one on ${squareText(last)}` : "");
  byId("board").setAttribute("aria-label", label + (found.length ? ", four in a row" : ""));
}

// --- Score curve ---

const CURVE = { width: 400, left: 8, right: 392, top: 18, bottom: 158 };
let now;

const plyToX = (ply) => CURVE.left + ((CURVE.right - CURVE.left) * ply) / Math.max(1, shown.stones.length);

// Estimates fill the middle three quarters, ever more slowly; beyond them are proven ends, the nearer the farther.
function scoreToY(score) {
  const size = Math.abs(score);
  const part = size > MATE / 2 ? 1 - Math.min(1, (MATE - size) / 42) * 0.2 : (0.75 * size) / (size + 150);
  return (CURVE.top + CURVE.bottom) / 2 - (Math.sign(score) * part * (CURVE.bottom - CURVE.top)) / 2;
}

function makeCurve() {
  const curve = byId("curve");
  const { game, stones } = shown;
  curve.textContent = "";
  for (const score of [MATE, 0, -MATE]) {
    make(curve, "line", { x1: CURVE.left, x2: CURVE.right, y1: scoreToY(score), y2: scoreToY(score), class: "axis" });
  }
  make(curve, "text", { x: CURVE.left, y: CURVE.top - 5 }, "first wins");
  make(curve, "text", { x: CURVE.left, y: CURVE.bottom + 15 }, "second wins");
  for (let ply = 10; ply <= stones.length; ply += 10) {
    make(curve, "line", { x1: plyToX(ply), x2: plyToX(ply), y1: CURVE.top, y2: CURVE.bottom, class: "axis" });
    if (plyToX(ply) > 100) {
      make(curve, "text", { x: plyToX(ply), y: CURVE.bottom + 15, "text-anchor": "middle" }, String(ply));
    }
  }
  ["first", "second"].forEach((player, parity) => {
    const points = [];
    stones.forEach((_, ply) => {
      const score = figure(game, "ss", ply);
      // Scores are the mover's.
      if (ply % 2 === parity && score !== null) points.push([plyToX(ply + 1), scoreToY(parity ? -score : score)]);
    });
    make(curve, "polyline", { points: points.join(" "), class: "line-" + player });
    for (const [cx, cy] of points) make(curve, "circle", { cx, cy, r: 3, class: "dot-" + player });
  });
  now = make(curve, "line", { y1: CURVE.top, y2: CURVE.bottom, class: "now" });
}

function clickOnCurve(event) {
  const box = byId("curve").getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * CURVE.width;
  goTo(Math.round(((x - CURVE.left) / (CURVE.right - CURVE.left)) * shown.stones.length));
}

// --- Replay ---

// The game that is shown, where its stones lie, how many of them are on the board, the buttons of its moves.
let shown = null;

function makeMoves() {
  const { game, stones } = shown;
  byId("moves").textContent = "";
  let item;
  shown.buttons = stones.map((stone, ply) => {
    if (ply % 2 === 0) {
      item = make(byId("moves"), "li");
      make(item, "span", {}, ply / 2 + 1 + ".");
    }
    const loss = figure(game, "ll", ply);
    const kind = ply < game.b.length ? "book" : loss > 0 ? "lossy" : "";
    const button = make(item, "button", { class: kind }, squareText(stone));
    if (loss > 0) button.title = `gave away ${loss}`;
    button.addEventListener("click", () => goTo(ply + 1));
    return button;
  });
}

function statusText() {
  const { game, stones, ply } = shown;
  const said = [];
  const move = ply - 1;
  if (ply) {
    const mover = data.engines[move % 2 ? game.s : game.f];
    const number = Math.floor(move / 2) + 1;
    said.push(`${number}${move % 2 ? "…" : "."} P@${squareText(stones[move])} by ${mover}`);
    if (move < game.b.length) said.push("opening");
    const add = (list, text) => {
      const value = figure(game, list, move);
      if (value !== null) said.push(text(value));
    };
    add("ss", (score) => "score " + scoreText(score));
    add("dd", (depth) => "depth " + depth);
    add("tt", time);
    add("nn", (nodes) => nodes.toLocaleString("en") + " nodes");
    add("cc", (clock) => "clock " + time(clock));
    add("ll", (loss) => (loss > 0 ? "gave away " + loss : "best move"));
  } else {
    said.push("Empty board");
  }
  if (ply === stones.length) {
    said.push(`${resultText(game)}, ${data.reasons[game.w]}` + (game.d ? `: ${game.d}` : ""));
  }
  return said.join(" · ");
}

// A button that is truly disabled would swallow the keys while it has the focus; these just do nothing.
function disable(ids, isDisabled) {
  for (const id of ids) byId(id).setAttribute("aria-disabled", isDisabled);
}

// Shows the board after so many moves.
function goTo(ply) {
  if (!shown) return;
  const end = shown.stones.length;
  shown.ply = Math.max(0, Math.min(end, ply));
  drawBoard();
  disable(["to-first", "to-previous"], shown.ply === 0);
  disable(["to-next", "to-last"], shown.ply === end);
  byId("slider").value = shown.ply;
  byId("status").textContent = statusText();
  now.setAttribute("x1", plyToX(shown.ply));
  now.setAttribute("x2", plyToX(shown.ply));
  shown.buttons.forEach((button, index) => {
    if (index + 1 === shown.ply) {
      button.setAttribute("aria-current", "true");
      // Only the list is scrolled, not the page.
      const list = byId("moves");
      const top = button.offsetTop - list.offsetTop;
      if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 30) list.scrollTop = top - 40;
    } else {
      button.removeAttribute("aria-current");
    }
  });
}

function open(game) {
  shown = { game, stones: stonesOf(game), ply: 0, buttons: [] };
  const [first, second] = [data.engines[game.f], data.engines[game.s]];
  byId("replay-title").textContent = `Game ${game.n + 1}: ${first} – ${second} ${resultText(game)}`;
  const reason = data.reasons[game.w] + (game.d ? `: ${game.d}` : "");
  const opening = [game.o, game.b && `(${game.b})`].filter(Boolean).join(" ") || "none";
  byId("players").textContent = `${reason} · pair ${game.p + 1} · opening ${opening} · ${time(game.t * 1000)}`;
  byId("key-first").textContent = first;
  byId("key-second").textContent = second;
  byId("slider").max = shown.stones.length;
  makeCurve();
  makeMoves();
  goTo(shown.stones.length);
  const index = chosen.indexOf(game);
  disable(["game-before"], index <= 0);
  disable(["game-after"], index < 0 || index === chosen.length - 1);
  for (const row of byId("list").tBodies[0].rows) row.className = row.game === game ? "shown" : "";
}

// A game is opened by its address, so that it can be linked to and the browser can go back.
function openAddressed() {
  const number = /^#game=(\d+)$/.exec(location.hash);
  const game = number && data.games.find((game) => game.n + 1 === Number(number[1]));
  if (!game) return false;
  open(game);
  return true;
}

function openFromList(game) {
  location.hash = "game=" + (game.n + 1);
  byId("replay-title").focus({ preventScroll: true });
  byId("replay").scrollIntoView();
}

function openNeighbour(step) {
  const index = chosen.indexOf(shown.game);
  const game = index < 0 ? null : chosen[index + step];
  if (game) location.hash = "game=" + (game.n + 1);
}
