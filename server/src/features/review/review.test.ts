// Review of events through the API: verdicts, corrections, missed events, undo, assignment and a second reviewer.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller, Scope } from '#platform/http/index';
import { type AnalysesWorld, openAnalyses } from '../analyses/analyses.fixture.ts';
import { agreementOf } from './agreement.ts';

type Person = { key: string; caller: Caller };
type Json = Record<string, unknown>;
type Event = Json & { event_id: string; approval: string; label: string; review: Json | null };

let world: AnalysesWorld;
let ada: Person;
let grace: Person;
beforeAll(async () => {
  world = await openAnalyses();
  ada = { key: world.key, caller: world.caller };
  grace = await colleague();
});
afterAll(() => world?.close());

const colleague = async (scopes: Scope[] = ['read', 'write']) =>
  world.library.keyOf(await world.library.addUser(world.caller.orgId), scopes);

async function send(method: string, path: string, json?: object, { key }: Pick<Person, 'key'> = ada) {
  return world.api.call(method, path, json ? { key, json } : { key });
}
async function done<T = Json>(...request: Parameters<typeof send>): Promise<T> {
  const { status, json } = await send(...request);
  expect(status, JSON.stringify(json)).toBe(200);
  return json as T;
}
const review = (id: string, json: object, by: Pick<Person, 'key'> = ada) =>
  done<Event>('PATCH', `/api/events/${id}`, json, by);
const list = async (query = '', by: Pick<Person, 'key'> = ada) =>
  done<{ events: Event[]; facets: { approvals: Json[] } }>('GET', `/api/events?${query}`, undefined, by);

/** A shared video with one analysis of three events; ids of its events. */
async function analyzed(more: { folderId?: string } = {}, query?: string) {
  const videoId = await world.addVideo({ scope: 'org', ...more });
  const analysisId = await world.start(videoId, undefined, query);
  const status = async () => (await world.call(videoId, analysisId, '/status')).json.status;
  await expect.poll(status).toBe('COMPLETED');
  const document = async () =>
    (await world.call(videoId, analysisId)).json as unknown as {
      analysis: { events: Event[] };
      events: Event[];
    };
  return { videoId, analysisId, document, ids: [0, 1, 2].map((n) => `${analysisId}-${n}`) as [string, string, string] };
}

