// A clip that is played as it is, and the words that are spoken over it.

import { attributed, button, element, foreign, isControl, painted, seconds, size } from "./dom.js";
import { mediumPath, source } from "./media.js";

const SPEEDS = [0.1, 0.25, 0.5, 1];

/* The line of words over a clip, kept in step by `at` with its time in seconds. */
export function captionLine(captions) {
  const words = foreign("p", "caption", "");
  words.hidden = !captions.length;
  const at = (time) => {
    const spoken = captions.filter(({ start, end }) => start <= time && time < end).map(({ text }) => text);
    const text = spoken.join("\n");
    if (words.textContent !== text) words.textContent = text;
  };
  at(0);
  return { node: words, at };
}

/* Buttons for the speeds; `slower` and `faster` are for keys. */
export function speedButtons(set) {
  let chosen = SPEEDS.length - 1;
  const choose = (index) => {
    chosen = Math.min(Math.max(index, 0), SPEEDS.length - 1);
    buttons.forEach((each, place) => each.setAttribute("aria-pressed", place === chosen));
    set(SPEEDS[chosen]);
  };
  const buttons = SPEEDS.map((speed, index) => button(`${speed}×`, "", () => choose(index)));
  const node = attributed(element("div", "speeds", ...buttons), { role: "group", "aria-label": "Speed" });
  choose(chosen);
  return { node, slower: () => choose(chosen - 1), faster: () => choose(chosen + 1) };
}

/* What a key does to a player: the same for clips and for their frames. */
export function playerKey(player, event) {
  const acts = { k: () => player.toggle(), "-": player.speeds.slower, "+": player.speeds.faster, "=": player.speeds.faster };
  if (event.key === " " && !isControl(event.target)) acts[" "] = acts.k;
  const act = acts[event.key];
  if (!act) return false;
  if (!event.repeat) act();
  return true;
}

export class ClipPlayer {
  keys = [
    [["Space", "k"], "play or pause the clip"],
    [["−", "+"], "slower, faster"],
  ];

  constructor(block) {
    this.video = attributed(element("video"), { "aria-label": "Clip" });
    size(this.video, block);
    Object.assign(this.video, { width: block.width, height: block.height, playsInline: true, preload: "auto" });
    this.captions = captionLine(block.captions);
    this.speeds = speedButtons((speed) => (this.video.playbackRate = speed));
    this.play = button("Play", "k", () => this.toggle());
    this.place = element("p", "place");
    const controls = element("div", "controls", this.play, this.speeds.node, this.place);
    this.node = element("figure", "medium", this.video, this.captions.node, this.#seeker(block.seconds), controls);
    for (const moment of ["timeupdate", "seeked", "play", "pause", "loadeddata"]) this.video.addEventListener(moment, () => this.#now());
    this.video.addEventListener("play", () => this.#follow());
    this.ready = this.#load(block.medium);
  }

  /* The browser's own controls would cover a part of the picture. */
  #seeker(duration) {
    this.seek = attributed(element("input", "seek"), { "aria-label": "Time" });
    Object.assign(this.seek, { type: "range", min: 0, max: duration, step: 0.01, value: 0 });
    this.seek.addEventListener("input", () => (this.video.currentTime = this.seek.valueAsNumber));
    return this.seek;
  }

  async #load(name) {
    const url = await source(mediumPath(name));
    await new Promise((done, fail) => {
      this.video.addEventListener("loadeddata", done, { once: true });
      this.video.addEventListener("error", () => fail(new Error("This browser does not play the clip.")), { once: true });
      this.video.src = url;
    });
  }

  #now() {
    const { currentTime: time, paused } = this.video;
    this.captions.at(time);
    this.seek.value = time;
    this.place.textContent = `${seconds(time)} of ${seconds(Number(this.seek.max))} s`;
    this.play.firstChild.textContent = paused ? "Play" : "Pause";
  }

  async #follow() {
    while (!this.video.paused && this.video.isConnected) {
      this.#now();
      await painted();
    }
  }

  /* A clip that is alone plays as soon as it can, for those who do not ask for still pages. */
  begin() {
    this.video.autoplay = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  toggle() {
    if (this.video.paused) this.video.play().catch(() => null);
    else this.video.pause();
  }

  key(event) {
    return playerKey(this, event);
  }
}
