// Review of events through the API: verdicts, corrections, missed events, undo, assignment and a second reviewer.
import { describe, expect, test } from 'vitest';
import {
  ada,
  analyzed,
  colleague,
  done,
  type Event,
  grace,
  type Json,
  list,
  type Person,
  review,
  send,
  useReviews,
  world,
} from './review.fixture.ts';

useReviews();

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
          kind: 'changed',
          user_id: ada.caller.userId,
          undone: false,
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
      description: 'blue car',
      time: 't=0.500',
      end_time: 't=2.000',
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
    event_id: `${analysisId}-3`,
    type: 'manual',
    severity: 'medium',
    confidence: 1,
    approval: 'approved',
    start_s: 4,
    end_s: 6,
    review: { added: true },
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
    const { userId: user_id } = await world.library.addUser();
    const foreign = await send('POST', '/api/review/assign', { event_ids: ids, user_id });
    expect(foreign).toMatchObject({ status: 403, json: { error: 'reviewer_forbidden' } });
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
    query,
    engine_version: 'test-1',
    folder_id: folder.id,
    folder_name: query,
    approved: 2,
    rejected: 1,
    unsure: 0,
    pending: 0,
    added: 1,
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

test('verdicts of different people on one document at once are all stored', async () => {
  const { ids, document } = await analyzed();
  const people = [ada, grace, await colleague()];
  await Promise.all(people.map((by, i) => review(ids[i]!, { approval: 'approved' }, by)));
  expect((await document()).analysis.events.map(({ approval }) => approval)).toEqual(Array(3).fill('approved'));
});
