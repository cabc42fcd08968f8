// The virtual table: tap a pawn and then a cell, or drag it there. Everything is one command line to the board.

const field = document.getElementById("field");
const hand = document.getElementById("hand");
const status = document.getElementById("status");
const answer = document.getElementById("answer");
const plug = document.getElementById("plug");
const FAULTS = ["noise", "stolen", "lost", "duplicated", "torn", "missed", "silence", "baud"];
const POLL_MS = 400;

// Within the demo's page only what hands move is shown, and called by the words that stand behind its address.
document.body.classList.toggle("framed", window.parent !== window);
const words = new URLSearchParams(location.hash.slice(1));
const word = (name) => words.get(name) ?? name;
document.documentElement.lang = words.get("lang") ?? "en";
if (words.has("field")) field.setAttribute("aria-label", words.get("field"));

const diamond = (size) => `M${-size} 0L0 ${-size} ${size} 0 0 ${size}Z`;

// Around (0, 0) in a square of 64, as on the table's own pages.
const SIGNS = {
  bat: "M-30 0Q-18-17-8-5L-5-12 0-5 5-12 8-5Q18-17 30 0 18-4 12 8 6 2 0 13-6 2-12 8-18-4-30 0Z",
  bullet: "M-8 23V-6Q-8-22 0-27 8-22 8-6V23Z",
  radar: diamond(31) + diamond(24) + diamond(16) + diamond(9),
};

let state = null;
let taken = null; // what the next tap on a cell puts down: {pawn}, {token} or {cellFault}
let drag = null;
let lit = {}; // the pawn that the demo's guide means, and the cell it is to go to

async function send(line) {
  const reply = await fetch("/do", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ line }),
  });
  answer.textContent = (await reply.json()).answer;
  await refresh();
}

async function refresh() {
  try {
    const next = await (await fetch("/state")).json();
    if (JSON.stringify(next) !== JSON.stringify(state)) {
      state = next;
      draw();
    }
  } catch {
    status.textContent = "the virtual board has stopped";
    status.className = "gone";
    state = null;
  }
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function sign(kind) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "token");
  svg.setAttribute("viewBox", "-32 -32 64 64");
  svg.dataset.kind = kind;
  svg.append(document.createElementNS(svg.namespaceURI, "path"));
  svg.firstChild.setAttribute("d", SIGNS[kind]);
  return svg;
}

function pawnButton(pawn) {
  const button = element("button", "pawn", "");
  button.type = "button";
  button.append(element("span", "of", pawn.slice(0, 2)), element("span", "letter", pawn.slice(2)));
  button.setAttribute("aria-label", pawn);
  button.dataset.human = pawn.slice(0, 2);
  button.dataset.pawn = pawn;
  button.setAttribute("aria-pressed", String(taken?.pawn === pawn));
  button.addEventListener("pointerdown", (event) => startDrag(event, pawn));
  return button;
}

function cellBox(cell) {
  const box = element("div", "cell", "");
  box.dataset.cell = cell;
  const [letter, number] = [parseInt(cell[0], 36) - 9, cell.slice(1)];
  box.style.gridArea = cell[0] < "a" ? `${number} / ${letter}` : `${letter} / ${number}`;
  box.tabIndex = 0;
  box.setAttribute("role", "gridcell");
  const standing = Object.keys(state.pawns)
    .filter((pawn) => state.pawns[pawn] === cell)
    .sort();
  box.setAttribute(
    "aria-label",
    [
      cell,
      ...standing,
      state.tokens[cell]
        ? word(state.tokens[cell])
        : state.ground.radars.includes(cell)
          ? word("radar")
          : "",
    ]
      .join(" ")
      .trim(),
  );
  if (state.lamps[cell]) box.dataset.lamp = state.lamps[cell];
  box.classList.toggle("stuck", state.faults.stuck.includes(cell));
  box.classList.toggle("flicker", state.faults.flicker.includes(cell));
  const tile = state.tiles[cell];
  box.append(element("span", "name", tile ? `${cell} · ${tile[0]} ${tile[1]}°` : cell));
  box.append(...standing.map(pawnButton));
  const printed = state.tokens[cell] ?? (state.ground.radars.includes(cell) ? "radar" : null);
  if (printed) box.append(sign(printed));
  for (const wall of state.ground.walls
    .map((name) => name.split("-"))
    .filter((sides) => sides.includes(cell))) {
    box.dataset.walls = [
      box.dataset.walls,
      sideOf(
        cell,
        wall.find((other) => other !== cell),
      ),
    ]
      .filter(Boolean)
      .join(" ");
  }
  return box;
}

/** The side of a cell on which its neighbour lies. */
function sideOf(cell, other) {
  if (cell[0] === other[0]) return other[1] > cell[1] ? "south" : "north";
  return other[0] > cell[0] ? "east" : "west";
}

