// Boxes on a picture, or on frames of a clip: stated at some frames, and moving evenly between them.

import { attributed, button, element, foreign, Widget } from "./dom.js";

const STEP = 0.01;
const LEAST = 0.005;
const NEW = [0.4, 0.4, 0.6, 0.6];
const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const rounded = (box) => box.map((each) => Math.round(each * 1e4) / 1e4);
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/* The box at a frame: as stated there, between its neighbors, or as at the nearest frame that states one. */
function boxAt(byFrame, frame) {
  const stated = Object.keys(byFrame).map(Number).sort((one, other) => one - other);
  const before = stated.findLast((each) => each <= frame);
  const after = stated.find((each) => each >= frame);
  if (before === undefined || after === undefined || before === after) return byFrame[before ?? after];
  const share = (frame - before) / (after - before);
  return byFrame[before].map((edge, place) => edge + share * (byFrame[after][place] - edge));
}

function moved([left, top, right, bottom], across, down) {
  const x = clamp(across, -left, 1 - right);
  const y = clamp(down, -top, 1 - bottom);
  return [left + x, top + y, right + x, bottom + y];
}

function resized([left, top, right, bottom], across, down) {
  return [left, top, clamp(right + across, left + STEP, 1), clamp(bottom + down, top + STEP, 1)];
}

export class BoxesWidget extends Widget {
  #boxes = {}; // name → frame → edges
  #chosen = 0;
  #drag = null;

  constructor(field, surface, player, { changed }) {
    super();
    Object.assign(this, { field, surface, player, changed });
    this.names = field.names.map((name, place) => {
      const choice = button("", "", () => this.#choose(place), "name");
      choice.firstChild.textContent = name;
      choice.firstChild.dir = "auto";
      choice.addEventListener("focus", () => this.#choose(place));
      return choice;
    });
    const acts = [button("New box", "n", () => this.#add()), button("Delete", "Del", () => this.#remove(false))];
    if (player) acts.push(button("Delete on all frames", "Shift Del", () => this.#remove(true)));
    this.line = attributed(element("p", "hint"), { role: "status" });
    this.node = element("div", "boxes", element("div", "controls", ...this.names, ...acts), this.line);
    this.area = element("div", "area");
    surface.append(this.area);
    this.#listen();
    player?.watch(() => this.#draw());
    this.#draw();
  }

  get keys() {
    const rows = [
      [["n"], "new box in the middle"],
      [["Tab"], "go to the next box"],
      [["← ↑ → ↓"], "move the box"],
      [["Shift ← ↑ → ↓"], "change its size"],
      [["Delete"], this.player ? "delete the box at this frame" : "delete the box"],
    ];
    return this.player ? [...rows, [["Shift Delete"], "delete the box on all frames"]] : rows;
  }

  get #frame() {
    return this.player ? this.player.frame : 0;
  }

  get #name() {
    return this.field.names[this.#chosen];
  }

  #at(name) {
    return this.#boxes[name] && boxAt(this.#boxes[name], this.#frame);
  }

  #choose(place) {
    this.#chosen = place;
    this.#draw();
  }

  #put(box) {
    this.player?.pause();
    (this.#boxes[this.#name] ??= {})[this.#frame] = rounded(box);
    this.#draw();
    this.changed();
  }

  #add() {
    this.#put(NEW);
    this.names[this.#chosen].focus();
  }

  #remove(everywhere) {
    const own = this.#boxes[this.#name] ?? {};
    delete own[this.#frame];
    if (everywhere || !Object.keys(own).length) delete this.#boxes[this.#name];
    this.#draw();
    this.changed();
  }

  #draw() {
    this.area.replaceChildren();
    this.field.names.forEach((name, place) => {
      this.names[place].setAttribute("aria-pressed", place === this.#chosen);
      const box = this.#at(name);
      if (box) this.area.append(this.#drawn(name, place, box));
    });
    const box = this.#at(this.#name);
    const stated = this.#boxes[this.#name]?.[this.#frame];
    const edges = box && box.map((edge) => `${Math.round(100 * edge)} %`).join(", ");
    const how = !this.player || stated ? "" : " (between frames that you marked)";
    this.line.textContent = box ? `Left, top, right, bottom: ${edges}${how}` : "Draw on the picture, or press n.";
  }

  #drawn(name, place, [left, top, right, bottom]) {
    const stated = this.#boxes[name][this.#frame];
    const label = foreign("span", "", name);
    const node = element("div", `box hue-${place % 4}`, label, element("span", "corner"));
    node.classList.toggle("chosen", place === this.#chosen);
    node.classList.toggle("between", !stated);
    const share = (value) => `${100 * value}%`;
    Object.assign(node.style, { left: share(left), top: share(top), width: share(right - left), height: share(bottom - top) });
    node.dataset.place = place;
    return node;
  }

  #listen() {
    const point = (event) => {
      const { left, top, width, height } = this.area.getBoundingClientRect();
      return [clamp((event.clientX - left) / width, 0, 1), clamp((event.clientY - top) / height, 0, 1)];
    };
    this.area.addEventListener("pointerdown", (event) => {
      const node = event.target.closest(".box");
      if (node) this.#choose(Number(node.dataset.place));
      this.#drag = { from: point(event), box: node && this.#at(this.#name), corner: event.target.matches(".corner") };
      this.area.setPointerCapture(event.pointerId);
      event.preventDefault();
      this.names[this.#chosen].focus();
    });
    this.area.addEventListener("pointermove", (event) => this.#drag && this.#dragTo(point(event)));
    for (const end of ["pointerup", "pointercancel"]) this.area.addEventListener(end, () => (this.#drag = null));
  }

  #dragTo([x, y]) {
    const { from, box, corner } = this.#drag;
    const [across, down] = [x - from[0], y - from[1]];
    if (box) return this.#put((corner ? resized : moved)(box, across, down));
    if (Math.abs(across) < LEAST || Math.abs(down) < LEAST) return;
    this.#put([Math.min(x, from[0]), Math.min(y, from[1]), Math.max(x, from[0]), Math.max(y, from[1])]);
  }

  key(event) {
    const move = MOVES[event.key];
    const box = this.#at(this.#name);
    if (move && box && this.node.contains(document.activeElement)) {
      const [across, down] = move.map((each) => each * STEP);
      this.#put((event.shiftKey ? resized : moved)(box, across, down));
      return true;
    }
    if (event.key === "n" && !event.repeat) this.#add();
    else if (event.key === "Delete" && this.node.contains(document.activeElement)) this.#remove(event.shiftKey);
    else return false;
    return true;
  }

  value() {
    return this.#boxes;
  }

  set(value) {
    this.#boxes = structuredClone(value ?? {});
    this.#draw();
  }

  wording(value) {
    return Object.keys(value).join(", ") || "none";
  }

  focus() {
    this.names[0]?.focus();
  }
}
