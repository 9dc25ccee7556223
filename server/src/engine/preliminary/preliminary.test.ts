import { expect, it } from 'vitest';
import type { VideoEvent } from '../types.ts';
import { isWorthAnswering, resolvePreliminary, updatePreliminary } from './preliminary.ts';

type Path = [number, number, number][];

function event(startS: number, endS: number, more: Partial<VideoEvent> = {}, path: Path = []): VideoEvent {
  return {
    startS,
    endS,
    startPts: startS * 1000,
    endPts: endS * 1000,
    timeBase: [1, 1000],
    label: 'a car',
    category: 'object',
    severity: 'low',
    confidence: 0.8,
    explanation: '',
    caveats: [],
    evidence: {
      frames: [],
      tracks: path.length > 0 ? [{ id: 1, className: 'car', color: null, path }] : [],
      signals: [],
    },
    ...more,
  };
}

let ids = 0;
const newId = () => `p${++ids}`;
const update = (known: Parameters<typeof updatePreliminary>[0], events: VideoEvent[], untilS: number) =>
  updatePreliminary(known, events, untilS, newId);

it('reports an event once, and again when it changes', () => {
  const first = update([], [event(1, 4), event(9.8, 10)], 10);
  expect(first.reported).toMatchObject([{ ongoing: false, event: { startS: 1 } }]);
  expect(update(first.known, [event(1, 4)], 20)).toMatchObject({ reported: [], withdrawn: [] });
  const longer = update(first.known, [event(1, 19)], 20);
  expect(longer.reported).toMatchObject([{ id: first.reported[0]!.id, ongoing: true, event: { endS: 19 } }]);
});

it('cuts an event at the end of what was seen', () => {
  const { reported } = update([], [event(1, 30)], 10);
  expect(reported).toMatchObject([{ ongoing: true, event: { endS: 10, endPts: 10_000 } }]);
});

it('withdraws what is not found any more, but not what a shorter part cannot show', () => {
  const sparse = update([], [event(2, 3), event(40, 41)], Number.POSITIVE_INFINITY);
  const [early, late] = sparse.reported;
  const part = update(sparse.known, [], 10);
  expect(part.withdrawn).toEqual([early!.id]);
  expect(part.known).toMatchObject([{ id: late!.id }]);
  expect(update(part.known, [], 60).withdrawn).toEqual([late!.id]);
});

it('tells two events at the same time apart by their tracks', () => {
  const left: Path = [
    [1, 0.1, 0.5],
    [2, 0.2, 0.5],
    [3, 0.3, 0.5],
  ];
  const right: Path = [
    [1, 0.9, 0.5],
    [2, 0.8, 0.5],
    [3, 0.7, 0.5],
  ];
  const { known } = update([], [event(1, 3, {}, left), event(1, 3, {}, right)], 10);
  const resolved = resolvePreliminary(known, [event(1, 3, {}, right), event(20, 21, {}, left)]);
  expect(resolved).toEqual({ confirmed: [{ id: known[1]!.id, position: 0 }], withdrawn: [known[0]!.id] });
});

it('confirms one event by one event of the answer', () => {
  const { known } = update([], [event(1, 3), event(2, 4)], 10);
  const { confirmed, withdrawn } = resolvePreliminary(known, [event(1, 4)]);
  expect([confirmed.length, withdrawn.length]).toEqual([1, 1]);
});

it.each([60, 600, 3600, 36_000])('answers a pass over %i s for a bounded multiple of its length', (lengthS) => {
  const answered: number[] = [];
  for (let untilS = 10; untilS <= lengthS; untilS += 10)
    if (isWorthAnswering(untilS, answered.at(-1) ?? null)) answered.push(untilS);
  const seen = answered.reduce((sum, untilS) => sum + untilS, 0);
  expect(seen / lengthS).toBeLessThanOrEqual(22);
  // Nothing that was seen waits for long.
  expect(lengthS - answered.at(-1)!).toBeLessThanOrEqual(0.05 * lengthS);
  expect(answered.slice(0, 6)).toEqual([10, 20, 30, 40, 50, 60]);
});

it('answers over a pass that begins again, and over all of a video', () => {
  expect(isWorthAnswering(10, 300)).toBe(true);
  expect(isWorthAnswering(null, 300)).toBe(true);
  expect(isWorthAnswering(300, 300)).toBe(false);
});
