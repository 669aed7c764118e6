// A clip shown by its frames, at their exact times: browsers do not seek to a frame exactly.

import { attributed, button, element, seconds, size } from "./dom.js";
import { captionLine, playerKey, speedButtons } from "./clips.js";
import { framePath, loadedImage } from "./media.js";

const AT_ONCE = 4;
const SAME_TIME = 1e-6; // ticks of a busy machine add up to the end of a frame, but for rounding
const LONGEST_TICK = 0.2;

export class FramePlayer {
  keys = [
    [["Space", "k"], "play or pause"],
    [[",", "."], "a frame back, a frame on"],
    [["−", "+"], "slower, faster"],
  ];
  frame = 0;
  #playing = null;
  #looped = null;
  #images = [];
  #watchers = [];

  constructor(block) {
    Object.assign(this, { block, times: block.times, count: block.times.length });
    this.canvas = element("canvas");
    Object.assign(this.canvas, { width: block.width, height: block.height });
    attributed(this.canvas, { role: "img", "aria-label": "Frame of the clip" });
    this.surface = element("div", "surface", this.canvas);
    size(this.surface, block);
    this.captions = captionLine(block.captions);
    this.speeds = speedButtons((speed) => (this.speed = speed));
    this.place = element("p", "place");
    this.play = button("Play", "k", () => this.toggle());
    const steps = [button("Frame back", ",", () => this.step(-1)), button("Frame on", ".", () => this.step(1))];
    const controls = element("div", "controls", this.play, ...steps, this.speeds.node, this.place);
    this.node = element("figure", "medium", this.surface, this.captions.node, this.#timeline(), controls);
    this.ready = this.#load(0).then(() => this.show(0));
    this.ready.then(() => this.#loadAll()).catch(() => null);
  }

  #timeline() {
    this.head = element("span", "head");
    this.track = element("div", "timeline", this.head);
    const range = { "aria-valuemin": 1, "aria-valuemax": this.count };
    attributed(this.track, { tabindex: 0, role: "slider", "aria-label": "Frame", ...range });
    const seek = (event) => {
      const { left, width } = this.track.getBoundingClientRect();
      this.pause();
      this.show(this.frameAt(((event.clientX - left) / width) * this.block.seconds));
    };
    this.track.addEventListener("pointerdown", (event) => {
      this.track.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.track.addEventListener("pointermove", (event) => event.buttons && seek(event));
    return this.track;
  }

  async #load(frame) {
    this.#images[frame] ??= await loadedImage(framePath(this.block.medium, frame));
  }

  /* The frames in order; those of an item that has gone are not asked for. */
  async #loadAll() {
    let next = 1;
    const worker = async () => {
      while (next < this.count && this.node.isConnected) await this.#load(next++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  watch(changed) {
    this.#watchers.push(changed);
  }

  /* When the display of a frame ends, in seconds. */
  endOf(frame) {
    return this.times[frame + 1] ?? this.block.seconds;
  }

  /* The frame on display at a time. */
  frameAt(time) {
    const after = this.times.findIndex((each) => each > time + SAME_TIME);
    return after < 0 ? this.count - 1 : Math.max(after - 1, 0);
  }

  share(time) {
    return `${(100 * time) / this.block.seconds}%`;
  }

  async show(frame) {
    this.frame = Math.min(Math.max(frame, 0), this.count - 1);
    const time = this.times[this.frame];
    this.head.style.left = this.share(time);
    const spoken = `frame ${this.frame + 1}, ${seconds(time)} seconds`;
    attributed(this.track, { "aria-valuenow": this.frame + 1, "aria-valuetext": spoken });
    this.place.textContent = `Frame ${this.frame + 1} of ${this.count} · ${seconds(time)} s`;
    this.captions.at(time);
    for (const changed of this.#watchers) changed();
    const shown = this.frame;
    await this.#load(shown).catch(() => null); // the next step asks again
    if (this.frame === shown && this.#images[shown]) this.canvas.getContext("2d").drawImage(this.#images[shown], 0, 0, this.canvas.width, this.canvas.height);
  }

  step(count) {
    this.pause();
    this.show(this.frame + count);
  }

  toggle() {
    if (this.#playing) this.pause();
    else this.#start();
  }

  pause() {
    this.#playing = null;
    this.#looped = null;
    this.play.firstChild.textContent = "Play";
  }

  loop(first, last) {
    this.pause();
    this.#looped = [first, last];
    this.show(first);
    this.#start();
  }

  #start() {
    if (this.frame === this.count - 1) this.show(0);
    const playing = (this.#playing = {}); // what was started before and stopped since ticks no more
    this.play.firstChild.textContent = "Pause";
    let [time, before] = [this.times[this.frame], null];
    const tick = (now) => {
      if (this.#playing !== playing || !this.node.isConnected) return;
      time += Math.min((now - (before ?? now)) / 1000, LONGEST_TICK) * this.speed;
      before = now;
      time = this.#advance(time);
      if (this.#playing === playing) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  /* Shows the frame of a time; playing waits for a frame that is not here yet, and ends with the clip. */
  #advance(time) {
    const [first, last] = this.#looped ?? [0, this.count - 1];
    if (time >= this.endOf(last) - SAME_TIME) {
      if (this.#looped) time = this.times[first];
      else this.pause();
    }
    const frame = this.frameAt(time);
    if (!this.#images[frame]) return this.times[frame];
    if (frame !== this.frame) this.show(frame);
    return time;
  }

  key(event) {
    const steps = { ",": -1, ".": 1, ArrowLeft: -1, ArrowRight: 1 };
    if (!(event.key in steps)) return playerKey(this, event);
    if (event.key.startsWith("Arrow") && event.target.matches?.("input, video")) return false;
    this.step(steps[event.key]);
    return true;
  }
}
