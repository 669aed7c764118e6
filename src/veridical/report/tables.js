/* Tables that sort: by a click on a head, or by Enter or Space on it. */
const cellText = (row, place) => row.cells[place]?.firstChild?.textContent.trim() ?? "";

/* What a cell holds as a number, or NaN: "91.7 %", "−12.3 pts", "1,512". */
const numeric = (text) => Number.parseFloat(text.replace("\u2212", "-").replace("+", "").replaceAll(",", ""));

function compare(a, b, down) {
  const [x, y] = [numeric(a), numeric(b)];
  const missing = (text) => text === "" || text === "–";
  if (missing(a) || missing(b)) return missing(a) - missing(b);
  const order = Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b, "en", { numeric: true }) : x - y;
  return down ? -order : order;
}

function sortBy(table, head) {
  const down = head.getAttribute("aria-sort") ? head.getAttribute("aria-sort") === "ascending" : head.classList.contains("numeric");
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  for (const body of table.tBodies) {
    const rows = [...body.rows].map((row) => [cellText(row, head.cellIndex), row]);
    rows.sort(([a], [b]) => compare(a, b, down));
    body.append(...rows.map(([, row]) => row));
  }
}

for (const table of document.querySelectorAll("table.sortable"))
  for (const head of table.tHead.rows[0].cells) {
    if ("unsorted" in head.dataset) continue;
    const button = el("button", "sort", ...[...head.childNodes].filter((node) => node.className === undefined));
    button.type = "button";
    button.addEventListener("click", () => sortBy(table, head));
    head.prepend(button);
  }

addEventListener("beforeprint", () => {
  for (const node of document.querySelectorAll("details.cases")) node.open = true;
});