describe('a verdict', () => {
  test('is in the document, the list, its facets and the history', async () => {
    const { videoId, ids, document } = await analyzed();
    const rejected = await review(ids[0], { approval: 'rejected', reason: 'wrong thing' });
    expect(rejected).toMatchObject({ approval: 'rejected', review: { reason: 'wrong thing', original: null } });
    await review(ids[1], { approval: 'approved' }, grace);

    const { analysis, events } = await document();
    expect(analysis.events.map(({ approval }) => approval)).toEqual(['rejected', 'approved', 'pending']);
    expect(events.map(({ approval }) => approval)).toEqual(['rejected', 'approved', 'pending']);
    const approved = await list(`video_id=${videoId}&approval=approved&facets=true`);
    expect(approved.events).toMatchObject([{ event_id: ids[1], approval: 'approved' }]);
    expect(approved.facets.approvals).toEqual([{ value: 'approved', count: 1 }]);
    expect(await done('GET', `/api/events/${ids[0]}`)).toEqual(rejected);
    expect(await done('GET', `/api/events/${ids[0]}/history`)).toMatchObject({
      changes: [
        {
          ...{ kind: 'changed', user_id: ada.caller.userId, undone: false },
          before: { approval: 'pending', reason: null },
          after: { approval: 'rejected', reason: 'wrong thing' },
        },
      ],
    });
  });

  test('is replaced by a later one, and withdrawn by `pending`; the same one again changes nothing', async () => {
    const { ids } = await analyzed();
    await review(ids[0], { approval: 'approved' });
    await review(ids[0], { approval: 'approved' });
    expect(await review(ids[0], { approval: 'unsure' }, grace)).toMatchObject({ approval: 'unsure' });
    expect(await review(ids[0], { approval: 'pending' }, grace)).toMatchObject({ approval: 'approved' });
    const { changes } = await done<{ changes: Json[] }>('GET', `/api/events/${ids[0]}/history`);
    expect(changes.map(({ user_id }) => user_id === ada.caller.userId)).toEqual([false, false, true]);
  });

  test('stays when the video is deleted and restored', async () => {
    const { videoId, ids } = await analyzed();
    await review(ids[0], { approval: 'approved' });
    const { db } = world.library.database;
    await db.deleteFrom('analysisEvents').where('videoId', '=', videoId).execute();
    await world.library.database.transaction((trx) => world.analyses.eventIndex.onVideoRestored(trx, videoId));
    expect(await done('GET', `/api/events/${ids[0]}`)).toMatchObject({ approval: 'approved' });
  });

  test('loses its history with the video', async () => {
    const { videoId, ids, analysisId } = await analyzed();
    await review(ids[0], { approval: 'approved', note: 'a name' });
    await done('DELETE', `/api/video/${videoId}`);
    const { db } = world.library.database;
    const left = db.selectFrom('reviewChanges').select('id').where('analysisId', '=', analysisId);
    await expect.poll(() => left.execute()).toEqual([]);
    expect((await send('GET', `/api/events/${ids[0]}`)).json).toMatchObject({ error: 'event_not_found' });
  });

  test('is recorded in the audit log and in the activity of the organization', async () => {
    const { ids, analysisId } = await analyzed();
    await review(ids[2], { approval: 'approved' });
    const admin = await colleague(['admin']);
    const { events } = await done<{ events: Json[] }>(
      'GET',
      '/api/audit-events?action=event.reviewed',
      undefined,
      admin,
    );
    expect(events[0]).toMatchObject({ subject_id: ids[2], detail: { approval: 'approved', event_ids: [ids[2]] } });
    const { db } = world.library.database;
    const changes = db.selectFrom('activity').select('change').where('resourceId', '=', analysisId).orderBy('sequence');
    expect((await changes.execute()).at(-1)).toEqual({ change: 'reviewed' });
  });

  test('of several events is all or none, and undone together', async () => {
    const { videoId, ids } = await analyzed();
    const other = await analyzed();
    const all = [...ids, other.ids[0]];
    const { events } = await done<{ events: Event[] }>('POST', '/api/events/review', {
      event_ids: all,
      approval: 'approved',
    });
    expect(events.map((event) => [event.event_id, event.approval])).toEqual(all.map((id) => [id, 'approved']));
    const missing = { event_ids: [ids[0], `${'0'.repeat(32)}-0`], approval: 'rejected' };
    expect((await send('POST', '/api/events/review', missing)).json).toMatchObject({ error: 'event_not_found' });
    await done('POST', '/api/review/undo');
    expect((await list(`video_id=${videoId}`)).events.map(({ approval }) => approval)).toEqual(
      Array(3).fill('pending'),
    );
    expect(await done('GET', `/api/events/${other.ids[0]}`)).toMatchObject({ approval: 'pending' });
  });
});

describe('a correction', () => {
  test('keeps what the engine reported, and is undone exactly', async () => {
    const { ids, document } = await analyzed();
    const before = await document();
    const edited = await review(ids[0], { label: 'blue car', severity: 'high', start_s: 0.5, end_s: 2, note: 'fog' });
    expect(edited).toMatchObject({ label: 'blue car', severity: 'high', start_s: 0.5, end_s: 2, approval: 'pending' });
    const after = await document();
    expect(after.analysis.events[0]).toMatchObject({
      ...{ description: 'blue car', time: 't=0.500', end_time: 't=2.000' },
      data: { start_pts: 45_000, end_pts: 180_000 },
      review: { note: 'fog', original: { label: 'red car 0', severity: 'medium', start_s: 0.34, start_pts: 30_600 } },
    });
    expect(after.events[0]).toMatchObject({ label: 'blue car', start_pts: 45_000, t_end: '00:02' });
    expect((await list('q=blue')).events.map(({ event_id }) => event_id)).toContain(ids[0]);

    await done('POST', '/api/review/undo');
    const { review: state, ...restored } = (await document()).analysis.events[0]!;
    expect(restored).toEqual(before.analysis.events[0]);
    expect(state).toMatchObject({ verdicts: [], note: null, original: null });
  });

  test.each([
    [{ start_s: 3 }, 'event_range_invalid'],
    [{ end_s: 500 }, 'event_range_invalid'],
    [{}, 'review_empty'],
  ])('%j is refused: %s', async (json, error) => {
    const { ids } = await analyzed();
    expect(await send('PATCH', `/api/events/${ids[0]}`, json)).toMatchObject({ status: 400, json: { error } });
  });

  test('of somebody else in between refuses an undo', async () => {
    const { ids } = await analyzed();
    await review(ids[0], { label: 'blue car' });
    await review(ids[0], { label: 'green car' }, grace);
    const refused = await send('POST', '/api/review/undo');
    expect(refused).toMatchObject({ status: 409, json: { error: 'review_superseded' } });
    expect(await done('GET', `/api/events/${ids[0]}`)).toMatchObject({ label: 'green car' });
  });
});

