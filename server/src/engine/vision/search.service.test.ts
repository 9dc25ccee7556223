import { describe, expect, it } from 'vitest';
import { isControl, kindOf } from '#test/servers/vision-oracle';
import { answer } from '../answer.ts';
import { mergeVisionResult } from './index.ts';
import { framesOf } from './oracle.fixture.ts';
import { clip, look, planner, useEyes } from './search.fixture.ts';

const open = useEyes();

describe('an oracle', () => {
  it.each([
    [10, [3, 6.2]],
    [10, [0, 9.96]],
    [60, [20.2, 21.4]],
    [140, [100, 130]],
  ] as const)('finds an event of a clip of %d s and its edges', async (seconds, [from, to]) => {
    const result = await look('a pothole', seconds, { pothole: [[from, to]] }, await open());
    expect(result.events).toMatchObject([
      { label: 'pothole', category: 'look', verification: { status: 'verified', by: 'look (eyes)' } },
    ]);
    expect(result.events[0]!.confidence).toBeGreaterThan(0.85);
    const [event] = result.events;
    expect(Math.abs(event!.startS - from)).toBeLessThanOrEqual(0.25);
    expect(Math.abs(event!.endS - to)).toBeLessThanOrEqual(0.25);
    expect(event!.startPts).toBe(Math.round(event!.startS * 90_000));
    expect(result.coverage).toMatchObject([{ text: 'pothole', status: 'partly', by: ['look (eyes)'], findings: 1 }]);
    expect(result.usage.shownShare).toBe(1);
  });

  it('finds the edges of an event of a short clip to the frame', async () => {
    const { events } = await look('a pothole', 8, { pothole: [[2.5, 4.7]] }, await open());
    const frameS = 1 / 25;
    expect(events).toHaveLength(1);
    expect(events[0]!.startS - 2.5).toBeGreaterThan(-1e-6);
    expect(events[0]!.startS - 2.5).toBeLessThanOrEqual(frameS + 1e-6);
    expect(4.7 - events[0]!.endS).toBeGreaterThan(-1e-6);
    expect(4.7 - events[0]!.endS).toBeLessThanOrEqual(frameS + 1e-6);
  });

  it('finds two events, and one that continues from window to window', async () => {
    const truth = {
      pothole: [
        [2, 4],
        [20, 50],
      ],
    } as const;
    const { events } = await look('a pothole', 60, truth, await open());
    expect(events.map(({ startS, endS }) => [Math.round(startS), Math.round(endS)])).toEqual([
      [2, 4],
      [20, 50],
    ]);
  });

  it('finds a short event in an hour, of which every minute is surveyed', async () => {
    const on = await open();
    const result = await look('a pothole', 3600, { pothole: [[2000, 2006]] }, on);
    expect(result.events).toHaveLength(1);
    expect(Math.abs(result.events[0]!.startS - 2000)).toBeLessThanOrEqual(1);
    expect(Math.abs(result.events[0]!.endS - 2006)).toBeLessThanOrEqual(1);
    expect(result.coverage[0]!.reason).toMatch(/small frames of all of it were surveyed, one every 2 s/);
    expect(result.usage.shownShare).toBeLessThan(0.1);
    expect(result.usage.inputTokens).toBeLessThan(320_000);
  });

  it('reports nothing where nothing is, and says what was shown', async () => {
    const on = await open();
    const result = await look('a pothole', 30, {}, on);
    expect(result).toMatchObject({ events: [], candidates: [], coverage: [{ status: 'partly', findings: 0 }] });
    expect(result.coverage[0]!.reason).toMatch(
      /0:00.0 to 0:30.0 \(100 % of what was searched, one frame every 0\.\d s\)/,
    );
  });

  it('sends times with each frame, and the key', async () => {
    const on = await open();
    await look('a pothole', 10, {}, on);
    const window = on.model.requests.find((request) => !isControl(request))!;
    expect(window.texts.filter((text) => /^Frame \d+ <\d+\.\d\d seconds>:$/.test(text))).toHaveLength(12);
    expect(window.authorization).toBe('Bearer k-1');
    expect(window.responseFormat).toMatchObject({ type: 'json_schema' });
  });

  it('answers a question in words, each sentence with its times', async () => {
    const truth = { 'the worker wears a white helmet': [[2, 9]], 'a forklift passes': [[5, 6]] } as const;
    const result = await look('is he wearing a helmet?', 10, truth, await open());
    expect(result.answer!.text).toMatch(/the worker wears a white helmet \(0:0[23]\.\d, 0:0\d\.\d\)\./);
    const texts = result.answer!.citations[0]!.sources.map(({ text }) => text);
    expect(new Set(texts)).toEqual(new Set(['the worker wears a white helmet']));
  });

  it('describes a video that observers would only list events of', async () => {
    const on = await open();
    const result = await look('summarize in three sentences', 10, { 'a cat jumps': [[4, 5]] }, on);
    expect(result.answer!.text).toMatch(/a cat jumps/);
    expect(result.coverage).toMatchObject([{ text: 'answer in words', status: 'partly', findings: 1 }]);
    const words = on.model.requests.find((request) => kindOf(request) === 'words')!;
    expect(words.texts.join()).toContain('"summarize in three sentences"');
  });

  it('shows every minute of an hour to describe it, and says how little that is', async () => {
    const on = await open();
    const result = await look('what happens', 3600, { 'a cat jumps': [[1800, 1860]] }, on);
    const labels = on.model.requests.filter((request) => !isControl(request)).flatMap(({ texts }) => texts);
    const times = labels.flatMap((text) => /^Frame \d+ <([\d.]+)/.exec(text)?.[1] ?? []).map(Number);
    for (let minute = 0; minute < 60; minute++)
      expect(times.some((timeS) => timeS >= 60 * minute && timeS < 60 * minute + 60)).toBe(true);
    expect(result.answer!.text).toContain('a cat jumps');
    expect(result.usage.shownShare).toBeCloseTo(480 / 3600, 2);
    expect(result.coverage[0]!.reason).toContain('(13 % of what was searched');
  });

  it('cites events by what identifies them', async () => {
    const known = { ...answer(planner.planQuery('cuts'), clip(10)), label: 'a cut' };
    const event = { ...known, startS: 2, endS: 3, startPts: 180_000, endPts: 270_000 } as never;
    const on = await open();
    const result = await look('what happens', 10, { 'a cat jumps': [[4, 5]] }, on, { events: [event] });
    expect(result.answer!.citations.flatMap(({ sources }) => sources)).toEqual([
      { timeS: 2, text: 'a cut', event: { startPts: 180_000, endPts: 270_000, label: 'a cut' } },
      { timeS: expect.any(Number), text: 'a cat jumps' },
    ]);
  });
});

