import type { Engine } from '#engine/index';
import type { Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import { Problem } from '#platform/problem';
import type { Storage } from '#platform/storage/index';
import { problems } from '../problems.ts';
import * as store from '../store.ts';

type EvidenceImagesDeps = {
  database: Database;
  storage: Storage;
  engine: Pick<Engine, 'drawEvidence'>;
  videos: Pick<Videos, 'find'>;
};

type Drawing = { done: Promise<void>; waiting: number; abandoned: AbortController };

/** The lists of a document: events, and candidates below the requested confidence. */
export type EventKind = 'event' | 'candidate';

/**
 * Name of the image of an evidence frame by the indexes of its event and frame in the document, such as `003-1`, or
 * `c003-1` for a candidate.
 */
export function toImageName(event: number, frame: number, kind: EventKind = 'event'): string {
  return `${kind === 'candidate' ? 'c' : ''}${String(event).padStart(3, '0')}-${frame}`;
}

/** Indexes of the event and the frame of an image; null if the name is invalid. */
export function parseImageName(name: string): { event: number; frame: number; kind: EventKind } | null {
  const match = /^(c?)(\d{3,6})-(\d{1,3})$/.exec(name);
  if (!match) return null;
  const kind = match[1] === 'c' ? 'candidate' : 'event';
  const place = { event: Number(match[2]), frame: Number(match[3]), kind } as const;
  // An image has one name: `0003-1` would be a copy of `003-1`.
  return toImageName(place.event, place.frame, kind) === name ? place : null;
}

/**
 * Draws evidence images at their first request, as most are never requested. A node draws them one at a time, so that
 * other users of the interactive media process wait for one image at most. Concurrent requests share one drawing. Two
 * nodes may draw the same image: the bytes are equal.
 */
export function createEvidenceImages({ database, storage, engine, videos }: EvidenceImagesDeps) {
  const drawings = new Map<string, Drawing>();
  let turn: Promise<unknown> = Promise.resolve();

  function inTurn<T>(task: () => Promise<T>): Promise<T> {
    const mine = turn.then(task);
    turn = mine.catch(() => {});
    return mine;
  }

  async function draw(analysisId: string, name: string, key: string, abandoned: AbortSignal): Promise<void> {
    const place = parseImageName(name);
    const frame = place && (await store.findFrame(database.db, analysisId, place));
    const video = frame && (await videos.find(frame.videoId));
    if (!frame || !video) throw problems.evidence_not_found();
    const isStillVisible = async () => (await store.findFrame(database.db, analysisId, place)) !== null;
    try {
      await using file = await storage.local(video.storageKey, abandoned);
      const image = await inTurn(async () => {
        abandoned.throwIfAborted();
        // A started drawing is finished even if no request waits for it, as stopping it would cost a media process.
        return engine.drawEvidence(file.path, frame);
      });
      await storage.write(key, image, { contentType: 'image/jpeg' });
    } catch (error) {
      if (abandoned.aborted || (await isStillVisible())) throw toUndrawable(error);
      throw problems.evidence_not_found();
    }
    if (await isStillVisible()) return;
    // The video was deleted in the meantime, and its other images may be deleted already.
    await storage.remove(key);
    throw problems.evidence_not_found();
  }

  function begin(analysisId: string, name: string, key: string): Drawing {
    const abandoned = new AbortController();
    const done = draw(analysisId, name, key, abandoned.signal).finally(() => {
      if (drawings.get(key) === drawing) drawings.delete(key);
    });
    done.catch(() => {});
    const drawing = { done, waiting: 0, abandoned };
    drawings.set(key, drawing);
    return drawing;
  }

  return {
    /**
     * Draws an image and stores it under `key`. Throws `evidence_not_found` (404) if the document has no such image,
     * `evidence_undrawable` (404) if the video cannot be decoded there. A drawing without waiting requests is not
     * started.
     */
    async draw(analysisId: string, name: string, key: string, signal: AbortSignal): Promise<void> {
      signal.throwIfAborted();
      const drawing = drawings.get(key) ?? begin(analysisId, name, key);
      drawing.waiting++;
      const leave = () => {
        if (--drawing.waiting > 0) return;
        if (drawings.get(key) === drawing) drawings.delete(key);
        drawing.abandoned.abort(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      try {
        await drawing.done;
      } finally {
        signal.removeEventListener('abort', leave);
      }
    },
  };
}

/** Converts problems of the video, which are not an error of the request. */
function toUndrawable(error: unknown): unknown {
  if (!(error instanceof Problem) || error.isFault) return error;
  return problems.evidence_undrawable(`This image cannot be drawn. ${error.message}`, { cause: error });
}