test('a missed event is the last of the document, and an undo rejects it', async () => {
  const { videoId, analysisId, document, ids } = await analyzed();
  const path = `/api/videos/${videoId}/analyses/${analysisId}/events`;
  const added = await done<Event>('POST', path, { label: 'a cyclist', start_s: 4, end_s: 6 });
  expect(added).toMatchObject({
    ...{ event_id: `${analysisId}-3`, type: 'manual', severity: 'medium', confidence: 1, approval: 'approved' },
    ...{ start_s: 4, end_s: 6, review: { added: true } },
  });
  const image = await fetchImage(String(added.annotated_thumbnail_url));
  expect(image).toBe('jpeg at 5');
  expect((await document()).analysis.events.map(({ event_id }) => event_id)).toEqual([...ids, added.event_id]);
  expect((await list(`video_id=${videoId}&added=true`)).events).toMatchObject([{ event_id: added.event_id }]);
  await done('POST', '/api/review/undo');
  const state = await done('GET', `/api/events/${added.event_id}`);
  expect(state).toMatchObject({ approval: 'rejected', review: { reason: 'withdrawn' } });
});

async function fetchImage(url: string): Promise<string> {
  const { pathname, search } = new URL(url);
  return (await world.api.call('GET', pathname + search, {})).text;
}

describe('the events to review', () => {
  test('are those without a verdict that nobody else works on, least confident first', async () => {
    const { videoId, ids } = await analyzed();
    const queue = async (by: Person) =>
      (await list(`video_id=${videoId}&to_review=true&sort=confidence`, by)).events.map(({ event_id }) => event_id);
    expect(await queue(ada)).toEqual(ids);
    const assigned = await done('POST', '/api/review/assign', { event_ids: [ids[0], ids[1]], seconds: 60 }, grace);
    expect(assigned).toMatchObject({ event_ids: [ids[0], ids[1]] });
    expect(await queue(ada)).toEqual([ids[2]]);
    expect(await queue(grace)).toEqual(ids);
    const mine = await list(`video_id=${videoId}&assigned=true`, grace);
    expect(mine.events.map((e) => e.assigned_to)).toEqual([grace.caller.userId, grace.caller.userId]);
    // Ada can neither take nor release what Grace works on.
    expect(await done('POST', '/api/review/assign', { event_ids: ids })).toMatchObject({ event_ids: [ids[2]] });
    expect(await done('POST', '/api/review/release', { event_ids: [ids[0]] })).toMatchObject({ event_ids: [] });
    await done('POST', '/api/review/release', { event_ids: [ids[0]] }, grace);
    const { db } = world.library.database;
    const past = new Date(Date.now() - 1000);
    await db.updateTable('analysisEvents').set({ leaseUntil: past }).where('videoId', '=', videoId).execute();
    expect(await queue(ada)).toEqual(ids);
    await review(ids[1], { approval: 'approved' }, grace);
    expect(await queue(ada)).toEqual([ids[0], ids[2]]);
  });

  test('pages continue in the order of rising confidence', async () => {
    const { videoId, ids } = await analyzed();
    const query = `video_id=${videoId}&to_review=true&sort=confidence&limit=2`;
    const first = (await done<Json>('GET', `/api/events?${query}`)) as { next_cursor: string; events: Event[] };
    const rest = await list(`${query}&cursor=${encodeURIComponent(first.next_cursor)}`);
    expect([...first.events, ...rest.events].map(({ event_id }) => event_id)).toEqual(ids);
  });

  test('are assigned to members only', async () => {
    const { ids } = await analyzed();
    const refused = await send('POST', '/api/review/assign', { event_ids: ids, user_id: 'nobody' });
    expect(refused).toMatchObject({ status: 404, json: { error: 'reviewer_not_found' } });
  });
});

