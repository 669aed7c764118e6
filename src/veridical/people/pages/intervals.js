// Times on a clip, marked to the frame: from when a first frame is shown until the display of a last one ends.

import { attributed, button, element, seconds, Widget } from "./dom.js";

export class IntervalsWidget extends Widget {
  keys = [
    [["i", "o"], "begin at this frame, end with this frame"],
    [["[", "]"], "begin a frame earlier, later"],
    [["{", "}"], "end a frame earlier, later"],
    [["l"], "play the chosen time again and again"],
    [["Delete"], "delete the chosen time"],
  ];
  #spans = []; // [first frame, last frame], both shown
  #chosen = -1;
  #begun = null;

  constructor(field, player, { changed }) {
    super();
    Object.assign(this, { field, player, changed });
    this.list = element("ul", "spans");
    this.line = attributed(element("p", "hint"), { role: "status" });
    const acts = [
      ["Begin here", "i", () => this.#begin()],
      ["End here", "o", () => this.#end()],
      ["Begin earlier", "[", () => this.#nudge(0, -1)],
      ["Begin later", "]", () => this.#nudge(0, 1)],
      ["End earlier", "{", () => this.#nudge(1, -1)],
      ["End later", "}", () => this.#nudge(1, 1)],
      ["Loop", "l", () => this.#loop()],
      ["Delete", "Del", () => this.#remove()],
    ];
    this.acts = new Map([...acts.map(([, key, act]) => [key, act]), ["Delete", () => this.#remove()]]);
    const buttons = acts.map(([label, key, act]) => button(label, key, act));
    this.node = element("div", "intervals", element("div", "controls", ...buttons), this.line, this.list);
    this.player.track.after((this.marks = element("div", "marks")));
    this.#draw();
  }

  #begin() {
    this.#begun = this.player.frame;
    this.#draw();
  }

  /* Ends what was begun; where nothing was, the chosen time ends here. */
  #end() {
    const here = this.player.frame;
    const chosen = this.#spans[this.#chosen];
    const first = this.#begun ?? chosen?.[0];
    if (first === undefined) return this.#say("Begin first: i marks the first frame.");
    if (here < first) return this.#say("It must end at or after the frame at which it begins.");
    if (this.#begun === null) chosen[1] = here;
    else if (!this.#add([first, here])) return this.#say(`At most ${this.field.most} are allowed: delete one first.`);
    this.#begun = null;
    this.#changed();
  }

  #add(span) {
    if (this.field.most === 1) this.#spans = [];
    if (this.#spans.length >= this.field.most) return false;
    this.#spans.push(span);
    this.#spans.sort((one, other) => one[0] - other[0]);
    this.#chosen = this.#spans.indexOf(span);
    return true;
  }

  #nudge(edge, by) {
    const span = this.#spans[this.#chosen];
    if (!span) return this.#say("Mark a time first.");
    const moved = span.with(edge, span[edge] + by);
    if (moved[0] < 0 || moved[1] >= this.player.count || moved[0] > moved[1]) return;
    Object.assign(span, moved);
    this.player.pause();
    this.player.show(moved[edge]);
    this.#changed();
  }

  #loop() {
    const span = this.#spans[this.#chosen];
    if (span) this.player.loop(...span);
  }

  #remove() {
    if (this.#begun === null) this.#spans.splice(this.#chosen, this.#chosen < 0 ? 0 : 1);
    this.#begun = null;
    this.#chosen = Math.min(this.#chosen, this.#spans.length - 1);
    this.#changed();
  }

  #select(place) {
    this.#chosen = place;
    this.player.pause();
    this.player.show(this.#spans[place][0]);
    this.#draw();
  }

  #changed() {
    this.#draw();
    this.changed();
  }

  #say(sentence) {
    this.line.textContent = sentence;
  }

  #draw() {
    const most = this.field.most === 1 ? "" : ` (${this.#spans.length} of at most ${this.field.most})`;
    this.#say(this.#begun === null ? `Times marked${most}:` : `Begun at frame ${this.#begun + 1}: o ends it.`);
    const focused = this.list.contains(document.activeElement);
    this.list.replaceChildren(...this.#spans.map((span, place) => this.#row(span, place)));
    if (focused) this.list.children[this.#chosen]?.firstChild.focus();
    const begun = this.#begun === null ? [] : [[this.#begun, this.#begun]];
    this.marks.replaceChildren(...[...this.#spans, ...begun].map((span, place) => this.#bar(span, place)));
  }

  #row(span, place) {
    const [start, end] = this.#stated(span);
    const row = button(`${seconds(start)} to ${seconds(end)} s, frames ${span[0] + 1} to ${span[1] + 1}`, "", () => this.#select(place));
    row.setAttribute("aria-pressed", place === this.#chosen);
    return element("li", "", row);
  }

  #bar(span, place) {
    const [start, end] = this.#stated(span);
    const bar = element("span", place === this.#chosen ? "chosen" : "");
    bar.style.left = this.player.share(start);
    bar.style.width = this.player.share(end - start);
    return bar;
  }

  #stated([first, last]) {
    return [this.player.times[first], this.player.endOf(last)];
  }

  key(event) {
    const act = this.acts.get(event.key);
    if (!act) return false;
    if (!event.repeat || "[]{}".includes(event.key)) act();
    return true;
  }

  value() {
    return this.#spans.map((span) => this.#stated(span));
  }

  set(value) {
    const { player } = this;
    // Whatever display ends at the end of the interval was its last.
    const last = (end) => Math.max(player.frameAt(end - 1e-4), 0);
    this.#spans = (value ?? []).map(([start, end]) => [player.frameAt(start + 1e-4), last(end)]);
    this.#chosen = this.#spans.length - 1;
    this.#draw();
  }

  problem() {
    return this.#begun === null ? null : "A time was begun and not ended.";
  }

  wording(value) {
    return value.map((each) => `${each.map(seconds).join(" to ")} s`).join(", ") || "none";
  }

  focus() {
    this.player.track.focus();
  }
}
