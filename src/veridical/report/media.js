const dialog = document.getElementById("natural");
const SVG = "http://www.w3.org/2000/svg";

const hasRegions = (medium) => medium.regions !== undefined && medium.width !== undefined;

function place(label, [side, distance], length) {
  label.style[side] = `${(100 * Math.min(Math.max(distance, 0), length)) / length}%`;
}

function overlay(medium) {
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", `0 0 ${medium.width} ${medium.height}`);
  drawing.setAttribute("preserveAspectRatio", "none");
  const node = el("span", "regions", drawing);
  for (const [name, x0, y0, x1, y1, , shade] of medium.regions) {
    const box = document.createElementNS(SVG, "rect");
    if (shade) box.classList.add(shade);
    box.dataset.name = name;
    for (const [key, value] of Object.entries({ x: x0, y: y0, width: x1 - x0, height: y1 - y0 })) box.setAttribute(key, value);
    drawing.append(box);
    const label = foreign("span", shade ? `region ${shade}` : "region", name);
    label.dataset.name = name;
    place(label, x0 + x1 > medium.width ? ["right", medium.width - x1] : ["left", x0], medium.width);
    const above = y0 > 0.15 * medium.height;
    label.classList.toggle("above", above);
    place(label, ["top", above || y1 > 0.85 * medium.height ? y0 : y1], medium.height);
    node.append(label);
  }
  return node;
}

function image(medium, source, caption) {
  const node = el("img");
  node.alt = caption;
  node.loading = "lazy";
  node.decoding = "async";
  if (medium.width) Object.assign(node, { width: medium.width, height: medium.height });
  node.src = source;
  return node;
}

/* Regions are shown over all pictures of the page, or over none. */
function showRegions(shown) {
  document.body.classList.toggle("marked", shown);
  for (const input of document.querySelectorAll(".toggle input")) input.checked = shown;
}

/* What the regions of each shade are. */
function shades(medium) {
  const titles = new Map();
  for (const [, , , , , title, shade] of medium.regions) if (title) titles.set(title, shade);
  return [...titles].map(([title, shade]) => foreign("span", `key ${shade}`, title));
}

/* The regions that open replies to an item are about are lit, and shown even where others are not. */
function light(card) {
  const lit = new Set([...card.querySelectorAll(".reply[open]")].flatMap((reply) => JSON.parse(reply.dataset.lit ?? "[]")));
  for (const node of card.querySelectorAll(".regions [data-name]")) node.classList.toggle("lit", lit.has(node.dataset.name));
  card.classList.toggle("lighting", lit.size > 0);
}

function openNatural(medium, source, caption) {
  const frame = el("div", "frame", image(medium, source, caption));
  if (hasRegions(medium)) frame.append(overlay(medium));
  dialog.querySelector("div").replaceChildren(frame);
  dialog.querySelector("p").textContent = caption;
  dialog.showModal();
}

function picture(medium, source, caption) {
  const button = el("button", "zoom", image(medium, source, caption));
  button.type = "button";
  button.title = "Open in natural size";
  button.addEventListener("click", () => openNatural(medium, source, caption));
  if (!hasRegions(medium)) return [button];
  button.append(overlay(medium));
  const input = el("input");
  input.type = "checkbox";
  input.checked = document.body.classList.contains("marked");
  input.addEventListener("change", () => showRegions(input.checked));
  return [button, el("label", "toggle", input, ` ${plural(medium.regions.length, "region")}`, ...shades(medium))];
}

function clip(medium, source, caption) {
  const video = el("video", "", "This browser does not play the clip.");
  video.controls = true;
  video.preload = "metadata";
  video.playsInline = true;
  if (medium.width) Object.assign(video, { width: medium.width, height: medium.height });
  video.setAttribute("aria-label", caption);
  video.src = source;
  const note = el("p", "placeholder", "This browser does not play the clip.");
  video.addEventListener("error", () => video.replaceWith(note), { once: true });
  return [video];
}

function shownMedium(data, item, index) {
  const medium = item.media[index];
  const caption = [item.variant, item.id, item.own > 1 ? `medium ${index + 1}` : ""].filter(Boolean).join(", ");
  const source = medium.source === undefined ? null : data.sources[medium.source];
  if (source === null) return [foreign("p", "placeholder", medium.note)];
  return (medium.kind === "video" ? clip : picture)(medium, source, caption);
}

function media(data, item) {
  if (!item.own) return el("div", "media", el("p", "placeholder", "Text alone: no picture or clip belongs to this item."));
  const several = item.own > 1;
  const figures = item.media.slice(0, item.own).map((medium, index) => {
    const node = el("figure", "medium", ...shownMedium(data, item, index));
    const note = [several ? `${index + 1}` : "", several || medium.kind === "video" ? medium.what : ""].filter(Boolean);
    if (note.length) node.append(el("figcaption", "small", note.join(" · ")));
    return node;
  });
  return el("div", several ? "media several" : "media", ...figures);
}

function sentMedium(data, item, index) {
  const medium = item.media[index];
  const source = medium.source === undefined ? null : data.sources[medium.source];
  const name = item.media.length > 1 ? `${medium.kind === "video" ? "clip" : "picture"} ${index + 1}` : `the ${medium.kind === "video" ? "clip" : "picture"}`;
  const line = el("p", "sent small");
  if (source !== null && medium.kind === "image") {
    const small = image({}, source, "");
    line.append(small);
  } else line.append(el("span", "", medium.kind === "video" ? "▶" : "▣"));
  line.append(` ${name}`);
  if (index >= item.own && source === null) line.append(foreign("span", "", `: ${medium.note}`));
  return line;
}

document.getElementById("close").addEventListener("click", () => dialog.close());
dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