test('a folder with two reviewers decides when they agree, and shows how far they do', async () => {
  const folder = await done<{ id: string }>('POST', '/api/folders', { name: 'Two eyes', scope: 'org' });
  await done('PUT', `/api/review/folders/${folder.id}`, { reviewers: 2 });
  const { ids, videoId } = await analyzed({ folderId: folder.id });
  expect(await review(ids[0], { approval: 'approved' })).toMatchObject({ approval: 'pending' });
  const waiting = async (by: Person) =>
    (await list(`video_id=${videoId}&to_review=true&sort=confidence`, by)).events.map(({ event_id }) => event_id);
  expect(await waiting(ada)).toEqual([ids[1], ids[2]]);
  expect(await waiting(grace)).toEqual(ids);
  expect(await review(ids[0], { approval: 'approved' }, grace)).toMatchObject({ approval: 'approved' });

  await review(ids[1], { approval: 'approved' });
  const disputed = await review(ids[1], { approval: 'rejected', reason: 'wrong time' }, grace);
  expect(disputed).toMatchObject({ approval: 'pending', review: { disputed: true } });
  expect((await list(`folder_id=${folder.id}&disputed=true`)).events).toMatchObject([{ event_id: ids[1] }]);
  const third = await colleague();
  expect(await review(ids[1], { approval: 'rejected' }, third)).toMatchObject({ approval: 'rejected' });

  const state = await done<{ reviewers: number; agreement: (Json & { reviewers: Json[] })[] }>(
    'GET',
    `/api/review/folders/${folder.id}`,
  );
  expect(state.reviewers).toBe(2);
  const pair = state.agreement.find(({ events }) => events === 2);
  expect(pair?.reviewers.map(({ user_id }) => user_id).sort()).toEqual([ada.caller.userId, grace.caller.userId].sort());
  expect(pair).toMatchObject({ observed: 0.5, kappa: 0 });
});

test('scores count what reviewers decided, added and corrected, by prompt', async () => {
  const query = `a car of scores ${Date.now()}`;
  const folder = await done<{ id: string }>('POST', '/api/folders', { name: query, scope: 'org' });
  const { videoId, analysisId, ids } = await analyzed({ folderId: folder.id }, query);
  await review(ids[0], { approval: 'approved', start_s: 0.34, end_s: 2.66 });
  await review(ids[1], { approval: 'approved' });
  await review(ids[2], { approval: 'rejected' });
  const added = { label: 'a car', start_s: 1, end_s: 2 };
  await done('POST', `/api/videos/${videoId}/analyses/${analysisId}/events`, added);
  const scoresOf = async (by: Person, filter: string) =>
    (await done<{ scores: Json[] }>('GET', `/api/review/scores?${filter}`, undefined, by)).scores;
  const [score, ...others] = await scoresOf(grace, `query=${encodeURIComponent(query)}`);
  expect(others).toEqual([]);
  expect(score).toMatchObject({
    ...{ query, engine_version: 'test-1', folder_id: folder.id, folder_name: query },
    ...{ approved: 2, rejected: 1, unsure: 0, pending: 0, added: 1 },
    precision: { value: 0.666667, low: expect.closeTo(0.20766, 5), high: expect.closeTo(0.93851, 5) },
    recall: { value: 0.666667 },
    // The first event was half as long as it is now.
    overlap: { value: 0.75 },
    calibration: [{ from: 0.8, to: 0.9, events: 3, confidence: 0.8, approved: 0.666667 }],
  });
  expect(await scoresOf(grace, `folder_id=${folder.id}`)).toEqual([score]);
  const stranger = await world.library.keyOf(await world.library.addUser(), ['admin']);
  expect(await scoresOf(stranger, '')).toEqual([]);
});

