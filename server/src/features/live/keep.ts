import { setTimeout as sleep } from 'node:timers/promises';
import type { Events } from '#features/events/index';
import type { Videos } from '#features/videos/index';
import { type Database, isDiskFull } from '#platform/db/index';
import { newId } from '#platform/ids';
import type { LiveRequest, LiveSegment } from '#platform/media/index';
import { Problem } from '#platform/problem';
import type { Storage } from '#platform/storage/index';
import { folderOf } from './finish.ts';
import type { Patience } from './follow.ts';
import * as follow from './follow-store.ts';
import { Lost } from './lost.ts';
import { problems } from './problems.ts';
import type { Recorded } from './source.ts';
import { findEpoch, segmentsFrom } from './store.ts';
import type { Segment, Session } from './types.ts';

export type KeeperDeps = {
  database: Database;
  storage: Storage;
  videos: Pick<Videos, 'reserve'>;
  events: Pick<Events, 'append' | 'publish'>;
  patience: Pick<Patience, 'fullS'>;
};

/** Less than this between two segments is no gap: clocks and networks are not exact. */
const GAP_S = 1;
/** Room is held free in steps of this many bytes. */
const RESERVE_BYTES = 64 * 2 ** 20;
const FULL_PAUSE_MS = 1_000;

/** Keeps what is recorded: first the bytes, then, in one transaction, all that is said of them. */
export function createKeeper({ database, storage, videos, events, patience }: KeeperDeps) {
  const { db } = database;

  /** Runs `work` again for as long as a disk is full, and shows that in the session. Throws the Problem once it has been full for too long. */
  async function withSpace(holder: follow.Holder, work: () => Promise<void>): Promise<void> {
    for (const sinceMs = Date.now(); ; ) {
      try {
        return await work();
      } catch (error) {
        const problem = fullDisk(error);
        if (!problem) throw error;
        if (Date.now() - sinceMs > patience.fullS * 1000) throw problem;
        // Where the database itself has no space, it may not be able to show that.
        await follow.setState(db, holder, { connected: true, problem }).catch((failure) => {
          if (!isDiskFull(failure)) throw failure;
        });
        await sleep(FULL_PAUSE_MS);
      }
    }
  }

  /** What its recording ends with. */
  async function endOf({ id, epochs, leadS }: Session): Promise<LiveRequest['before']> {
    const epoch = await findEpoch(db, id, epochs - 1);
    return epoch && { init: epoch.init, leadS: leadS ?? 0 };
  }

  return {
    /** Goes on after the last segment of the session. */
    async open(session: Session, holder: follow.Holder) {
      let [last] = await segmentsFrom(db, session.id, session.segments - 1, 1);
      let { epochs, bytes } = session;
      let before = epochs > 0 ? await endOf(session) : null;
      let reserved = 0;
      // Another worker's may be under way still: names of their own keep them apart.
      const tag = newId();

      async function reserve(more: number): Promise<void> {
        if (bytes + more <= reserved) return;
        reserved = bytes + more + RESERVE_BYTES;
        await database.transaction((trx) => videos.reserve(trx, session.videoId, reserved));
      }

      return {
        segments: () => (last ? last.sequence + 1 : 0),
        place: () => ({ startS: last ? last.startS + last.durationS : 0, before }),
        recorded: (): Recorded | null =>
          last
            ? { untilMs: last.capturedAt.getTime() + last.durationS * 1000, seconds: last.startS + last.durationS }
            : null,

        /** Keeps a segment; `reason` is why something may be missing before it. Throws `Lost`, `storage_full`, `live_database_full` or `quota_exceeded`. */
        async keep(captured: LiveSegment, reason: Problem | null): Promise<void> {
          const { epoch: begun, startS, durationS, data } = captured;
          const sequence = last ? last.sequence + 1 : 0;
          const capturedAt = new Date(Math.max(captured.capturedMs, last?.capturedAt.getTime() ?? 0));
          const endMs = last ? last.capturedAt.getTime() + last.durationS * 1000 : capturedAt.getTime();
          const gapS = (capturedAt.getTime() - endMs) / 1000;
          const isGap = begun !== null && gapS > GAP_S;
          const segment: Segment = {
            ...{ sequence, startS, durationS, capturedAt, bytes: data.length, filmOffset: null },
            epoch: begun ? epochs : epochs - 1,
            streamS: (last ? last.streamS + last.durationS : 0) + (isGap ? gapS : 0),
            storageKey: `${folderOf(session.id)}${sequence}-${tag}.m4s`,
          };
          await withSpace(holder, async () => {
            await reserve(data.length);
            await storage.write(segment.storageKey, data, { contentType: 'video/iso.segment' });
            await database.transaction(async (trx) => {
              const status = await follow.addSegment(trx, holder, {
                segment,
                epoch: begun && { ...begun, init: Buffer.from(begun.init), epoch: segment.epoch },
                gap: isGap
                  ? { sequence, fromAt: new Date(endMs), untilAt: capturedAt, reason: reason?.message ?? SILENT }
                  : null,
              });
              if (status === null) throw new Lost();
              await events.publish(trx, 'live.recorded', { sessionId: session.id, orgId: session.orgId, sequence });
              if (status === 'INITIALIZING') {
                await events.append(trx, session.id, 'progress', { session_id: session.id, status: 'ACTIVE' });
              }
            });
          });
          if (begun) {
            epochs++;
            before = begun;
          }
          bytes += data.length;
          last = segment;
        },
      };
    },
  };
}

/** Where a session is recorded to; see `createKeeper`. */
export type Recording = Awaited<ReturnType<ReturnType<typeof createKeeper>['open']>>;

/** Which disk is full, if that is why `error` was thrown. */
function fullDisk(error: unknown): Problem | null {
  if (error instanceof Problem && error.code === 'storage_full') return error;
  return isDiskFull(error) ? problems.live_database_full(undefined, { cause: error }) : null;
}

const SILENT = 'The source sent nothing.';
