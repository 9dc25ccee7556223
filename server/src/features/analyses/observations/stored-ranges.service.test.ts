import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine, ObservationKind, RangeStore } from '#engine/index';
import { createLog } from '#platform/log';
import { openLibrary, type TestLibrary } from '#test/library';
import { createObservations } from './cache.ts';
import * as store from './store.ts';

let library: TestLibrary;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library?.close());

const ARTIFACT = Buffer.from('an artifact');
const range = (index: number) => ({
  index,
  added: Buffer.from(`added ${index}`),
  state: Buffer.from(`state ${index}`),
  fraction: index / 10,
});

type Attempt = (ranges: RangeStore) => Promise<void>;

/** Observations by an engine whose pass does what an attempt says with its stored ranges. */
function observationsBy(attempt: Attempt, { version = 'signals-1', engineVersion = 'engine-1' } = {}) {
  const engine = {
    version: engineVersion,
    observers: async () => [{ kind: 'signals', depth: 'dense', version }],
    isArtifact: () => true,
    async observe(_: string, kinds: ObservationKind[], { rangesOf }: Parameters<Engine['observe']>[2] & object) {
      await attempt(rangesOf!(kinds));
      return new Map(kinds.map((kind) => [kind, ARTIFACT]));
    },
  } as unknown as Engine;
  const { database, storage } = library;
  return createObservations({
    videos: { setClockReading: async () => {} },
    database,
    storage,
    engine,
    log: createLog('silent'),
  });
}

/** One attempt to observe a video. Returns what it loaded, as text. */
async function observe(
  videoId: string,
  holder: string,
  save: Attempt,
  versions?: Parameters<typeof observationsBy>[1],
) {
  const seen: { loaded: { added: string[]; state: string } | null } = { loaded: null };
  const observations = observationsBy(async (ranges) => {
    const stored = await ranges.load();
    seen.loaded = stored && {
      added: stored.added.map((bytes) => Buffer.from(bytes).toString()),
      state: Buffer.from(stored.state).toString(),
    };
    await save(ranges);
  }, versions);
  const outcome = await observations
    .obtain({
      videoId,
      holder,
      detector: { name: null, isNeeded: false },
      requester: { orgId: library.owner.orgId, priority: 'batch' },
      pass: 'dense',
      onDemand: [],
      path: async () => 'a video',
      signal: AbortSignal.timeout(60_000),
      onProgress: () => {},
      onReady: async () => {},
    })
    .then(
      () => 'observed',
      (error: Error) => error.message,
    );
  return { loaded: seen.loaded, outcome };
}

const rowsOf = (videoId: string) =>
  library.database.db
    .selectFrom('observationRanges')
    .select(['pass', 'position', 'added', 'state'])
    .where('videoId', '=', videoId)
    .orderBy('position')
    .execute();

/** Stores ranges, and is interrupted. */
const interruptedAfter =
  (...indexes: number[]): Attempt =>
  async (ranges) => {
    for (const index of indexes) await ranges.save(range(index));
    throw new Error('interrupted');
  };

test('the next attempt continues after the ranges of the one before, which are deleted with the result', async () => {
  const videoId = await library.add(library.owner);
  expect(await observe(videoId, 'job:1', interruptedAfter(0, 1, 2))).toEqual({ loaded: null, outcome: 'interrupted' });
  expect((await rowsOf(videoId)).map(({ state }) => state?.toString())).toEqual([undefined, undefined, 'state 2']);
  const second = await observe(videoId, 'job:2', interruptedAfter(3));
  expect(second.loaded).toEqual({ added: ['added 0', 'added 1', 'added 2'], state: 'state 2' });
  // Another job, for another question.
  const third = await observe(videoId, 'other:1', async () => {});
  expect(third.outcome).toBe('observed');
  expect(third.loaded).toEqual({ added: ['added 0', 'added 1', 'added 2', 'added 3'], state: 'state 3' });
  expect(await rowsOf(videoId)).toEqual([]);
});

