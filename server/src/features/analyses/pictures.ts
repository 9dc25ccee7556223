import type { Engine } from '#engine/index';
import type { Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import { Problem } from '#platform/problem';
import type { Storage } from '#platform/storage/index';
import { problems } from './problems.ts';
import * as store from './store.ts';

type PicturesDeps = {
  database: Database;
  storage: Storage;
  engine: Pick<Engine, 'draw'>;
  videos: Pick<Videos, 'find'>;
};

type Drawing = { done: Promise<void>; waiting: number; abandoned: AbortController };

/** Name of the picture of one evidence frame of one event, by their places in the document: `003-1`. */
export function pictureName(event: number, frame: number): string {
  return `${String(event).padStart(3, '0')}-${frame}`;
}

/** Where in its document a picture's frame is; null for what is no picture's name. */
export function placeOf(name: string): { event: number; frame: number } | null {
  const match = /^(\d{3,6})-(\d{1,3})$/.exec(name);
  if (!match) return null;
  const place = { event: Number(match[1]), frame: Number(match[2]) };
  // One picture has one name: `0003-1` would be a copy of `003-1`.
  return pictureName(place.event, place.frame) === name ? place : null;
}

/**
 * Draws evidence pictures when somebody asks for them: most never are, and an analysis should not wait for them. On one node they are drawn one after
 * the other, so that whoever else needs the interactive media process waits for one picture at most, and a picture that many ask for is drawn once.
 * Two nodes may both draw it: the bytes are the same.
 */
export function createPictures({ database, storage, engine, videos }: PicturesDeps) {
  const drawings = new Map<string, Drawing>();
  let turn: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = turn.then(work);
    turn = mine.catch(() => {});
    return mine;
  }

  async function draw(analysisId: string, name: string, key: string, abandoned: AbortSignal): Promise<void> {
    const place = placeOf(name);
    const frame = place && (await store.findFrame(database.db, analysisId, place));
    const video = frame && (await videos.find(frame.videoId));
    if (!frame || !video) throw problems.evidence_not_found();
    const stillThere = async () => (await store.findFrame(database.db, analysisId, place)) !== null;
    try {
      await using file = await storage.local(video.storageKey, abandoned);
      const picture = await inTurn(async () => {
        abandoned.throwIfAborted();
        // What has begun is finished even when nobody waits any more: stopping it would cost a media process.
        return engine.draw(file.path, frame);
      });
      await storage.write(key, picture, { contentType: 'image/jpeg' });
    } catch (error) {
      if (abandoned.aborted || (await stillThere())) throw undrawable(error);
      throw problems.evidence_not_found();
    }
    if (await stillThere()) return;
    // The video was deleted meanwhile, and its pictures perhaps before this one came.
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
     * Draws the picture from the analysis's video and stores it under `key`. Throws `evidence_not_found` when the document has no such picture (any
     * more), `evidence_undrawable` (404) when the video cannot be decoded there. A drawing that nobody waits for any more is not begun.
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

/** What is wrong with the video is no fault of whoever asks for a picture of it. */
function undrawable(error: unknown): unknown {
  if (!(error instanceof Problem) || error.status >= 500) return error;
  return problems.evidence_undrawable(`This picture cannot be drawn. ${error.message}`, { cause: error });
}
