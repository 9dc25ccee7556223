import { describe, expect, test } from 'vitest';
import type { Finding } from '../index.ts';
import { type LiveFinding, type Told, tell } from './telling.ts';

type Path = [number, number, number][];
const found = (startS: number, endS: number, label = 'car', path: Path | null = null): LiveFinding => ({
  search: 'a car',
  finding: {
    ...{ startS, endS, startPts: 0, endPts: 0, timeBase: [1, 90_000], label, category: 'object' },
    ...{ severity: 'low', confidence: 0.8, explanation: '' },
    evidence: { frames: [], signals: [], tracks: path ? [{ id: 1, className: 'car', color: null, path }] : [] },
  } satisfies Finding,
});

/** A way of five places a second from `x` on, at `y`. */
const way = (fromS: number, untilS: number, y: number): Path =>
  Array.from({ length: Math.round((untilS - fromS) * 5) + 1 }, (_, i) => [fromS + i / 5, 0.1 + i / 100, y]);

/** Answers one after the other, each with the edge of what was seen. */
function telling(...answers: { endS: number; findings: LiveFinding[]; over?: boolean; startS?: number }[]) {
  let told: readonly Told[] = [];
  let knownS = 0;
  let ids = 0;
  return answers.map(({ endS, findings, over = false, startS = 0 }) => {
    const newId = () => `e${ids++}`;
    const news = tell({ told, findings, startS, endS, knownS, over, sinceS: () => 0, newId });
    told = news.told;
    knownS = endS;
    return [
      ...news.begun.map(({ id, going }) => `${id} ${going ? 'goes on' : 'is over'}`),
      ...news.ended.map(({ id, endS: at }) => `${id} ended ${at}`),
    ];
  });
}

describe('telling', () => {
  test('tells when it is certain, and once more when it has ended', () => {
    const news = telling(
      { endS: 2, findings: [found(1.8, 2)] },
      { endS: 4, findings: [found(1.8, 4)] },
      { endS: 6, findings: [found(1.8, 4.5)] },
      { endS: 8, findings: [found(1.8, 4.5)] },
      { endS: 10, findings: [found(1.8, 4.5)] },
    );
    expect(news).toEqual([[], ['e0 goes on'], [], ['e0 ended 4.5'], []]);
  });

  test('knows things by their paths, also when they are called otherwise', () => {
    const [left, right] = [way(1, 8, 0.2), way(1, 8, 0.7)];
    const until = (path: Path, endS: number) => path.filter(([timeS]) => timeS <= endS);
    const news = telling(
      { endS: 4, findings: [found(1, 4, 'car', until(left, 4))] },
      { endS: 6, findings: [found(1, 6, 'car', until(right, 6)), found(1, 6, 'truck', until(left, 6))] },
      { endS: 8, findings: [found(3, 8, 'car', right), found(3, 8, 'truck', left)], startS: 3 },
    );
    expect(news).toEqual([['e0 goes on'], ['e1 goes on'], []]);
  });

  test('another of the same at another time is another one', () => {
    const news = telling(
      { endS: 10, findings: [found(1, 2), found(5, 6)] },
      { endS: 20, findings: [found(1, 2), found(5, 6), found(15, 16)] },
    );
    expect(news).toEqual([['e0 is over', 'e1 is over'], ['e2 is over']]);
  });

  test('what goes on after a pause ends once more, later', () => {
    const news = telling(
      { endS: 10, findings: [found(1, 6)] },
      { endS: 20, findings: [found(1, 19)] },
      { endS: 30, findings: [found(1, 22)] },
    );
    expect(news).toEqual([['e0 is over'], [], ['e0 ended 22']]);
  });

  test('what is not found any more has ended where it was seen last', () => {
    expect(telling({ endS: 4, findings: [found(1, 4)] }, { endS: 6, findings: [] }, { endS: 8, findings: [] })).toEqual(
      [['e0 goes on'], [], ['e0 ended 4']],
    );
  });

  test('what is found only long afterwards is not told', () => {
    expect(telling({ endS: 20, findings: [] }, { endS: 22, findings: [found(1, 2)] })).toEqual([[], []]);
  });

  test('at the end nothing goes on', () => {
    expect(
      telling(
        { endS: 4, findings: [found(1, 4)] },
        { endS: 6, findings: [found(1, 6), found(5.9, 6, 'cut')], over: true },
      ),
    ).toEqual([['e0 goes on'], ['e1 is over', 'e0 ended 6']]);
  });
});
