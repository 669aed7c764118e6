// What goes to the server and comes back. A vote is kept in this browser until the server has answered it.

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15000;
const PATIENCE = 60000;
const KEPT = `vote ${location.pathname} `;
const line = document.getElementById("connection");
const waiting = new Set();

/* What the server does not accept, in a sentence for the page. */
export class Refusal extends Error {}

/* The JSON, or what `read` makes of it, that an address answers. Waits and asks again while there is no connection. */
export async function ask(path, { body = null, read = (reply) => reply.json(), trouble = "No connection: trying again." } = {}) {
  const post = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const own = {};
  for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
    const { status, content } = await attempt(path, body === null ? {} : post, read);
    if (status < 500) {
      settle(own);
      if (status < 400) return content;
      throw new Refusal(content?.sentence ?? "The server did not accept this.");
    }
    waiting.add(own);
    line.textContent = content?.sentence ?? trouble;
    await connection(wait);
  }
}

async function attempt(path, options, read) {
  try {
    const reply = await fetch(path, { ...options, signal: AbortSignal.timeout(PATIENCE) });
    if (reply.ok) return { status: reply.status, content: await read(reply) };
    return { status: reply.status, content: await reply.json().catch(() => null) };
  } catch {
    return { status: 599, content: null };
  }
}

function settle(own) {
  waiting.delete(own);
  if (!waiting.size) line.textContent = "";
}

function connection(wait) {
  return new Promise((done) => {
    const proceed = () => {
      clearTimeout(timer);
      removeEventListener("online", proceed);
      done();
    };
    const timer = setTimeout(proceed, wait);
    addEventListener("online", proceed);
  });
}

/* The screen after a vote. The same key is sent each time, so the vote is stored once. */
export async function sendVote(vote) {
  stored((storage) => storage.setItem(KEPT + vote.key, JSON.stringify(vote)));
  const screen = await ask("votes", { body: vote, trouble: "No connection: your answer is kept and will be sent." }).finally(() =>
    stored((storage) => storage.removeItem(KEPT + vote.key)),
  );
  return screen;
}

/* Votes of this address, and of no other, that were never answered. */
export function keptVotes() {
  const names = stored((storage) => Object.keys(storage).filter((name) => name.startsWith(KEPT))) ?? [];
  return names.map((name) => JSON.parse(stored((storage) => storage.getItem(name))));
}

/* Whether this is the first time in this browser that the person comes to something. */
export function firstTime(what) {
  const name = `${what} ${location.pathname}`;
  const before = stored((storage) => storage.getItem(name));
  stored((storage) => storage.setItem(name, "1"));
  return !before;
}

function stored(use) {
  try {
    return use(localStorage);
  } catch {
    return null; // a browser that keeps nothing: the page works, and an answer is kept while it is open
  }
}

/* `crypto.randomUUID` is missing where a study is served without encryption to other machines. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
