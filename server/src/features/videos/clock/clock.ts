import type { Database, Queryable, Transaction } from '#platform/db/index';
import { problems } from '../problems.ts';
import { checkTimeZone } from './calendar.ts';
import { chooseClock } from './choose-clock.ts';
import { readPath } from './path-pattern.ts';
import { readContainer, readName, readSidecar } from './readings.ts';
import * as store from './store.ts';
import type { ClockReading, ClockSettings, ClockSource, RecordingTime, StoredClock } from './types.ts';

/** Videos of one transaction. */
const BATCH = 500;
const UNSET: ClockSettings = { recordedAt: null, timeZone: null, shiftS: 0 };

/** Sources that rooms read once, besides the files of a video. */
const OWN_SOURCES = ['live', 'gps', 'log', 'picture'] as const satisfies ClockSource[];
export type OwnSource = (typeof OWN_SOURCES)[number];
const isOwn = ({ source }: ClockReading) => OWN_SOURCES.some((own) => own === source);

export interface Clocks {
  /**
   * Reads the clocks of videos that have just been stored. `known`: what the rooms that recorded them know, by the id
   * of the video.
   */
  read(trx: Transaction, ids: readonly string[], known?: ReadonlyMap<string, RecordingTime>): Promise<void>;
  /** Sets what is given; the rest stays. Throws `time_zone_invalid` (400) for a zone unknown to the database. */
  set(trx: Transaction, ids: readonly string[], settings: Partial<ClockSettings>): Promise<void>;
  /**
   * Sets the clocks of all videos of a folder, in several transactions, and reads them again by its rule. Returns their
   * number.
   */
  setOfFolder(folderId: string, settings: Partial<ClockSettings>): Promise<number>;
  /** Reads the files of videos again, after one beside them, their name, their folder or its rule changed. */
  reread(trx: Transaction, ids: readonly string[]): Promise<void>;
  /** Replaces what a source that is not a file says about a video; null removes it. */
  setReading(trx: Transaction, id: string, source: OwnSource, reading: ClockReading | null): Promise<void>;
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
      const before = row.clock ?? { readings: readFile(row), settings: startOf(row) };
      const { rate: _, ...stored } = update(row, before);
      const clock = chooseClock(stored);
      return { id: row.id, stored: clock && clock.rate !== 1 ? { ...stored, rate: clock.rate } : stored, clock };
    });
    await store.storeClocks(trx, changes);
  }

  const clocks: Clocks = {
    read: (trx, ids, known = new Map()) =>
      change(trx, ids, (row, { settings }) => {
        const own = known.get(row.id);
        return {
          readings: [...(own?.readings ?? []), ...readFile(row)],
          ...(own?.jumps?.length ? { jumps: own.jumps } : {}),
          settings: withZone(settings ?? startOf(row), own?.timeZone),
        };
      }),

    reread: (trx, ids) =>
      change(trx, ids, (row, before) => ({
        ...before,
        readings: [...before.readings.filter(isOwn), ...readFile(row)],
      })),

    setReading: (trx, id, source, reading) =>
      change(trx, [id], (_, before) => ({
        ...before,
        readings: [...before.readings.filter((each) => each.source !== source), ...(reading ? [reading] : [])],
      })),

    async set(trx, ids, settings) {
      const { timeZone } = settings;
      await requireTimeZone(trx, timeZone);
      await change(trx, ids, (_, before) => ({ ...before, settings: { ...(before.settings ?? UNSET), ...settings } }));
    },

    async setOfFolder(folderId, settings) {
      let count = 0;
      for (let after = ''; ; ) {
        const ids = await store.findOfFolder(database.db, folderId, after, BATCH);
        if (ids.length === 0) return count;
        await database.transaction(async (trx) => {
          await clocks.set(trx, ids, settings);
          await clocks.reread(trx, ids);
        });
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

/** Throws `time_zone_invalid` (400) for a zone that is unknown here or to the database. */
export async function requireTimeZone(db: Queryable, timeZone: string | null | undefined): Promise<void> {
  const zone = checkTimeZone(timeZone);
  if (zone && !(await store.isKnownZone(db, zone))) throw problems.time_zone_invalid();
}

/** The settings of a new video of a folder with a rule. */
const startOf = ({ rule }: store.ClockRow): ClockSettings | null =>
  rule?.settings ? { ...UNSET, ...rule.settings } : null;

/** Settings with the zone of the camera, unless one was set for the video itself or its folder. */
const withZone = (settings: ClockSettings | null, timeZone: string | null | undefined): ClockSettings | null =>
  timeZone && !settings?.timeZone ? { ...(settings ?? UNSET), timeZone } : settings;

/** Times that the files of a video, its name and the rule of its folder state. */
function readFile({ name, sourceUri, probe, recorded, rule }: store.ClockRow): ClockReading[] {
  const now = new Date();
  const readings = [
    recorded && readSidecar(recorded),
    probe && readContainer(probe),
    rule?.pattern ? readPath(rule.pattern, [sourceUri, name], now) : null,
    readName(name, now),
  ];
  return readings.filter((reading) => reading !== null);
}
