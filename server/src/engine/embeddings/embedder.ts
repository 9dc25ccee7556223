import { LRUCache } from 'lru-cache';
import type { Media } from '#platform/media/index';
import { type ImageRegion, regionAround } from './crop.ts';
import type { EmbedImageArgs, EmbedTextsArgs } from './embed-task.ts';
import type { ClipFiles } from './encoder.ts';

/** The model's files and version, or the reason why it cannot be used. */
export type FindClip = () => Promise<{ files: ClipFiles; version: string } | { unavailable: string }>;

/** A vector to search for: 512 values, of length 1. */
export type Embedding = { vector: Float32Array };

/** `box` in a frame of `size` pixels: the same part is cut out as of tracked objects. */
export type SearchedFrame = {
  timeS: number;
  box?: { part: ImageRegion; size: { width: number; height: number } } | null;
};

/** Turns words and images into vectors, with the model that observes frames. */
export interface Embedder {
  /** The vector of words that describe what is in view, or why the model cannot compute it. */
  text(text: string, signal?: AbortSignal): Promise<Embedding | { unavailable: string }>;
  /** The same of several texts, in their order, with the name of the model. */
  texts(
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<{ vectors: Float32Array[]; model: string } | { unavailable: string }>;
  /** The vector of an encoded image (JPEG, PNG, WebP or AVIF); null if it cannot be decoded. */
  image(image: Uint8Array, signal?: AbortSignal): Promise<Embedding | { unavailable: string } | null>;
  /**
   * The vector of the frame shown at `timeS` of a local video, or of the part of it around a box. Throws a Problem if
   * nothing can be decoded there.
   */
  frame(path: string, frame: SearchedFrame, signal?: AbortSignal): Promise<Embedding | { unavailable: string }>;
}

const TASKS = new URL('./embed-task.ts', import.meta.url);
const TIMEOUT_S = 60;
/** Longest side in pixels of a frame whose vector is computed, and of one of which a part is. */
const FRAME_SIDE = 640;
const PART_SIDE = 1920;
/** Number of cached vectors of texts: searches are refined and repeated. */
const CACHED_TEXTS = 1_000;
/** The model was trained with captions of images. */
const captionOf = (text: string) => `a photo of ${text.trim()}`;

export function createEmbedder({
  media,
  find,
}: {
  media: Pick<Media, 'run' | 'frameImage'>;
  find: FindClip;
}): Embedder {
  const texts = new LRUCache<string, Float32Array>({ max: CACHED_TEXTS });

  async function image(bytes: Uint8Array, signal?: AbortSignal) {
    const found = await find();
    if ('unavailable' in found) return found;
    const args: EmbedImageArgs = { files: found.files, image: bytes };
    const task = { module: TASKS, name: 'embedImage', args, reads: Object.values(found.files) };
    const vector = await media.run<Float32Array | null>(task, { signal, timeoutS: TIMEOUT_S, live: true });
    return vector && { vector };
  }

  async function embedTexts(wanted: readonly string[], signal?: AbortSignal) {
    const found = await find();
    if ('unavailable' in found) return found;
    const captions = wanted.map(captionOf);
    const keyOf = (caption: string) => `${found.version} ${caption}`;
    const known = new Map(captions.map((caption) => [caption, texts.get(keyOf(caption))]));
    const missing = [...known.keys()].filter((caption) => !known.get(caption));
    if (missing.length > 0) {
      const args: EmbedTextsArgs = { files: found.files, texts: missing };
      const task = { module: TASKS, name: 'embedTexts', args, reads: Object.values(found.files) };
      const vectors = await media.run<Float32Array[]>(task, { signal, timeoutS: TIMEOUT_S, live: true });
      for (const [i, caption] of missing.entries()) {
        known.set(caption, vectors[i]!);
        texts.set(keyOf(caption), vectors[i]!);
      }
    }
    return { vectors: captions.map((caption) => known.get(caption)!), model: found.version };
  }

  return {
    async text(text, signal) {
      const found = await embedTexts([text], signal);
      return 'unavailable' in found ? found : { vector: found.vectors[0]! };
    },
    texts: embedTexts,
    image,
    async frame(path, { timeS, box }, signal) {
      const part = box ? { crop: regionAround(box.part, box.size), maxSide: PART_SIDE } : { maxSide: FRAME_SIDE };
      const jpeg = await media.frameImage(path, { timeS, ...part, signal });
      const embedding = await image(jpeg, signal);
      if (!embedding) throw new Error('a frame that was just encoded cannot be decoded');
      return embedding;
    },
  };
}
