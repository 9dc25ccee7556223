import { expect, test } from 'vitest';
import { decideSegments, type SpanFacts, spansOf } from './event-spans.ts';

/** Segments of two seconds and 100 bytes from the start of the stream on. */
const segments = (count: number) =>
  Array.from({ length: count }, (_, sequence) => ({ sequence, streamS: sequence * 2, durationS: 2, bytes: 100 }));
const NOTHING: SpanFacts = { retained: [], open: [], unseen: [] };
const decide = (count: number, facts: Partial<SpanFacts>, limitBytes = Number.POSITIVE_INFINITY) =>
  decideSegments(segments(count), { ...NOTHING, ...facts }, limitBytes);
const numbers = (from: number, until: number) => Array.from({ length: until - from }, (_, i) => from + i);
const FOREVER = Number.POSITIVE_INFINITY;

test('segments around an event stay, and others go once nothing can begin in them', () => {
  const retained = spansOf({ startS: 11, endS: 15, framesS: [], isAbsence: false }, 2, 3);
  expect(retained).toEqual([{ fromS: 9, untilS: 18 }]);
  expect(decide(20, { retained, open: [{ fromS: 30, untilS: FOREVER }] })).toEqual({
    retained: [4, 5, 6, 7, 8, 9],
    discarded: [0, 1, 2, 3, 10, 11, 12, 13, 14],
    unanswered: [],
  });
});

test('what was not analyzed is not discarded', () => {
  const { retained, discarded } = decide(20, { unseen: [{ fromS: 4, untilS: 8 }] });
  expect(retained).toEqual([]);
  expect(discarded).toEqual([0, 1, ...numbers(5, 20)]);
});

test('images of an event stay, wherever they are', () => {
  const retained = spansOf({ startS: 20, endS: 21, framesS: [3], isAbsence: false }, 0, 0);
  expect(decide(15, { retained }).retained).toEqual([1, 10]);
});

test('of an absence its start, its end and the time when it was found stay', () => {
  const retained = spansOf({ startS: 4, endS: 44, framesS: [24], isAbsence: true }, 1, 1);
  expect(decide(30, { retained }).retained).toEqual([1, 2, 11, 12, 21, 22]);
});

test('beyond the limit the oldest undecided segments go, and those that were not analyzed are named', () => {
  const facts = {
    retained: [{ fromS: 4, untilS: 5 }],
    open: [{ fromS: 0, untilS: 8 }],
    unseen: [{ fromS: 8, untilS: FOREVER }],
  };
  expect(decide(40, facts, 3_200)).toEqual({
    retained: [2],
    discarded: [0, 1, 3, 4, 5, 6, 7],
    unanswered: [4, 5, 6, 7],
  });
  // The newest are those of players at the live edge.
  expect(decide(40, facts, 0).discarded).toEqual([0, 1, ...numbers(3, 25)]);
  expect(decide(40, facts, 3_900).discarded).toEqual([]);
});