test('samples of time without events estimate recall, and none is drawn twice', async () => {
  const query = `a car of samples ${Date.now()}`;
  const folder = await done<{ id: string }>('POST', '/api/folders', { name: query, scope: 'org' });
  const { videoId, analysisId, ids } = await analyzed({ folderId: folder.id }, query);
  // A correction does not change what the engine found.
  await review(ids[0], { approval: 'approved', start_s: 0, end_s: 12 });
  await review(ids[1], { approval: 'rejected' });
  type SampledRange = { start_s: number; end_s: number; analysis_id: string };
  const draw = async (more = '', by = ada) =>
    (
      await done<{ samples: SampledRange[] }>(
        ...([
          'GET',
          `/api/review/samples?query=${encodeURIComponent(query)}&length_s=2${more}`,
          undefined,
          by,
        ] as const),
      )
    ).samples;
  const answer = (json: Json, by = ada) =>
    send('POST', `/api/videos/${videoId}/analyses/${analysisId}/samples`, json, by);
  const sampled = async () => {
    const { scores } = await done<{ scores: (Json & { sampled: Json | null })[] }>(
      ...(['GET', `/api/review/scores?folder_id=${folder.id}`] as const),
    );
    return scores[0]!.sampled;
  };

  const drawn = await draw('&count=100', grace);
  const found = (await list(`video_id=${videoId}`)).events as unknown as {
    review: { original: SampledRange } | null;
  }[];
  const engine = found.map((event) => event.review?.original ?? (event as unknown as SampledRange));
  let [reachedS, unmatchedS] = [0, 12.5];
  for (const { start_s, end_s } of engine.toSorted((a, b) => a.start_s - b.start_s)) {
    unmatchedS -= Math.max(0, end_s - Math.max(start_s, reachedS));
    reachedS = Math.max(reachedS, end_s);
  }
  expect(drawn.length).toBeGreaterThan(2);
  for (const sample of drawn) {
    expect(sample).toMatchObject({ video_id: videoId, analysis_id: analysisId, query });
    for (const { start_s, end_s } of engine) expect(sample.end_s <= start_s || sample.start_s >= end_s).toBe(true);
  }
  expect((await draw('&count=1')).length).toBe(1);
  expect(await sampled()).toBeNull();

  const [first, second, ...others] = drawn as [SampledRange, SampledRange, ...SampledRange[]];
  const timesOf = ({ start_s, end_s }: SampledRange) => ({ start_s, end_s });
  const event = { label: 'a car', ...timesOf(first) };
  const missed = await answer({ ...timesOf(first), verdict: 'missed', event }, grace);
  expect(missed).toMatchObject({
    status: 200,
    json: { verdict: 'missed', event: { label: 'a car', approval: 'approved', start_s: first.start_s } },
  });
  // A second one in the same range counts, too.
  await answer({ ...timesOf(first), verdict: 'missed', event: { ...event, label: 'a van' } });
  await answer({ ...timesOf(second), verdict: 'missed' });
  await answer({ ...timesOf(second), verdict: 'unsure' });
  for (const sample of others) await answer({ ...timesOf(sample), verdict: 'clear' });
  expect(await draw('&count=100')).toEqual([]);
  const lengthS = (ranges: readonly SampledRange[]) =>
    ranges.reduce((sum, { start_s, end_s }) => sum + end_s - start_s, 0);
  const score = (await sampled())!;
  expect(score).toMatchObject({ ranges: drawn.length - 1, missed: 1, events: 2 });
  expect(score.sampled_s).toBeCloseTo(lengthS([first, ...others]), 2);
  expect(score.unmatched_s).toBeCloseTo(unmatchedS, 2);
  const { value, low, high } = score.recall as Record<string, number>;
  expect(low! < value! && value! < high! && value! > 0.2 && value! < 0.7).toBe(true);

  const stranger = await world.library.keyOf(await world.library.addUser(), ['admin']);
  expect(await draw('', stranger)).toEqual([]);
  expect(await answer({ ...timesOf(first), verdict: 'clear' }, stranger)).toMatchObject({ status: 403 });
  for (const bad of [
    { start_s: 5, end_s: 5, verdict: 'clear' },
    { start_s: 0, end_s: 121, verdict: 'clear' },
    { start_s: 20, end_s: 22, verdict: 'clear' },
    { start_s: 12.4, end_s: 12.6, verdict: 'clear' },
    { start_s: first.start_s + 0.5, end_s: first.end_s, verdict: 'clear' },
    { ...timesOf(first), verdict: 'clear', event },
    { ...timesOf(first), verdict: 'missed', event: { ...event, start_s: first.end_s, end_s: first.end_s } },
  ]) {
    expect(await answer(bad), JSON.stringify(bad)).toMatchObject({ status: 400, json: { error: 'sample_invalid' } });
  }
});

test('verdicts of different people on one document at once are all stored', async () => {
  const { ids, document } = await analyzed();
  const people = [ada, grace, await colleague()];
  await Promise.all(people.map((by, i) => review(ids[i]!, { approval: 'approved' }, by)));
  expect((await document()).analysis.events.map(({ approval }) => approval)).toEqual(Array(3).fill('approved'));
});

// Figures of a worked example: 20 both yes, 15 both no, 5 and 10 mixed; agreement 0.7, chance 0.5, kappa 0.4.
test("Cohen's kappa", () => {
  const pairs = [
    { first: 'approved', second: 'approved', count: 20 },
    { first: 'approved', second: 'rejected', count: 5 },
    { first: 'rejected', second: 'approved', count: 10 },
    { first: 'rejected', second: 'rejected', count: 15 },
  ];
  expect(agreementOf(pairs)).toEqual({ events: 50, observed: 0.7, kappa: expect.closeTo(0.4, 12) });
  expect(agreementOf([{ first: 'approved', second: 'approved', count: 9 }])).toMatchObject({
    observed: 1,
    kappa: null,
  });
});
