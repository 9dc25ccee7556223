import type { Readable } from 'node:stream';
import type { Video, Videos } from '#features/videos/index';
import type { ServedFile } from '#platform/http/index';
import { Problem } from '#platform/problem';
import type { Storage } from '#platform/storage/index';
import { problems } from './problems.ts';
import { createShared } from './shared.ts';

/** Makes a rendition from a local copy of the video, and gives it to `keep`, which has stored it once it resolves. */
export type Make = (path: string, signal: AbortSignal, keep: Keep) => Promise<void>;
type Keep = (body: Readable | Uint8Array) => Promise<unknown>;

/** Beside the video, so that they go with it. A name says which way of making it was used: another way is another name. */
const keyOf = (videoId: string, name: string) => `videos/${videoId}/playback/${name}`;

export type RenditionsDeps = {
  storage: Storage;
  videos: Pick<Videos, 'find'>;
  /** How many may be made, or in line for it, at a time. */
  most: number;
};

export type Renditions = ReturnType<typeof createRenditions>;

/**
 * What is made from a video for those who look at it. Most of it is never asked for, so it is made when it first is, kept in storage, and
 * erased with the video; stretches of it go sooner (`removeStretches`). On one node it is made once, however many ask at the same time; two nodes may both make it, and the last one's is kept.
 */
export function createRenditions({ storage, videos, most }: RenditionsDeps) {
  const shared = createShared<void>(most);

  async function makeAndKeep(video: Video, key: string, contentType: string, make: Make, signal: AbortSignal) {
    try {
      await using file = await storage.local(video.storageKey, signal);
      await make(file.path, signal, (body) => storage.write(key, body, { contentType, signal }));
    } catch (error) {
      if (signal.aborted || (await videos.find(video.id))) throw unmakeable(error);
      throw problems.playback_gone();
    }
    if (await videos.find(video.id)) return;
    // The video was deleted meanwhile, and its files perhaps before this one came.
    await storage.remove(key);
    throw problems.playback_gone();
  }

  return {
    /** The rendition `name`, made now if nobody has asked for it before. Throws `playback_gone`, `playback_unmakeable` (404) and `playback_busy` (503). */
    async open(
      video: Video,
      { name, contentType, make }: { name: string; contentType: string; make: Make },
      signal: AbortSignal,
    ): Promise<ServedFile> {
      const key = keyOf(video.id, name);
      let found = await storage.stat(key);
      if (!found) {
        await shared(key, signal, (abandoned) => makeAndKeep(video, key, contentType, make, abandoned));
        found = await storage.stat(key);
      }
      if (!found) throw problems.playback_gone();
      return {
        ...found,
        // Two nodes may have made it, not always to the byte.
        etag: `${video.id}-${name}-${found.size.toString(36)}-${found.modified.getTime().toString(36)}`,
        contentType,
        open: (range) => storage.read(key, range),
      };
    },
  };
}

/** Clips and segments: of a video there may be any number of them, while of the other renditions there is one each. */
const STRETCH = /^videos\/[^/]+\/playback\/(clip|hls)-\d+-/;

/** Removes the stretches of videos that were made before this: they are made again when they are asked for. Returns how many. */
export async function removeStretches(
  storage: Pick<Storage, 'list' | 'remove'>,
  before: Date,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  for await (const { key, modified } of storage.list('videos/')) {
    signal.throwIfAborted();
    if (modified >= before || !STRETCH.test(key)) continue;
    await storage.remove(key);
    removed++;
  }
  return removed;
}

/** What is wrong with the video is no fault of whoever wants to look at it. */
export function unmakeable(error: unknown): unknown {
  if (!(error instanceof Problem) || error.status >= 500) return error;
  return problems.playback_unmakeable(`This cannot be made from the video. ${error.message}`, { cause: error });
}
