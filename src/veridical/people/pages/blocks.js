// What an item shows: paragraphs, pictures, and clips.

import { attributed, element, foreign, size } from "./dom.js";
import { ClipPlayer } from "./clips.js";
import { FramePlayer } from "./frames.js";
import { picture } from "./media.js";

export const MARKED = ["intervals", "boxes"];

export const isMarked = (fields) => fields.some(({ kind }) => MARKED.includes(kind));

/* The nodes of an item's blocks, its player, what boxes are drawn on, and a promise that all of it can be painted. */
export function shownBlocks(blocks, fields) {
  const made = blocks.map((block) => blockOf(block, isMarked(fields)));
  const players = made.filter((each) => each.key);
  if (players.length === 1) players[0].begin?.();
  const frames = players.find((each) => each.surface);
  const ready = Promise.all(made.map((each) => each.ready?.catch((error) => each.node.append(unavailable(error)))));
  return { nodes: made.map(({ node }) => node), players, frames, surface: (frames ?? made.find((each) => each.surface))?.surface, ready };
}

function blockOf(block, marked) {
  if (block.kind === "text") return { node: paragraph(block) };
  if (block.kind === "picture") return still(block);
  return marked ? new FramePlayer(block) : new ClipPlayer(block);
}

function paragraph({ title, text }) {
  const heading = title ? foreign("h2", "", title) : null;
  return element("section", "words", heading, foreign("p", "", text));
}

function still(block) {
  const { image, ready } = picture(block.medium);
  Object.assign(image, { alt: "Picture", width: block.width, height: block.height });
  const surface = element("div", "surface", image);
  size(surface, block);
  return { node: element("figure", "medium", surface), surface, ready };
}

function unavailable(error) {
  return attributed(element("p", "problem", error.message || "This cannot be shown."), { role: "alert" });
}