function draw() {
  const focused = document.activeElement?.dataset ?? {};
  field.replaceChildren();
  field.append(...state.cells.map(cellBox));
  hand.replaceChildren(
    ...Object.keys(state.pawns)
      .filter((pawn) => !state.pawns[pawn])
      .sort()
      .map(pawnButton),
  );
  status.textContent = state.plugged
    ? `${state.kind} board on ${state.port} · start number ${state.starts}`
    : `${state.kind} board, unplugged`;
  status.className = state.plugged ? "" : "gone";
  plug.textContent = state.plugged ? "Unplug" : "Plug in";
  press("[data-fault]", (button) => state.faults[button.dataset.fault]);
  press("[data-token]", (button) => taken?.token === button.dataset.token);
  press("[data-cell-fault]", (button) => taken?.cellFault === button.dataset.cellFault);
  const again = focused.pawn
    ? `[data-pawn="${focused.pawn}"]`
    : focused.cell
      ? `[data-cell="${focused.cell}"]`
      : null;
  if (again) document.querySelector(again)?.focus();
  light();
}

/** Light the pawn that is to be taken, and once it is in the hand its cell. */
function light() {
  const isTaken = lit.pawn && (taken?.pawn === lit.pawn || drag?.pawn === lit.pawn);
  // The game gets the change a moment later.
  const isThere = state?.pawns[lit.pawn] === lit.cell;
  for (const pawn of document.querySelectorAll("[data-pawn]"))
    pawn.classList.toggle("lit", pawn.dataset.pawn === lit.pawn && !isTaken && !isThere);
  for (const cell of document.querySelectorAll("[data-cell]")) {
    const isGoal = cell.dataset.cell === lit.cell && !isThere;
    cell.classList.toggle("lit", isGoal && Boolean(isTaken));
    cell.classList.toggle("goal", isGoal && !isTaken);
  }
}

addEventListener("message", ({ source, data }) => {
  if (source !== window.parent) return;
  lit = data ?? {};
  light();
});

function press(selector, isPressed) {
  for (const button of document.querySelectorAll(selector))
    button.setAttribute("aria-pressed", String(!!isPressed(button)));
}

function take(what) {
  taken = JSON.stringify(taken) === JSON.stringify(what) ? null : what;
  draw();
}

function putOn(cell) {
  const what = taken;
  taken = null;
  if (what?.pawn) return send(`move ${what.pawn} ${cell}`);
  if (what?.token) return send(`token ${cell} ${what.token}`);
  if (what?.cellFault) {
    const on = state.faults[what.cellFault].includes(cell);
    return send(`fault ${what.cellFault} ${cell} ${on ? "off" : "on"}`);
  }
}

function tap(target) {
  const pawn = target.closest?.("[data-pawn]");
  const cell = target.closest?.("[data-cell]");
  if (pawn && (!taken || taken.pawn)) {
    // A second pawn's cell is a place to go to, too; the pawn itself, tapped again, is let go.
    if (!taken || taken.pawn === pawn.dataset.pawn || !cell)
      return take({ pawn: pawn.dataset.pawn });
  }
  if (cell) return putOn(cell.dataset.cell);
  if (target.closest?.("#hand") && taken?.pawn) {
    const lifted = taken.pawn;
    taken = null;
    return send(`lift ${lifted}`);
  }
}

function startDrag(event, pawn) {
  drag = { pawn, x: event.clientX, y: event.clientY, moved: false };
}

document.addEventListener("pointermove", (event) => {
  if (!drag) return;
  drag.moved ||= Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 8;
  if (drag.moved) light();
  for (const box of document.querySelectorAll(".over")) box.classList.remove("over");
  if (drag.moved)
    document
      .elementFromPoint(event.clientX, event.clientY)
      ?.closest(".cell, .hand")
      ?.classList.add("over");
});

document.addEventListener("pointerup", (event) => {
  const ended = drag;
  drag = null;
  if (!ended?.moved) return;
  const target = document.elementFromPoint(event.clientX, event.clientY);
  const cell = target?.closest("[data-cell]");
  taken = null;
  dropped = true;
  setTimeout(() => {
    dropped = false;
  }, 0);
  if (cell) send(`move ${ended.pawn} ${cell.dataset.cell}`);
  else if (target?.closest("#hand")) send(`lift ${ended.pawn}`);
  else draw();
});
document.addEventListener("pointercancel", () => {
  drag = null;
});

let dropped = false; // the click that a browser sends after a drag is no tap

for (const place of [field, hand]) {
  place.addEventListener("click", (event) => {
    if (!dropped) tap(event.target);
  });
  place.addEventListener("keydown", (event) => {
    if ((event.key === "Enter" || event.key === " ") && !event.target.closest("button")) {
      event.preventDefault();
      tap(event.target);
    }
  });
}

for (const fault of FAULTS) {
  const button = element("button", "", fault);
  button.type = "button";
  button.dataset.fault = fault;
  button.addEventListener("click", () =>
    send(`fault ${fault} ${state.faults[fault] ? "off" : "on"}`),
  );
  document.getElementById("faults").append(button);
}
for (const button of document.querySelectorAll("[data-token]"))
  button.addEventListener("click", () => take({ token: button.dataset.token }));
for (const button of document.querySelectorAll("[data-cell-fault]"))
  button.addEventListener("click", () => take({ cellFault: button.dataset.cellFault }));
for (const button of document.querySelectorAll("[data-line]"))
  button.addEventListener("click", () => send(button.dataset.line));
plug.addEventListener("click", () => send(state.plugged ? "unplug" : "replug"));
document.getElementById("command").addEventListener("submit", (event) => {
  event.preventDefault();
  const line = document.getElementById("line");
  send(line.value);
  line.value = "";
});

await refresh();
setInterval(refresh, POLL_MS);
