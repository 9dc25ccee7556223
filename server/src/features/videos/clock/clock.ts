import type { Database, Transaction } from '#platform/db/index';
import { problems } from '../problems.ts';
import { chooseClock } from './choose-clock.ts';
import { readContainer, readName } from './readings.ts';
import * as store from './store.ts';
import type { ClockReading, ClockSettings, RecordingTime, StoredClock } from './types.ts';

/** Videos of one transaction. */
const BATCH = 500;
const UNSET: ClockSettings = { recordedAt: null, timeZone: null, shiftS: 0 };

export interface Clocks {
  /**
   * Reads the clocks of videos that have just been stored. `known`: what the rooms that recorded them know, by the id
   * of the video.
   */
  read(trx: Transaction, ids: readonly string[], known?: ReadonlyMap<string, RecordingTime>): Promise<void>;
  /** Sets what is given; the rest stays. Throws `time_zone_invalid` (400) for a zone unknown to the database. */
  set(trx: Transaction, ids: readonly string[], settings: Partial<ClockSettings>): Promise<void>;
  /** Sets the clocks of all videos of a folder, in several transactions. Returns their number. */
  setOfFolder(folderId: string, settings: Partial<ClockSettings>): Promise<number>;
  /** Reads the clocks of videos that an earlier version stored, until none is left. */
  readEarlier(signal: AbortSignal): Promise<void>;
}

export function createClocks({ database }: { database: Database }): Clocks {
  async function change(
    trx: Transaction,
    ids: readonly string[],
    update: (row: store.ClockRow, before: StoredClock) => StoredClock,
  ): Promise<void> {
    const rows = await store.lockClocks(trx, ids);
    const changes = rows.map((row) => {
      const stored = update(row, row.clock ?? { readings: readFile(row), settings: null });
      return { id: row.id, stored, clock: chooseClock(stored) };
    });
    await store.storeClocks(trx, changes);
  }

  const clocks: Clocks = {
    read: (trx, ids, known = new Map()) =>
      change(trx, ids, (row, { settings }) => {
        const own = known.get(row.id);
        return {
          readings: [...(own ? [own.reading] : []), ...readFile(row)],
          ...(own?.jumps?.length ? { jumps: own.jumps } : {}),
          settings,
        };
      }),

    async set(trx, ids, settings) {
      const { timeZone } = settings;
      if (timeZone && !(await store.isKnownZone(trx, timeZone))) throw problems.time_zone_invalid();
      await change(trx, ids, (_, before) => ({ ...before, settings: { ...(before.settings ?? UNSET), ...settings } }));
    },

    async setOfFolder(folderId, settings) {
      let count = 0;
      for (let after = ''; ; ) {
        const ids = await store.findOfFolder(database.db, folderId, after, BATCH);
        if (ids.length === 0) return count;
        await database.transaction((trx) => clocks.set(trx, ids, settings));
        count += ids.length;
        after = ids.at(-1)!;
      }
    },

    async readEarlier(signal) {
      for (;;) {
        signal.throwIfAborted();
        const ids = await store.findUnread(database.db, BATCH);
        if (ids.length === 0) return;
        await database.transaction((trx) => change(trx, ids, (_, before) => before));
      }
    },
  };
  return clocks;
}

/** Times that the header and the name of a file state. */
function readFile({ name, probe }: store.ClockRow): ClockReading[] {
  const readings = [probe && readContainer(probe), readName(name, new Date())];
  return readings.filter((reading) => reading !== null);
}
