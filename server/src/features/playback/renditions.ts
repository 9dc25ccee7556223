import type { Readable } from 'node:stream';
import type { Video, Videos } from '#features/videos/index';
import type { ServedFile } from '#platform/http/index';
import { Problem } from '#platform/problem';
import type { Storage } from '#platform/storage/index';
import { problems } from './problems.ts';
import { createSingleFlight } from './single-flight.ts';

/** Generates a rendition from a local copy of the video at `path`, and passes its bytes to `store`. */
export type RenderRendition = (path: string, signal: AbortSignal, store: StoreRendition) => Promise<void>;
type StoreRendition = (body: Readable | Uint8Array) => Promise<unknown>;

/**
 * Storage key of a rendition. It is below the video's prefix, so that it is deleted with the video. The name contains
 * a version: a changed way of generating it needs a new name.
 */
const toKey = (videoId: string, name: string) => `videos/${videoId}/playback/${name}`;

export type RenditionsDeps = {
  storage: Storage;
  videos: Pick<Videos, 'find'>;
  /** Maximum number of renditions being generated or queued. */
  maxPending: number;
};

export type Renditions = ReturnType<typeof createRenditions>;

/**
 * Files derived from a video for playback. Each is generated on its first request, because most are never requested,
 * and stored until the video is deleted (clips and segments: until `removeOldRenditions`). Concurrent requests on one
 * node share one run; if two nodes generate the same file, the later write wins.
 */
export function createRenditions({ storage, videos, maxPending }: RenditionsDeps) {
  const singleFlight = createSingleFlight<void>(maxPending);

  async function generate(
    video: Video,
    key: string,
    contentType: string,
    render: RenderRendition,
    signal: AbortSignal,
  ) {
    try {
      await using file = await storage.local(video.storageKey, signal);
      await render(file.path, signal, (body) => storage.write(key, body, { contentType, signal }));
    } catch (error) {
      if (signal.aborted || (await videos.find(video.id))) throw toRenditionProblem(error);
      throw problems.playback_gone();
    }
    if (await videos.find(video.id)) return;
    // The video was deleted meanwhile, possibly before this file was written.
    await storage.remove(key);
    throw problems.playback_gone();
  }

  return {
    /**
     * Opens the rendition `name`, and generates it first if it is not stored. Throws `playback_gone`,
     * `playback_unmakeable` (404) and `playback_busy` (503).
     */
    async open(
      video: Video,
      { name, contentType, render }: { name: string; contentType: string; render: RenderRendition },
      signal: AbortSignal,
    ): Promise<ServedFile> {
      const key = toKey(video.id, name);
      let stored = await storage.stat(key);
      if (!stored) {
        await singleFlight(key, signal, (flightSignal) => generate(video, key, contentType, render, flightSignal));
        stored = await storage.stat(key);
      }
      if (!stored) throw problems.playback_gone();
      return {
        ...stored,
        // Includes size and time, because two nodes may have written files that differ in bytes.
        etag: `${video.id}-${name}-${stored.size.toString(36)}-${stored.modified.getTime().toString(36)}`,
        contentType,
        open: (range) => storage.read(key, range),
      };
    },
  };
}

/** Keys of clips, chunks and segments. A video can have any number of them, but only one of each other rendition. */
const CLIP_OR_SEGMENT = /^videos\/[^/]+\/playback\/(clip|chunk|hls)-\d+-/;

/**
 * Deletes clips and segments last modified before `before`. They are regenerated on request. Returns the number
 * deleted.
 */
export async function removeOldRenditions(
  storage: Pick<Storage, 'list' | 'remove'>,
  before: Date,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  for await (const { key, modified } of storage.list('videos/')) {
    signal.throwIfAborted();
    if (modified >= before || !CLIP_OR_SEGMENT.test(key)) continue;
    await storage.remove(key);
    removed++;
  }
  return removed;
}

/** Converts a problem with the video (4xx) to a 404 for the viewer. Other errors are returned unchanged. */
export function toRenditionProblem(error: unknown): unknown {
  if (!(error instanceof Problem) || error.isFault) return error;
  return problems.playback_unmakeable(`This cannot be made from the video. ${error.message}`, { cause: error });
}
