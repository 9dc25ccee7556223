// Comparisons over HTTP: a changed query runs on reviewed videos, and its figures stand beside the earlier ones.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createEvent } from '#test/events';
import { type AnalysesWorld, openAnalyses } from '../analyses/analyses.fixture.ts';

type Side = { right: number; wrong: number; undecided: number; missed: number } & Record<
  'precision' | 'recall' | 'overlap',
  { value: number } | null
>;
type Comparison = {
  status: string;
  videos: number;
  compared_videos: number;
  unchanged: number;
  appeared: number;
  disappeared: number;
  baseline: Side;
  candidate: Side;
  events: { change: string; judgment: string; event: { event_id: string; start_s: number; video_id: string } }[];
};
const WAIT = { timeout: 60_000, interval: 20 };

let world: AnalysesWorld;
beforeAll(async () => {
  world = await openAnalyses();
});
afterAll(() => world?.close());

async function done<T>(method: string, path: string, json?: object): Promise<T> {
  const answer = await world.api.call(method, path, json ? { key: world.key, json } : { key: world.key });
  expect(answer.status, answer.text).toBe(200);
  return answer.json as T;
}
const completed = (batchId: string) =>
  vi.waitFor(async () => {
    const { status } = await done<{ status: string }>('GET', `/api/batch/${batchId}/status`);
    expect(status).toBe('completed');
  }, WAIT);
/** Events of the engine, each 1.16 s long; the first starts at 0.34 s, and the next every two seconds. */
const finds = (...indexes: number[]) => {
  world.engine.events = indexes.map((index) => createEvent(index));
};
async function ask(query: string, videoIds: string[]): Promise<string> {
  const { batch_id } = await done<{ batch_id: string }>('POST', '/api/router/v2/query/start', {
    query,
    video_ids: videoIds,
  });
  await completed(batch_id);
  return batch_id;
}
const compare = (batchId: string, more = '') => done<Comparison>('GET', `/api/comparisons/${batchId}${more}`);

test('a changed prompt is compared with its reviewed answers, and verdicts on its events count', async () => {
  const [reviewed, other] = [await world.addVideo(), await world.addVideo()];
  finds(0, 1, 2);
  const query = 'a car turns';
  const baseline = await ask(query, [reviewed, other]);
  const list = await done<{ events: { event_id: string; start_s: number }[] }>(
    'GET',
    `/api/events?batch_id=${baseline}&video_id=${reviewed}`,
  );
  const [first, second, third] = list.events.toSorted((a, b) => a.start_s - b.start_s).map((event) => event.event_id);
  await done('PATCH', `/api/events/${first}`, { approval: 'approved' });
  await done('PATCH', `/api/events/${second}`, { approval: 'approved' });
  await done('PATCH', `/api/events/${third}`, { approval: 'rejected' });
  const analysisId = first!.slice(0, 32);
  const missed = { label: 'A car turns', start_s: 8.34, end_s: 9.5 };
  await done('POST', `/api/videos/${reviewed}/analyses/${analysisId}/events`, missed);

  finds(0, 4, 5);
  const started = await done<{ batch_id: string; total: number }>('POST', '/api/comparisons', {
    query: 'a car turns left',
    baseline_query: query,
    min_confidence: 0.4,
  });
  // Only the reviewed video.
  expect(started.total).toBe(1);
  await completed(started.batch_id);
  const compared = await compare(started.batch_id);
  expect(compared).toMatchObject({
    status: 'completed',
    videos: 1,
    compared_videos: 1,
    unchanged: 1,
    appeared: 2,
    disappeared: 2,
    baseline: { right: 2, wrong: 1, undecided: 0, missed: 1 },
    candidate: { right: 2, wrong: 0, undecided: 1, missed: 1, precision: { value: 1 } },
  });
  expect(compared.baseline.precision!.value).toBeCloseTo(2 / 3, 6);
  expect(compared.baseline.recall!.value).toBeCloseTo(2 / 3, 6);
  expect(compared.candidate.recall!.value).toBeCloseTo(2 / 3, 6);
  const listed = compared.events.map(({ change, judgment, event }) => [change, judgment, event.start_s]);
  expect(listed).toEqual([
    ['disappeared', 'right', 2.34],
    ['disappeared', 'wrong', 4.34],
    ['appeared', 'right', 8.34],
    ['appeared', 'undecided', 10.34],
  ]);
  await done('PATCH', `/api/events/${compared.events[3]!.event.event_id}`, { approval: 'rejected' });
  expect((await compare(started.batch_id)).candidate).toMatchObject({ right: 2, wrong: 1, undecided: 0 });

  // The same prompt with other settings is compared with the earlier answers, not with itself.
  finds(0, 1, 2);
  const same = await done<{ batch_id: string }>('POST', '/api/comparisons', { query, baseline_query: ` ${query} ` });
  await completed(same.batch_id);
  expect(await compare(same.batch_id)).toMatchObject({ unchanged: 3, appeared: 0, disappeared: 0, events: [] });
});

test('any batch can be compared, and refusals state the reason', async () => {
  const videoId = await world.addVideo();
  finds(0);
  const batchId = await ask('a dog runs', [videoId]);
  expect(await compare(batchId, '?baseline_query=a%20cat')).toMatchObject({
    videos: 1,
    compared_videos: 0,
    events: [],
  });
  const refuse = async (method: string, path: string, json?: object) => {
    const { status, json: problem } = await world.api.call(method, path, { key: world.key, ...(json ? { json } : {}) });
    return [status, (problem as { error: string }).error];
  };
  expect(await refuse('GET', `/api/comparisons/${batchId}`)).toEqual([400, 'comparison_without_baseline']);
  expect(await refuse('GET', '/api/comparisons/none')).toEqual([404, 'batch_not_found']);
  const nothing = { query: 'a dog', baseline_query: 'a dog runs' };
  expect(await refuse('POST', '/api/comparisons', nothing)).toEqual([409, 'comparison_nothing_reviewed']);
  const elsewhere = { ...nothing, folder_id: 'none' };
  expect(await refuse('POST', '/api/comparisons', elsewhere)).toEqual([404, 'folder_not_found']);
});
