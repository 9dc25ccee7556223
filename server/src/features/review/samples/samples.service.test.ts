import { expect, test } from 'vitest';
import { ada, analyzed, done, grace, type Json, list, review, send, useReviews, world } from '../review.fixture.ts';

useReviews();

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
        'GET',
        `/api/review/samples?query=${encodeURIComponent(query)}&length_s=2${more}`,
        undefined,
        by,
      )
    ).samples;
  const answer = (json: Json, by = ada) =>
    send('POST', `/api/videos/${videoId}/analyses/${analysisId}/samples`, json, by);
  const sampled = async () => {
    const { scores } = await done<{ scores: (Json & { sampled: Json | null })[] }>(
      'GET',
      `/api/review/scores?folder_id=${folder.id}`,
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
