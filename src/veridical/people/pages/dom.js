// Elements whose text stays text: nothing that people, models or data sets wrote is ever parsed.

export function element(tag, className = "", ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children.filter((child) => child !== null));
  return node;
}

export function foreign(tag, className, text) {
  const node = element(tag, className, text);
  node.dir = "auto";
  return node;
}

/* An element with these attributes. */
export function attributed(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

export function button(label, key, act, className = "") {
  const node = element("button", className, element("span", "", label), key ? keyCap(key) : null);
  node.type = "button";
  node.addEventListener("click", act);
  return node;
}

/* The sign of a key; readers of the screen hear the label alone. */
export function keyCap(key) {
  return attributed(element("kbd", "", key), { "aria-hidden": "true" });
}

export function keyList(rows) {
  const list = element("dl", "keys");
  for (const [keys, meaning] of rows)
    list.append(element("dt", "", ...keys.map((key) => element("kbd", "", key))), element("dd", "", meaning));
  return list;
}

/* What every field does unless its own class says otherwise. */
export class Widget {
  get keys() {
    return [];
  }

  key() {
    return false;
  }

  problem() {
    return null;
  }

  wording(value) {
    return value;
  }

  focus() {
    this.input.focus();
  }
}

/* What is drawn now is on the screen after two frames; a hidden tab draws none. */
export function painted() {
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}

/* A small medium is shown larger, and none is wider or taller than the page has room for. */
export function size(node, { width, height }) {
  node.style.width = `min(100%, max(${width}px, 30rem), calc(var(--tallest) * ${width / height}))`;
}

export const isTyping = (node) => node.matches?.("textarea, input:not([type=radio], [type=checkbox], [type=range])") ?? false;

export const isControl = (node) => node.matches?.("button, a, summary, select, input, textarea, video") ?? false;

export const seconds = (value) => value.toFixed(2);
