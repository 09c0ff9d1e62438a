// The board of notebook.py: shows the drawing that Python makes, and sends clicks and keys to it.
function render({ model, el }) {
  const root = document.createElement("div");
  root.tabIndex = 0;
  root.style.cssText = "display:inline-block;font-family:sans-serif;outline-offset:4px";
  const board = document.createElement("div");
  const message = document.createElement("p");
  message.setAttribute("role", "status");
  message.style.margin = "6px 0";
  const controls = document.createElement("div");
  root.append(board, message, controls);
  el.append(root);

  const send = (content) => model.send(content);
  const button = (text, action) => {
    const made = document.createElement("button");
    made.textContent = text;
    made.style.marginRight = "6px";
    made.onclick = action;
    controls.append(made);
  };
  button("New game, other side", () => send({ do: "new" }));
  button("Take back", () => send({ do: "undo" }));
  button("Play again", () => send({ do: "redo" }));
  const level = document.createElement("label");
  level.textContent = "Level ";
  const number = document.createElement("input");
  Object.assign(number, { type: "number", min: 0, max: 20, value: model.get("level") });
  number.onchange = () => {
    const chosen = Math.min(20, Math.max(0, Math.round(Number(number.value)) || 0));
    number.value = chosen;
    model.set("level", chosen);
    model.save_changes();
  };
  level.append(number);
  const scores = document.createElement("label");
  const box = document.createElement("input");
  Object.assign(box, { type: "checkbox", checked: model.get("show_scores") });
  box.onchange = () => {
    model.set("show_scores", box.checked);
    model.save_changes();
  };
  scores.append(box, " scores");
  controls.append(level, " ", scores);

  const play = (column) => model.get("_is_users_turn") && send({ do: "play", column });
  board.onclick = (event) => {
    const area = board.querySelector("svg").getBoundingClientRect();
    const column = Math.floor((7 * (event.clientX - area.left)) / area.width);
    if (column >= 0 && column < 7) play(column);
  };
  root.onkeydown = (event) => {
    if (event.target !== number && /^[1-7]$/.test(event.key)) play(Number(event.key) - 1);
  };
  const show = () => {
    board.innerHTML = model.get("_svg");
    board.style.cursor = model.get("_is_users_turn") ? "pointer" : "default";
    message.textContent = model.get("_message");
  };
  model.on("change:_svg", show);
  model.on("change:_message", show);
  show();
}

export default { render };
