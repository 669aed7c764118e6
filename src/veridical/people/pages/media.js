// Pictures, clips and frames, fetched whole: those of the next item are here before it is shown.

import { ask } from "./server.js";

const sources = new Map();
const pictures = new Map();

/* The address of a medium in this page's memory. */
export function source(path) {
  if (!sources.has(path)) {
    const loading = ask(path, { read: (reply) => reply.blob() }).then(URL.createObjectURL);
    loading.catch(() => sources.delete(path));
    sources.set(path, loading);
  }
  return sources.get(path);
}

export const mediumPath = (name) => `media/${encodeURIComponent(name)}`;

export const framePath = (name, frame) => `${mediumPath(name)}/${frame}.jpg`;

export async function loadedImage(path, image = new Image()) {
  image.src = await source(path);
  await image.decode();
  return image;
}

/* The picture of an item, decoded before where it was loaded in advance. */
export function picture(name) {
  const path = mediumPath(name);
  const ready = pictures.get(path);
  if (ready && !ready.image.isConnected) return ready;
  const image = new Image();
  const made = { image, ready: loadedImage(path, image) };
  pictures.set(path, made);
  return made;
}

/* Loads the media of the next item. Where clips are marked, their first frame makes the server take them apart. */
export function preload(media, framed) {
  for (const { medium, kind } of media) {
    const clip = () => (framed ? loadedImage(framePath(medium, 0)) : source(mediumPath(medium)));
    const loading = kind === "picture" ? picture(medium).ready : clip();
    loading.catch(() => null); // the item itself says so when it is shown
  }
}

/* Lets go of all media but those of these names. */
export function release(names) {
  const kept = names.map(mediumPath);
  for (const [path, loading] of sources) {
    if (kept.some((each) => path === each || path.startsWith(`${each}/`))) continue;
    sources.delete(path);
    pictures.delete(path);
    loading.then(URL.revokeObjectURL).catch(() => null);
  }
}
