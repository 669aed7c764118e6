// Time from the first painted frame to the answer; time in which the tab is hidden does not count.

export class ResponseClock {
  #passed = 0;
  #since = null;
  #started = false;
  #listening = new AbortController();

  constructor() {
    document.addEventListener("visibilitychange", () => this.#turn(), { signal: this.#listening.signal });
  }

  start() {
    this.#started = true;
    this.#turn();
  }

  #turn() {
    const now = performance.now();
    if (this.#since !== null) this.#passed += now - this.#since;
    this.#since = this.#started && !document.hidden ? now : null;
  }

  /* Seconds until now; null where nothing was painted yet. */
  seconds() {
    this.#turn();
    return this.#started ? Math.round(this.#passed) / 1000 : null;
  }

  stop() {
    this.#listening.abort();
  }
}
