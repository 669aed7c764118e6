const EVERY = 1000;
const words = { right: "right", wrong: "wrong", failed: "no answer", open: "answered" };

function fact(name, value) {
  return el("div", "", el("dt", "", name), el("dd", "", value));
}

function amount(n) {
  return n.toLocaleString("en");
}

function stage(each) {
  const bar = el("progress");
  bar.max = Math.max(each.planned, 1);
  bar.value = Math.min(each.done, each.planned);
  bar.setAttribute("aria-label", `${each.name}: ${each.done} of ${each.planned}`);
  const facts = el("dl", "");
  facts.append(...Object.entries(each.statuses).map(([status, count]) => fact(status, amount(count))));
  if (each.marked) facts.append(fact("right", `${amount(each.correct)} of ${amount(each.marked)}`));
  if (each.before) facts.append(fact("earlier starts", amount(each.before)));
  facts.append(fact("rate", `${each.rate.toFixed(1)}/s`));
  if (each.left) facts.append(fact("left", `about ${each.left}`));
  facts.append(fact("tokens in", amount(each.tokens_in)), fact("tokens out", amount(each.tokens_out)));
  if (each.usd !== null) facts.append(fact("cost", `$${each.usd.toFixed(each.usd < 1 ? 4 : 2)}`));
  const heading = el("h3", "", foreign("span", "", each.name), el("span", "", `${amount(each.done)} of ${amount(each.planned)}`));
  return el("div", "stage", heading, bar, facts);
}

function picture(address) {
  const image = el("img");
  image.src = address;
  image.alt = "What was shown";
  image.loading = "lazy";
  return image;
}

function reply(each) {
  const kind = verdict(each);
  const said = el("div", "said");
  const state = el("span", kind, kind === "failed" ? each.status : words[kind]);
  const answer = each.answer === null ? null : foreign("span", "", `answer: ${each.answer}`);
  said.append(el("p", "head", state, answer, foreign("span", "", each.stage), foreign("span", "", each.trial)));
  said.append(foreign("p", "text small", each.question), foreign("p", "text", each.reply));
  const node = el("li", "reply", el("div", "shown", ...each.media.map(picture)), said);
  node.dataset.serial = each.serial;
  return node;
}

function show(state) {
  const left = state.stages.reduce((sum, each) => sum + Math.max(0, each.planned - each.done), 0);
  const told = state.stages.length ? `The run goes on: ${amount(left)} to come.` : "Waiting for the first reply.";
  document.getElementById("standing").textContent = told;
  document.getElementById("stages").replaceChildren(...state.stages.map(stage));
  const list = document.getElementById("latest");
  document.getElementById("none").hidden = state.latest.length > 0;
  const kept = new Map([...list.children].map((node) => [node.dataset.serial, node]));
  list.replaceChildren(...state.latest.map((each) => kept.get(String(each.serial)) ?? reply(each)));
}

async function follow() {
  try {
    const answer = await fetch("state.json", { cache: "no-store" });
    show(await answer.json());
    setTimeout(follow, EVERY);
  } catch {
    const standing = document.getElementById("standing");
    standing.textContent = "The run has ended, or was stopped. This page shows how it stood last; the run's folder has everything.";
    standing.className = "ended";
  }
}

follow();
