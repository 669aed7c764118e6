/* Each figure as a file: SVG as it is drawn, PNG at three times its size. */
const PIXELS_PER_UNIT = 3;

function svgText(svg) {
  const copy = svg.cloneNode(true);
  const { width, height } = svg.viewBox.baseVal;
  copy.removeAttribute("style");
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  return new XMLSerializer().serializeToString(copy);
}

function save(blob, name) {
  const link = el("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

async function png(svg) {
  const { width, height } = svg.viewBox.baseVal;
  const drawn = new Image();
  drawn.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svgText(svg));
  await drawn.decode();
  const canvas = el("canvas");
  canvas.width = Math.round(width * PIXELS_PER_UNIT);
  canvas.height = Math.round(height * PIXELS_PER_UNIT);
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(drawn, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

for (const figure of document.querySelectorAll("figure[data-name]")) {
  const svg = figure.querySelector("svg");
  const name = figure.dataset.name;
  const title = figure.querySelector("figcaption").firstChild.textContent;
  const button = (kind, make) => {
    const node = el("button", "save", kind);
    node.type = "button";
    node.setAttribute("aria-label", `Save “${title}” as ${kind}`);
    node.addEventListener("click", async () => save(await make(), `${name}.${kind.toLowerCase()}`));
    return node;
  };
  const asSvg = () => new Blob([svgText(svg)], { type: "image/svg+xml" });
  figure.append(el("p", "saves", button("SVG", asSvg), button("PNG", () => png(svg))));
}
