// Incidents of the stored events of several questions on one video.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

test('a person parts an incident and joins others, and later answers respect it', async () => {
  const { videoId, analysisId } = await world.addAnalyzed(world, cars());
  const second = await ask(videoId, cars('red car in view', 0.1));
  const decide = (event: string, others: string[], same: boolean | null, key = world.key) =>
    world.api.call('POST', `/api/events/${event}/incident`, { key, json: { event_ids: others, same } });
  const [a, b] = [`${analysisId}-0`, `${second}-0`];
  expect((await decide(b, [a], false)).json).toEqual({
    events: [
      { event_id: b, incident_id: b },
      { event_id: a, incident_id: a },
    ],
  });
  // The parked car of another place is the same one, also of another time.
  expect((await decide(`${analysisId}-3`, [a], true)).json.events).toEqual([
    { event_id: `${analysisId}-3`, incident_id: a },
    { event_id: a, incident_id: a },
  ]);
  const third = await ask(videoId, cars('car stops', 0.2));
  const of = async () =>
    new Map((await rowsOf(videoId)).map((row) => [`${row.analysisId}-${row.position}`, row.incidentId]));
  const incidents = await of();
  // A later answer joins one of both, and they stay apart.
  expect([incidents.get(a), incidents.get(b), incidents.get(`${analysisId}-3`)]).toEqual([a, b, a]);
  expect([a, b]).toContain(incidents.get(`${third}-0`));
  expect(incidents.get(`${third}-1`)).toBe(`${analysisId}-1`);
  const { json } = await world.api.call('GET', `/api/events?video_id=${videoId}&per=incident&limit=1&facets=true`, {
    key: world.key,
  });
  expect(json.facets).toMatchObject({ total: 6 });

  await review(second, 0, 'approved');
  await world.library.analyses.remove(world.caller, videoId, third, null);
  expect([(await of()).get(a), (await of()).get(b)]).toEqual([a, b]);
  expect((await decide(b, [a], null)).status).toBe(200);
  expect([(await of()).get(a), (await of()).get(b)]).toEqual([a, a]);

  const other = await world.addAnalyzed(world, cars());
  expect(await decide(a, [`${other.analysisId}-0`], true)).toMatchObject({
    status: 400,
    json: { error: 'incident_videos_differ' },
  });
  expect((await decide(a, [`${analysisId}-9`], true)).status).toBe(404);
  const reader = await world.person(['read']);
  expect((await decide(a, [b], true, reader.key)).status).toBe(403);
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

test('a verdict leaves the incidents of other times as they are', async () => {
  const { videoId, analysisId } = await world.addAnalyzed(world, [car(0), car(4)]);
  const other = await ask(videoId, [car(0), car(4)]);
  const [first, second] = [`${analysisId}-0`, `${analysisId}-1`];
  expect(await incidentsOf(videoId)).toEqual([first, second, first, second]);
  await review(analysisId, 1, 'approved');
  await review(other, 1, 'rejected');
  expect(await incidentsOf(videoId)).toEqual([first, second, first, `${other}-1`]);
  await review(other, 1, 'pending');
  expect(await incidentsOf(videoId)).toEqual([first, second, first, second]);
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

describe('a list per incident', () => {
  const QUESTIONS = [
    ['car in view', 'a car'],
    ['red car enters from the left', 'a red car enters'],
    ['red car in view', 'a red car'],
  ] as const;
  let made: Promise<{ videoId: string; analyses: [string, string, string] }> | null = null;

  /** A video of the team on which three questions report six cars each. */
  function askThree() {
    made ??= (async () => {
      const [first, second, third] = QUESTIONS;
      const { videoId, analysisId } = await world.addAnalyzed(world, cars(first[0]), { scope: 'org' }, first[1]);
      const analyses: [string, string, string] = [analysisId, '', ''];
      for (const [at, [label, query]] of [second, third].entries()) {
        world.engine.events = cars(label, 0.1);
        analyses[at + 1] = await world.analyze(videoId, world.caller, query);
      }
      return { videoId, analyses };
    })();
    return made;
  }

  test('has one event of each, with what it stands for, across pages in all orders', async () => {
    const { videoId } = await askThree();
    const all = await world.list(`?video_id=${videoId}&facets=true`);
    expect(all.events.length).toBe(18);
    expect(all.facets.total).toBe(18);
    expect(all.events.every(({ incident }) => incident === null)).toBe(true);
    for (const sort of ['-created_at', '-confidence', 'confidence']) {
      const events = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page = await world.list(`?video_id=${videoId}&per=incident&limit=4&sort=${sort}&cursor=${cursor}`);
        events.push(...page.events);
        cursor = page.next_cursor;
      }
      expect(events.map(({ incident }) => incident)).toEqual(
        Array.from({ length: 6 }, () => ({ events: 3, questions: 3 })),
      );
      expect(new Set(events.map(({ incident_id }) => incident_id)).size).toBe(6);
    }
    expect((await world.list(`?video_id=${videoId}&per=incident&facets=true`)).facets).toMatchObject({
      total: 6,
      is_complete: true,
      labels: QUESTIONS.map(([label]) => ({ value: label, count: 6 })).toSorted((a, b) => (a.value < b.value ? -1 : 1)),
    });
  });

  test('shows an incident if one of its events matches, and lists the others by its id', async () => {
    const { videoId, analyses } = await askThree();
    const label = encodeURIComponent('car in view');
    const { events } = await world.list(`?video_id=${videoId}&per=incident&label=${label}`);
    expect(events.map((event) => event.analysis_id)).toEqual(Array.from({ length: 6 }, () => analyses[0]));
    const others = await world.list(`?incident_id=${events[0]!.incident_id}`);
    expect(others.events.map((event) => event.analysis_id)).toEqual(analyses.toReversed());
  });

  test('counts incidents in the library, beside events', async () => {
    const { videoId } = await askThree();
    const { json } = await world.api.call('GET', '/api/videos?include=events&limit=1', { key: world.key });
    expect(json.videos).toMatchObject([
      { video_id: videoId, events: { count: 18, incidents: 6, pending: 18, pending_incidents: 6 } },
    ]);
  });

  test('is part of documents and their events beside the id of the event', async () => {
    const { videoId, analyses } = await askThree();
    const { json } = await world.call(videoId, analyses[1]!);
    const document = json as unknown as { events: object[]; analysis: { events: object[] } };
    for (const events of [document.events, document.analysis.events]) {
      expect(events).toEqual(
        [0, 1, 2, 3, 4, 5].map((position) =>
          expect.objectContaining({
            event_id: `${analyses[1]}-${position}`,
            incident_id: `${analyses[0]}-${position}`,
          }),
        ),
      );
    }
  });

  test('shows verdicts that follow from that on another event, which count nowhere', async () => {
    const { videoId, analyses } = await askThree();
    const [weak, strong, middle] = analyses.map((id) => `${id}-0`) as [string, string, string];
    await review(analyses[1]!, 0, 'approved');
    const read = async () => {
      const { events } = await world.list(`?incident_id=${weak}`);
      return Object.fromEntries(events.map(({ event_id, approval, implied }) => [event_id, [approval, implied]]));
    };
    const follows = { approval: 'approved', event_id: strong };
    expect(await read()).toEqual({
      [weak]: ['pending', follows],
      [middle]: ['pending', follows],
      [strong]: ['approved', null],
    });
    expect((await world.list(`?video_id=${videoId}&approval=approved`)).events.length).toBe(1);
    // The queue per incident leaves it out, and that of events keeps its rows.
    expect((await world.list(`?video_id=${videoId}&to_review=true`)).events.length).toBe(17);
    expect((await world.list(`?video_id=${videoId}&to_review=true&per=incident`)).events.length).toBe(5);
    await review(analyses[1]!, 0, 'pending');
    await review(analyses[0]!, 0, 'approved');
    expect(await read()).toEqual({
      [weak]: ['approved', null],
      [middle]: ['pending', null],
      [strong]: ['pending', null],
    });
  });

  test('implies nothing by a verdict that its reader does not see', async () => {
    const other = await world.person(['read', 'write'], world.caller.orgId);
    const made = await world.addAnalyzed(other, [car(0)], { scope: 'user' });
    const { db } = world.library.database;
    await db.updateTable('videos').set({ scope: 'org' }).where('id', '=', made.videoId).execute();
    world.engine.events = [car(0)];
    const shared = await world.analyze(made.videoId, world.caller);
    expect(new Set(await incidentsOf(made.videoId)).size).toBe(1);
    await world.library.review.change(other.caller, [`${made.analysisId}-0`], { approval: 'approved' }, null);
    const { events } = await world.list(`?video_id=${made.videoId}`);
    expect(events.map(({ event_id, implied }) => [event_id, implied])).toEqual([[`${shared}-0`, null]]);
  });
});