test('a pass that starts again replaces its ranges', async () => {
  const videoId = await library.add(library.owner);
  await observe(videoId, 'job:1', interruptedAfter(0, 1, 2, 3));
  await observe(videoId, 'job:2', interruptedAfter(1));
  const { loaded } = await observe(videoId, 'job:3', interruptedAfter(0));
  expect(loaded).toEqual({ added: ['added 0', 'added 1'], state: 'state 1' });
  expect((await observe(videoId, 'job:4', async () => {})).loaded).toEqual({ added: ['added 0'], state: 'state 0' });
});

test('nothing is stored by an attempt whose lease another one has', async () => {
  const videoId = await library.add(library.owner);
  const zombie = await observe(videoId, 'job:1', async (ranges) => {
    await ranges.save(range(0));
    await library.database.db.updateTable('observations').set({ leaseHolder: 'job:2' }).execute();
    await ranges.save(range(1));
    await ranges.save(range(0));
    throw new Error('it notices');
  });
  expect(zombie.outcome).toBe('it notices');
  const rows = await rowsOf(videoId);
  expect(rows.map(({ position }) => position)).toEqual([0]);
  await library.database.db.deleteFrom('observations').where('videoId', '=', videoId).execute();
});

test.each([
  ['version of an observer', { version: 'signals-2' }],
  ['version of the engine', { engineVersion: 'engine-2' }],
])('another %s does not continue a pass', async (_, versions) => {
  const videoId = await library.add(library.owner);
  await observe(videoId, 'job:1', interruptedAfter(0, 1));
  expect((await observe(videoId, 'job:2', interruptedAfter(), versions)).loaded).toBeNull();
  expect((await observe(videoId, 'job:3', interruptedAfter())).loaded?.state).toBe('state 1');
});

test('ranges are deleted with their video, and when nobody continues them for a week', async () => {
  const videoId = await library.add(library.owner);
  await observe(videoId, 'job:1', interruptedAfter(0, 1));
  await library.database.transaction((trx) => store.revokeLeases(trx, videoId));
  expect(await rowsOf(videoId)).toEqual([]);

  await observe(videoId, 'job:2', interruptedAfter(0, 1));
  const weekAgo = new Date(Date.now() - 7.1 * 24 * 3600 * 1000);
  await library.database.db.updateTable('observationRanges').set({ createdAt: weekAgo }).execute();
  const other = await library.add(library.owner);
  await observe(other, 'job:1', interruptedAfter(0));
  expect(await rowsOf(videoId)).toEqual([]);
  expect(await rowsOf(other)).toHaveLength(1);
});

test('a pass that takes longer than a week keeps its first ranges', async () => {
  const videoId = await library.add(library.owner);
  await observe(videoId, 'job:1', interruptedAfter(0, 1));
  const weekAgo = new Date(Date.now() - 7.1 * 24 * 3600 * 1000);
  const old = library.database.db.updateTable('observationRanges').set({ createdAt: weekAgo });
  await old.where('videoId', '=', videoId).where('position', '=', 0).execute();
  const { loaded } = await observe(videoId, 'job:2', interruptedAfter());
  expect(loaded).toEqual({ added: ['added 0', 'added 1'], state: 'state 1' });
});

test('a pass that lacks one of its ranges starts again', async () => {
  const videoId = await library.add(library.owner);
  await observe(videoId, 'job:1', async (ranges) => {
    await ranges.save(range(0));
    await ranges.save(range(2));
    throw new Error('interrupted');
  });
  expect((await observe(videoId, 'job:2', interruptedAfter())).loaded).toBeNull();
});

test('a range that cannot be stored does not end the pass', async () => {
  const videoId = await library.add(library.owner);
  const { outcome } = await observe(videoId, 'job:1', (ranges) => ranges.save({ ...range(0), index: 2 ** 40 }));
  expect(outcome).toBe('observed');
});
