import { createHash } from 'node:crypto';
import type { Engine, ObservationKind, RangeStore, TimeRange } from '#engine/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Log } from '#platform/log';
import * as store from './store.ts';
import type { AvailableObserver } from './types.ts';

type PassOptions = {
  videoId: string;
  /** Holder of the lease on the observations that the pass makes. */
  holder: string;
  leased: readonly AvailableObserver[];
  /** The observed part of the video; by default all of it. */
  range: TimeRange | undefined;
};

/** Stores the ranges of passes that have not ended, so that another attempt continues after them. */
export function createStoredRanges(deps: { database: Database; engine: Pick<Engine, 'version'>; log: Log }) {
  const { database, engine, log } = deps;
  return ({ videoId, holder, leased, range }: PassOptions) => {
    const passes = new Set<string>();

    /** A digest of everything that the ranges of a pass depend on. */
    function toPass(kinds: readonly ObservationKind[]): string {
      const made = leased.filter(({ kind }) => kinds.includes(kind)).map(({ kind, version }) => `${kind} ${version}`);
      const facts = JSON.stringify([engine.version, made.toSorted(), range ?? null]);
      return createHash('sha256').update(facts).digest('hex').slice(0, 32);
    }

    return {
      /** The ranges of the pass for these kinds. */
      of(kinds: readonly ObservationKind[]): RangeStore {
        const pass = toPass(kinds);
        passes.add(pass);
        return {
          async load() {
            await store.deleteOldRanges(database.db);
            const ranges = await store.listRanges(database.db, videoId, pass);
            const state = ranges.at(-1)?.state;
            if (!state || ranges.some(({ position }, index) => position !== index)) return null;
            log.info({ videoId, ranges: ranges.length }, 'a pass continues after its stored ranges');
            return { added: ranges.map(({ added }) => added), state };
          },
          async save(stored) {
            try {
              await store.insertRange(database.db, { videoId, pass, holder, ...stored });
            } catch (error) {
              // The pass continues: without the range, more of it is repeated if it is interrupted.
              log.warn({ err: error, videoId }, 'a range of a pass cannot be stored');
            }
          },
        };
      },
      /** Deletes the ranges of passes that have ended. */
      async end(trx: Transaction): Promise<void> {
        if (passes.size > 0) await store.deleteRanges(trx, videoId, [...passes]);
      },
    };
  };
}
