// Incidents of the stored events of several questions on one video.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VideoEvent } from '#engine/index';
import { createEvent } from '#test/events';
import { jobsEnded } from '#test/jobs';
import { type EventWorld, openEventWorld } from '../event-index/event-world.fixture.ts';

let world: EventWorld;
beforeAll(async () => {
  world = await openEventWorld();
});
afterAll(() => world?.close());

/** A parked car at a place of its own; another question reports it some frames earlier or later. */
function car(index: number, label = 'car in view', shiftS = 0): VideoEvent {
  const at = createEvent(index);
  const path = Array.from({ length: 10 }, (_, i): [number, number, number] => [at.startS + i / 5, 0.1 * index, 0.5]);
  return {
    ...createEvent(index, { tracks: [{ id: index, className: 'car', color: 'red', path }] }),
    label,
    startS: at.startS + shiftS,
  };
}
const cars = (label?: string, shiftS?: number) => Array.from({ length: 6 }, (_, index) => car(index, label, shiftS));

/** Adds the answer of another question on a video. */
async function ask(videoId: string, events: readonly VideoEvent[]): Promise<string> {
  world.engine.events = events;
  return world.analyze(videoId);
}

const rowsOf = (videoId: string) =>
  world.library.database.db
    .selectFrom('analysisEvents')
    .select(['analysisId', 'position', 'incidentId', 'incidentSubject'])
    .where('videoId', '=', videoId)
    .orderBy('analysisId')
    .orderBy('position')
    .execute();
const incidentsOf = async (videoId: string) => (await rowsOf(videoId)).map(({ incidentId }) => incidentId);

/** Reviews an event as the owner. */
const review = (analysisId: string, position: number, approval: 'approved' | 'rejected' | 'pending') =>
  world.library.review.change(world.caller, [`${analysisId}-${position}`], { approval }, null);

test('five questions on one video report thirty events of six incidents, whose ids stay', async () => {
  const { videoId, analysisId } = await world.addAnalyzed(world, cars());
  const first = await incidentsOf(videoId);
  expect(first).toEqual([0, 1, 2, 3, 4, 5].map((position) => `${analysisId}-${position}`));
  for (const [label, shiftS] of [
    ['red car in view', 0.1],
    ['car stops', 0.2],
    ['car moves', 0],
    ['red car stops', 0.1],
  ] as const) {
    await ask(videoId, cars(label, shiftS));
  }
  expect(await incidentsOf(videoId)).toEqual(Array.from({ length: 5 }, () => first).flat());
});

test('verdicts that contradict part an incident, and it is one again when they are withdrawn', async () => {
  const { videoId, analysisId } = await world.addAnalyzed(world, [car(0)]);
  const other = await ask(videoId, [car(0)]);
  const id = `${analysisId}-0`;
  expect(await incidentsOf(videoId)).toEqual([id, id]);
  await review(analysisId, 0, 'approved');
  await review(other, 0, 'rejected');
  expect(await incidentsOf(videoId)).toEqual([id, `${other}-0`]);
  await review(other, 0, 'pending');
  expect(await incidentsOf(videoId)).toEqual([id, id]);
});

test('an event that a reviewer moves to another time leaves its incident', async () => {
  const { videoId, analysisId } = await world.addAnalyzed(world, [car(0)]);
  const other = await ask(videoId, [car(0)]);
  await world.library.review.change(world.caller, [`${analysisId}-0`], { startS: 6, endS: 7 }, null);
  expect(await incidentsOf(videoId)).toEqual([`${analysisId}-0`, `${other}-0`]);
});

test('an incident keeps its id when the analysis that reported it first is deleted', async () => {
  const { videoId, analysisId } = await world.addAnalyzed(world, [car(0), car(1)]);
  await ask(videoId, [car(0)]);
  const path = `/api/videos/${videoId}/analyses/${analysisId}`;
  expect((await world.api.call('DELETE', path, { key: world.key })).status).toBe(200);
  expect(await incidentsOf(videoId)).toEqual([`${analysisId}-0`]);
  await ask(videoId, [car(0)]);
  expect(new Set(await incidentsOf(videoId))).toEqual(new Set([`${analysisId}-0`]));
  await jobsEnded(world.library.database);
});

test('a deleted video has the same incidents after it is restored', async () => {
  const { videoId } = await world.addAnalyzed(world, cars());
  await ask(videoId, cars('car stops', 0.1));
  const before = await rowsOf(videoId);
  await world.library.videos.removeMany(world.caller, [videoId]);
  expect(await rowsOf(videoId)).toEqual([]);
  await world.library.videos.restoreMany(world.caller, [videoId]);
  expect(await rowsOf(videoId)).toEqual(before);
});

test('events of earlier versions get their incidents, on several nodes and after an interruption', async () => {
  const { db } = world.library.database;
  const videos: string[] = [];
  for (let n = 0; n < 3; n++) {
    const { videoId } = await world.addAnalyzed(world, cars());
    await ask(videoId, cars('car stops', 0.1));
    videos.push(videoId);
  }
  const before = await Promise.all(videos.map(rowsOf));
  await db.updateTable('analysisEvents').set({ incidentId: null, incidentSubject: null, footprint: null }).execute();
  const { incidents } = world.analyses;
  const pending = await incidents.countPending();
  expect(pending).toBeGreaterThanOrEqual(36);
  const stopped = new AbortController();
  const interrupted = {
    get aborted() {
      return stopped.signal.aborted;
    },
    // The first video is done, then the process ends.
    throwIfAborted() {
      stopped.signal.throwIfAborted();
      stopped.abort();
    },
  } as AbortSignal;
  await expect(incidents.assignEarlier(interrupted)).rejects.toThrow();
  const left = await incidents.countPending();
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(pending);
  const { signal } = new AbortController();
  await Promise.all([1, 2].map(() => incidents.assignEarlier(signal)));
  expect(await incidents.countPending()).toBe(0);
  expect(await Promise.all(videos.map(rowsOf))).toEqual(before);
});

test('verdicts, assignments and answers on one video at once wait for each other', async () => {
  const { videoId, analysisId } = await world.addAnalyzed(world, cars());
  const other = await ask(videoId, cars('car stops', 0.1));
  const all = [analysisId, other].flatMap((id) => [0, 1, 2, 3, 4, 5].map((position) => `${id}-${position}`));
  await Promise.all([
    ...[0, 1, 2, 3, 4, 5].flatMap((position) => [
      review(analysisId, position, 'approved'),
      review(other, 5 - position, 'rejected'),
    ]),
    world.library.review.assign(world.caller, all, { userId: null, seconds: 60 }),
    world.library.review.assign(world.caller, all.toReversed(), { userId: null, seconds: 60 }),
    ask(videoId, cars('car moves')),
  ]);
  const ids = await incidentsOf(videoId);
  expect(new Set(ids).size).toBe(6);
});
