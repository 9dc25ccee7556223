import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '#platform/db/index';
import type { Log } from '#platform/log';
import type { CapturedSegment, Media } from '#platform/media/index';
import { Problem } from '#platform/problem';
import type { Storage } from '#platform/storage/index';
import { findEpoch } from '../store.ts';
import type { LiveSession, RecordedEpoch } from '../types.ts';
import { createPictureFollower, type PictureState } from './picture-state.ts';
import type { SampleFrameArgs } from './sample-frame.ts';
import * as store from './store.ts';
import type { SourceTimeouts } from './types.ts';

export type PictureWatchDeps = {
  database: Database;
  media: Pick<Media, 'run'>;
  storage: Pick<Storage, 'scratch'>;
  log: Log;
  timeouts: Pick<SourceTimeouts, 'sampleS' | 'faultS' | 'clearS'>;
};

const TASK = new URL('./sample-frame.ts', import.meta.url);
/** Longest time for one frame, in seconds. */
const TIMEOUT_S = 30;

/** Watches whether the picture of a session is frozen or black, by a keyframe every few seconds. */
export function createPictureWatch({ database, media, storage, log, timeouts }: PictureWatchDeps) {
  const { db } = database;

  return (session: LiveSession, lease: store.SessionLease, signal: AbortSignal) => {
    let stated: PictureState = {
      frozenSinceMs: session.frozenSince?.getTime() ?? null,
      blackSinceMs: session.blackSince?.getTime() ?? null,
    };
    const follow = createPictureFollower(stated, timeouts);
    let epoch: Pick<RecordedEpoch, 'init' | 'width' | 'height'> | null = null;
    let dueMs = 0;
    let running: Promise<void> | null = null;

    async function sample({ data, capturedMs }: CapturedSegment): Promise<void> {
      epoch ??= await findEpoch(db, session.id, session.epochCount - 1);
      if (!epoch) return;
      const { init, width, height } = epoch;
      await using folder = await storage.scratch();
      const path = join(folder.path, 'segment.mp4');
      await writeFile(path, Buffer.concat([init, data]));
      const args: SampleFrameArgs = { path, width, height };
      const task = { module: TASK, name: 'sampleFrame', args, reads: [path] };
      const pixels = await media.run<Uint8Array>(task, { signal, timeoutS: TIMEOUT_S, live: true });
      if (pixels.length === 0) return;
      const state = follow(pixels, capturedMs);
      const isChanged = state.frozenSinceMs !== stated.frozenSinceMs || state.blackSinceMs !== stated.blackSinceMs;
      if (isChanged) await store.setPictureState(db, lease, state);
      stated = state;
    }

    return {
      /** Takes a stored segment. The recording does not wait: a segment is left out while one is examined. */
      take(segment: CapturedSegment): void {
        if (segment.epoch) epoch = { ...segment.epoch, init: Buffer.from(segment.epoch.init) };
        if (running || segment.capturedMs < dueMs) return;
        dueMs = segment.capturedMs + timeouts.sampleS * 1_000;
        running = sample(segment)
          .catch((error) => {
            if (signal.aborted) return;
            const level = error instanceof Problem && !error.isFault ? 'info' : 'warn';
            log[level]({ err: error, sessionId: session.id }, 'cannot examine a frame of a stream');
          })
          .finally(() => {
            running = null;
          });
      },
      /** Waits for the frame that is examined. */
      close: async (): Promise<void> => void (await running),
    };
  };
}
