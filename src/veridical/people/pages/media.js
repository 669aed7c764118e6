// Pictures, clips and frames, fetched whole: those of the next item are here before it is shown.

import { ask } from "./server.js";

const sources = new Map();

/* The address of a medium in this page's memory. */
export function source(path) {
  if (!sources.has(path)) {
    const loading = ask(path, { read: (reply) => reply.blob() }).then((blob) => ({ url: URL.createObjectURL(blob), type: blob.type }));
    loading.catch(() => sources.delete(path));
    sources.set(path, loading);
  }
  return sources.get(path);
}

export const mediumPath = (name) => `media/${encodeURIComponent(name)}`;

export const framePath = (name, frame) => `${mediumPath(name)}/${frame}.jpg`;

export async function loadedImage(path, image = new Image()) {
  image.src = (await source(path)).url;
  await image.decode();
  return image;
}

/* Loads the media of the next item. Where clips are marked, their first frame makes the server take them apart. */
export function preload(names, framed) {
  for (const name of names) {
    const path = mediumPath(name);
    const loading = source(path).then(({ type }) => {
      if (type.startsWith("image/")) return loadedImage(path);
      return framed ? loadedImage(framePath(name, 0)) : null;
    });
    loading.catch(() => null); // the item itself says so when it is shown
  }
}

/* Lets go of all media but those of these names. */
export function release(names) {
  const kept = names.map(mediumPath);
  for (const [path, loading] of sources) {
    if (kept.some((each) => path === each || path.startsWith(`${each}/`))) continue;
    sources.delete(path);
    loading.then(({ url }) => URL.revokeObjectURL(url)).catch(() => null);
  }
}
