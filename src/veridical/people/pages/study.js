// The page of a person in a study: which screen is shown, and what happens between them.

import { isMarked } from "./blocks.js";
import { ResponseClock } from "./clock.js";
import { button, element, foreign, isControl, keyList } from "./dom.js";
import { ItemForm } from "./form.js";
import { preload, release } from "./media.js";
import { ask, firstTime, keptVotes, newKey, Refusal, sendVote } from "./server.js";

const OVERTAKEN = "You answered this question in another tab: that answer counts.";
const main = document.getElementById("screen");
const notice = document.getElementById("notice");
const progress = document.getElementById("progress");
const bar = document.getElementById("bar");
const dialog = document.getElementById("help");
const { instructions } = document.body.dataset;

let onKey = () => false;
let clock = null;
let turn = 0;
let screens = 0;
let answered = null;

function notify(sentence) {
  notice.textContent = sentence;
  notice.hidden = !sentence;
}

/* Runs what leads to another screen; what a newer call has overtaken is dropped, and a refusal is one sentence. */
async function lead(step) {
  const own = ++turn;
  main.inert = true;
  try {
    const screen = await step();
    if (own === turn) show(screen);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (own === turn) notify(error.message);
    main.inert = false;
    main.focus({ preventScroll: true });
  } finally {
    if (own === turn) main.inert = false;
  }
}

function put(node, keyed) {
  clock?.stop();
  clock = null;
  onKey = keyed;
  main.replaceChildren(node);
  main.inert = false;
  main.dataset.screen = ++screens;
  delete main.dataset.painted;
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
}

/* A page of text that a key leads on from. */
function pause(title, text, label, proceed, ...more) {
  const paragraph = foreign("p", "", text);
  const buttons = element("div", "buttons", button(label, "Enter", proceed, "primary"), ...more);
  const keyed = (event) => {
    if (!["Enter", " "].includes(event.key) || isControl(event.target)) return false;
    if (!event.repeat) proceed();
    return true;
  };
  put(element("article", "text", element("h2", "", title), paragraph, buttons), keyed);
  return paragraph;
}

function show(screen) {
  const { done, total, then = [], break_every: every } = screen;
  notify(screen.stored === "overtaken" ? OVERTAKEN : "");
  const due = every > 0 && answered !== null && done > answered && done % every === 0 && !screen.again;
  answered = done;
  progress.textContent = screen.again ? "An earlier question" : `${done} of ${total} done`;
  Object.assign(bar, { max: total || 1, value: done });
  if (screen.state === "consent") return showConsent(screen);
  if (screen.state === "done") return showDone(screen);
  preload(then, isMarked(screen.fields));
  if (firstTime("instructions")) return showInstructions(screen);
  if (due) return pause("Time for a break", `${done} of ${total} are done. Go on when you are ready.`, "Go on", () => showItem(screen));
  return showItem(screen);
}

function showConsent(screen) {
  pause("Before you begin", screen.consent, "I agree", () => lead(() => ask("consent", { body: {} })));
}

function showInstructions(screen) {
  const first = new ItemForm(screen, {});
  pause("What to do", instructions, "Begin", () => showItem(screen)).after(element("h3", "", "Keys"), keyList(first.keys));
}

function showDone(screen) {
  const { previous } = screen;
  const text = screen.total ? "You have answered all questions. Thank you! You can close this page." : "There is nothing for you to answer.";
  const back = previous ? button("Back", "b", () => lead(() => earlier(previous))) : null;
  const keyed = (event) => Boolean(previous && ["b", "Backspace"].includes(event.key) && (lead(() => earlier(previous)), true));
  put(element("article", "text", element("h2", "", "Done"), element("p", "", text), element("div", "buttons", back)), keyed);
  remember("");
  main.dataset.painted = "";
}

const next = () => ask("next");

const earlier = (item) => ask(`items/${encodeURIComponent(item)}`);

/* The browser's own back button leads through the items in the order in which they were shown. */
function remember(item) {
  if (history.state?.item === item) return;
  if (history.state) history.pushState({ item }, "");
  else history.replaceState({ item }, "");
}

async function showItem(screen) {
  const acts = {
    submit: (answer) => lead(() => answeredScreen(screen, form, answer)),
    back: () => lead(() => earlier(screen.previous)),
    leave: () => lead(next),
    help: () => showHelp(form),
  };
  const form = new ItemForm(screen, acts);
  if (screen.kind === "practice") form.node.prepend(element("p", "kind", "Practice: this answer does not count."));
  remember(screen.id);
  put(form.node, (event) => form.key(event));
  clock = new ResponseClock();
  const own = clock;
  release([...screen.blocks, ...(screen.then ?? [])].map(({ medium }) => medium).filter(Boolean));
  form.focus();
  await form.whole();
  if (own !== clock) return;
  own.start();
  main.dataset.painted = "";
}

async function answeredScreen(screen, form, answer) {
  notify("");
  const vote = { key: newKey(), item: screen.id, revision: screen.revision, answer, seconds: clock?.seconds() ?? null };
  const after = await sendVote(vote);
  if (!after.right || after.stored === "overtaken") return after;
  return new Promise((done) => {
    let once = false;
    const proceed = () => {
      if (!once) done(after);
      once = true;
    };
    main.inert = false;
    form.showRight(after.right, answer, proceed);
    onKey = (event) => event.key === "Enter" && !isControl(event.target) && (event.repeat || proceed(), true);
    main.focus({ preventScroll: true });
  });
}

function showHelp(form) {
  const close = button("Close", "Esc", () => dialog.close(), "primary");
  dialog.replaceChildren(element("h2", "", "What to do"), foreign("p", "", instructions), element("h3", "", "Keys"), keyList(form.keys), close);
  dialog.showModal();
}

addEventListener("keydown", (event) => {
  const { altKey, metaKey, ctrlKey, key } = event;
  if (dialog.open || main.inert || altKey || metaKey || (ctrlKey && key !== "Enter")) return;
  if (onKey(event)) event.preventDefault();
});

addEventListener("popstate", ({ state }) => {
  if (!state) return;
  const was = () => earlier(state.item).catch((error) => (error instanceof Refusal ? next() : Promise.reject(error)));
  lead(state.item ? was : next);
});

/* What was not sent when the page was left is sent first. */
lead(async () => {
  for (const vote of keptVotes())
    await sendVote(vote).catch((error) => {
      if (!(error instanceof Refusal)) throw error;
    });
  return next();
});