it('asks nothing if observers can find everything, and reports progress otherwise', async () => {
  const on = await open();
  const plan = planner.planQuery('a red car stops');
  const source = framesOf(on.oracle, {});
  const fractions: number[] = [];
  const onProgress = (fraction: number) => void fractions.push(fraction);
  expect(await on.search.search({ plan, observations: clip(4), source, onProgress })).toBeNull();
  expect([on.model.requests.length, fractions.length]).toEqual([0, 0]);
  await look('a pothole', 4, {}, on, { onProgress });
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  expect([fractions[0], fractions.at(-1)]).toEqual([0, 1]);
});

it('stops when aborted', async () => {
  const on = await open((_request, reply) => ({ ...reply, delayMs: 5000 }));
  const controller = new AbortController();
  const looking = look('a pothole', 10, {}, on, { signal: controller.signal });
  setTimeout(() => controller.abort(new Error('stopped')), 100);
  await expect(looking).rejects.toThrow('stopped');
});

it('replaces the rows and words of what observers could not answer', async () => {
  const on = await open();
  const plan = planner.planQuery('cuts, a pothole');
  const before = answer(plan, clip(10));
  const result = await look('cuts, a pothole', 10, { pothole: [[3, 6]] }, on);
  const after = mergeVisionResult(plan, before, result);
  expect(after.coverage.map((row) => [row.text, row.status])).toEqual([
    ['cuts', 'looked_for'],
    ['pothole', 'partly'],
  ]);
  expect(after.summary).toContain('A vision-language model also searched: 1 for "pothole".');
  expect(after.summary).not.toContain('Not looked for');
  const question = planner.planQuery('is there a pothole?');
  const words = mergeVisionResult(
    question,
    answer(question, clip(10)),
    await look('is there a pothole?', 10, { pothole: [[3, 6]] }, on),
  );
  expect(words.answer).toMatch(/^pothole \(0:03\.\d/);
  expect(words.answer).not.toContain('Not known');
});
