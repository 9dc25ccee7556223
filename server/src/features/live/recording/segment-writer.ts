import { setTimeout as sleep } from 'node:timers/promises';
import type { Events } from '#features/events/index';
import type { Videos } from '#features/videos/index';
import { type Database, isDiskFull } from '#platform/db/index';
import { newId } from '#platform/ids';
import type { CapturedPart, CapturedSegment, CaptureRequest } from '#platform/media/index';
import { Problem } from '#platform/problem';
import type { Storage } from '#platform/storage/index';
import { LeaseLostError } from '../lease-lost.ts';
import { problems } from '../problems.ts';
import type { RecordedPosition } from '../sources/index.ts';
import { findEpoch, listSegments } from '../store.ts';
import type { LiveSession, RecordedSegment } from '../types.ts';
import { PARTS_CHANNEL } from '../types.ts';
import { segmentPrefix } from './finalize.ts';
import * as store from './store.ts';
import type { SourceTimeouts } from './types.ts';

export type SegmentWriterDeps = {
  database: Database;
  storage: Storage;
  videos: Pick<Videos, 'reserveFor'>;
  events: Pick<Events, 'append' | 'publish'>;
  timeouts: Pick<SourceTimeouts, 'diskFullS'>;
};

/** Shorter pauses between two segments are no gap, as clocks and networks are inexact. */
const GAP_S = 1;
/** Storage is reserved in steps of this many bytes. */
const RESERVE_BYTES = 64 * 2 ** 20;
const FULL_RETRY_MS = 1_000;

/** Stores captured segments: first the bytes, then all rows and events of a segment in one transaction. */
export function createSegmentWriters({ database, storage, videos, events, timeouts }: SegmentWriterDeps) {
  const { db } = database;

  /** Retries `write` while a disk is full, and shows that in the session. Throws the problem after `diskFullS`. */
  async function withSpace(lease: store.SessionLease, write: () => Promise<void>): Promise<void> {
    for (const sinceMs = Date.now(); ; ) {
      try {
        return await write();
      } catch (error) {
        const problem = toDiskFullProblem(error);
        if (!problem) throw error;
        if (Date.now() - sinceMs > timeouts.diskFullS * 1000) throw problem;
        // A database without space may not be able to store the state either.
        await store.setConnectionState(db, lease, { connected: true, problem }).catch((failure) => {
          if (!isDiskFull(failure)) throw failure;
        });
        await sleep(FULL_RETRY_MS);
      }
    }
  }

  /** The initialization section and timestamp offset of the last epoch. */
  async function findLastEpoch({
    id,
    epochCount: epochs,
    timestampOffsetS: leadS,
  }: LiveSession): Promise<CaptureRequest['previous']> {
    const epoch = await findEpoch(db, id, epochs - 1);
    return epoch && { init: epoch.init, leadS: leadS ?? 0 };
  }

  return {
    /** Opens a writer that continues after the last segment of the session. */
    async open(session: LiveSession, lease: store.SessionLease) {
      let [last] = await listSegments(db, session.id, session.segmentCount - 1, 1);
      let { epochCount: epochs, bytes } = session;
      let before = epochs > 0 ? await findLastEpoch(session) : null;
      let reserved = 0;
      // A previous worker may still be writing. Unique names prevent that both write the same file.
      const tag = newId();

      async function reserve(more: number): Promise<void> {
        if (bytes + more <= reserved) return;
        reserved = bytes + more + RESERVE_BYTES;
        await database.transaction((trx) => videos.reserveFor(trx, session.videoId, reserved));
      }

      return {
        segmentCount: () => (last ? last.sequence + 1 : 0),
        /** Start of the next capture in the recording, and the epoch that it may continue. */
        captureStart: () => ({ startS: last ? last.startS + last.durationS : 0, previous: before }),
        position: (): RecordedPosition | null =>
          last
            ? { untilMs: last.capturedAt.getTime() + last.durationS * 1000, seconds: last.startS + last.durationS }
            : null,

        /** Frees space of segments that are not recorded, for later ones. */
        release(deleted: number): void {
          bytes -= deleted;
        },

        /** Deletes the parts of a segment that an interrupted capture did not complete. */
        dropParts: () => store.deleteParts(db, session.id, { from: last ? last.sequence + 1 : 0 }),

        /** Stores a part of the next segment, for players at the live edge. Throws `LeaseLostError`. */
        async writePart({ data, ...part }: CapturedPart): Promise<void> {
          const sequence = last ? last.sequence + 1 : 0;
          await database.transaction(async (trx) => {
            const isOurs = await store.addPart(trx, lease, { ...part, sequence, data: Buffer.from(data) });
            if (!isOurs) throw new LeaseLostError();
            await database.notify(trx, PARTS_CHANNEL, session.id);
          });
        },

        /**
         * Stores a segment; `reason` is the reason for a gap before it. Throws `LeaseLostError`, `storage_full`,
         * `live_database_full` or `quota_exceeded`.
         */
        async write(captured: CapturedSegment, reason: Problem | null): Promise<void> {
          const { epoch: newEpoch, startS, durationS, data } = captured;
          const sequence = last ? last.sequence + 1 : 0;
          const capturedAt = new Date(Math.max(captured.capturedMs, last?.capturedAt.getTime() ?? 0));
          const endMs = last ? last.capturedAt.getTime() + last.durationS * 1000 : capturedAt.getTime();
          const gapS = (capturedAt.getTime() - endMs) / 1000;
          const isGap = newEpoch !== null && gapS > GAP_S;
          const segment: RecordedSegment = {
            sequence,
            startS,
            durationS,
            capturedAt,
            bytes: data.length,
            recordingOffset: null,
            decision: null,
            epoch: newEpoch ? epochs : epochs - 1,
            streamS: (last ? last.streamS + last.durationS : 0) + (isGap ? gapS : 0),
            storageKey: `${segmentPrefix(session.id)}${sequence}-${tag}.m4s`,
          };
          await withSpace(lease, async () => {
            await reserve(data.length);
            await storage.write(segment.storageKey, data, { contentType: 'video/iso.segment' });
            await database.transaction(async (trx) => {
              const status = await store.addSegment(trx, lease, {
                segment,
                epoch: newEpoch && { ...newEpoch, init: Buffer.from(newEpoch.init), epoch: segment.epoch },
                gap: isGap
                  ? { sequence, fromAt: new Date(endMs), untilAt: capturedAt, reason: reason?.message ?? NO_DATA }
                  : null,
              });
              if (status === null) throw new LeaseLostError();
              await database.notify(trx, PARTS_CHANNEL, session.id);
              await events.publish(trx, 'live.recorded', { sessionId: session.id, orgId: session.orgId, sequence });
              if (status === 'INITIALIZING') {
                await events.append(trx, session.id, 'progress', { session_id: session.id, status: 'ACTIVE' });
              }
            });
          });
          if (newEpoch) {
            epochs++;
            before = newEpoch;
          }
          bytes += data.length;
          last = segment;
        },
      };
    },
  };
}

/** Stores the segments of one session; see `createSegmentWriters`. */
export type SegmentWriter = Awaited<ReturnType<ReturnType<typeof createSegmentWriters>['open']>>;

/** The problem that describes a full disk; null for other errors. */
function toDiskFullProblem(error: unknown): Problem | null {
  if (error instanceof Problem && error.code === 'storage_full') return error;
  return isDiskFull(error) ? problems.live_database_full(undefined, { cause: error }) : null;
}

const NO_DATA = 'The source sent nothing.';
