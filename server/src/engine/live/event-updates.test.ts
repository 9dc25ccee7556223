import { describe, expect, test } from 'vitest';
import type { VideoEvent } from '../types.ts';
import { type ReportedEvent, updateEvents, type WindowEvent } from './event-updates.ts';

type Path = [number, number, number][];
const found = (startS: number, endS: number, label = 'car', path: Path | null = null): WindowEvent => ({
  search: 'a car',
  event: {
    startS,
    endS,
    startPts: 0,
    endPts: 0,
    timeBase: [1, 90_000],
    label,
    category: 'object',
    severity: 'low',
    confidence: 0.8,
    explanation: '',
    caveats: [],
    evidence: { frames: [], signals: [], tracks: path ? [{ id: 1, className: 'car', color: null, path }] : [] },
  } satisfies VideoEvent,
});

/** A path with five points a second, to the right at height `y`. */
const pathOf = (fromS: number, untilS: number, y: number): Path =>
  Array.from({ length: Math.round((untilS - fromS) * 5) + 1 }, (_, i) => [fromS + i / 5, 0.1 + i / 100, y]);

/** Updates one after the other, each with the end of the observed part. */
function updates(...answers: { endS: number; events: WindowEvent[]; isFinal?: boolean; startS?: number }[]) {
  let reported: readonly ReportedEvent[] = [];
  let previousEndS = 0;
  let ids = 0;
  return answers.map(({ endS, events, isFinal = false, startS = 0 }) => {
    const newId = () => `e${ids++}`;
    const changes = updateEvents({
      reported,
      events,
      startS,
      endS,
      previousEndS,
      isFinal,
      requestedSinceS: () => 0,
      newId,
    });
    reported = changes.reported;
    previousEndS = endS;
    return [
      ...changes.started.map(({ id, going }) => `${id} ${going ? 'continues' : 'is over'}`),
      ...changes.ended.map(({ id, endS: at }) => `${id} ended ${at}`),
    ];
  });
}

describe('updates', () => {
  test('report an event once it is certain, and again once it has ended', () => {
    const changes = updates(
      { endS: 2, events: [found(1.8, 2)] },
      { endS: 4, events: [found(1.8, 4)] },
      { endS: 6, events: [found(1.8, 4.5)] },
      { endS: 8, events: [found(1.8, 4.5)] },
      { endS: 10, events: [found(1.8, 4.5)] },
    );
    expect(changes).toEqual([[], ['e0 continues'], [], ['e0 ended 4.5'], []]);
  });

  test('identify events by the paths of their tracks, even if the label changes', () => {
    const [left, right] = [pathOf(1, 8, 0.2), pathOf(1, 8, 0.7)];
    const until = (path: Path, endS: number) => path.filter(([timeS]) => timeS <= endS);
    const changes = updates(
      { endS: 4, events: [found(1, 4, 'car', until(left, 4))] },
      { endS: 6, events: [found(1, 6, 'car', until(right, 6)), found(1, 6, 'truck', until(left, 6))] },
      { endS: 8, events: [found(3, 8, 'car', right), found(3, 8, 'truck', left)], startS: 3 },
    );
    expect(changes).toEqual([['e0 continues'], ['e1 continues'], []]);
  });

  test('report an equal event at another time as a new one', () => {
    const changes = updates(
      { endS: 10, events: [found(1, 2), found(5, 6)] },
      { endS: 20, events: [found(1, 2), found(5, 6), found(15, 16)] },
    );
    expect(changes).toEqual([['e0 is over', 'e1 is over'], ['e2 is over']]);
  });

  test('report a second, later end of an event that continues after a pause', () => {
    const changes = updates(
      { endS: 10, events: [found(1, 6)] },
      { endS: 20, events: [found(1, 19)] },
      { endS: 30, events: [found(1, 22)] },
    );
    expect(changes).toEqual([['e0 is over'], [], ['e0 ended 22']]);
  });

  test('end an event that is no longer found where it was seen last', () => {
    expect(updates({ endS: 4, events: [found(1, 4)] }, { endS: 6, events: [] }, { endS: 8, events: [] })).toEqual([
      ['e0 continues'],
      [],
      ['e0 ended 4'],
    ]);
  });

  test('do not report an event that is found long after its end', () => {
    expect(updates({ endS: 20, events: [] }, { endS: 22, events: [found(1, 2)] })).toEqual([[], []]);
  });

  test('end all events at the end of the stream', () => {
    expect(
      updates(
        { endS: 4, events: [found(1, 4)] },
        { endS: 6, events: [found(1, 6), found(5.9, 6, 'cut')], isFinal: true },
      ),
    ).toEqual([['e0 continues'], ['e1 is over', 'e0 ended 6']]);
  });
});
