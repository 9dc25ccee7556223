import { expect, test } from 'vitest';
import { fuse, type ViewDocument, type ViewThing } from './fuse.ts';

type Seen = { at: [startS: number, endS: number]; label?: string; category?: string; confidence?: number };
const thing = (name: string, color: string | null = null): ViewThing => ({ class: name, color });

const SET = {
  primaryVideoId: 'front',
  views: ['front', 'rear', 'left'].map((role) => ({
    role,
    videoId: role,
    label: null,
    offsetS: role === 'rear' ? 2 : 0,
  })),
};

/** What one view saw: events, each with the things that it rests on. */
function saw(videoId: string, ...seen: [Seen, ...ViewThing[]][]): ViewDocument {
  const events = seen.map(([{ at, label = 'happens', category = 'object', confidence = 0.5 }], i) => ({
    ...{ event_id: `${videoId}-${i}`, category, label, severity: 'low', confidence, start_s: at[0], end_s: at[1] },
  }));
  const things = new Map(events.map(({ event_id }, i) => [event_id, seen[i]!.slice(1) as ViewThing[]]));
  return { videoId, analysisId: `of ${videoId}`, events, things };
}
/** The events of each happening, by their ids. */
const told = (...documents: ViewDocument[]) =>
  fuse(SET, documents).map(({ views }) => views.map(({ event_id }) => event_id).join(' '));

const [CAR, TRUCK, PERSON] = [thing('car'), thing('truck'), thing('person')];

test('one thing that views see at the same time, by the clock of the first, is one happening, told by the surest', () => {
  const front = saw('front', [{ at: [10, 12], label: 'car comes in from the left' }, CAR]);
  const rear = saw('rear', [{ at: [8.5, 11], label: 'red car in view', confidence: 0.9 }, CAR]);
  expect(fuse(SET, [front, rear])).toMatchObject([
    {
      ...{ event_id: 'rear-0', label: 'red car in view', confidence: 0.9, start_s: 10, end_s: 13 },
      views: [
        { role: 'front', start_s: 10, end_s: 12 },
        { role: 'rear', start_s: 8.5, end_s: 11 },
      ],
    },
  ]);
  expect(told(front, saw('left', [{ at: [12.9, 13] }, CAR]))).toEqual(['front-0 left-0']);
  expect(told(front, saw('left', [{ at: [13.1, 14] }, CAR]))).toEqual(['front-0', 'left-0']);
});

test('what one view sees twice happened twice, and each is matched once', () => {
  const front = saw('front', [{ at: [0, 4] }, CAR], [{ at: [1, 9] }, CAR]);
  expect(told(front, saw('left', [{ at: [1, 8] }, CAR]))).toEqual(['front-0', 'front-1 left-0']);
});

test.each<[string, ViewThing[], ViewThing[], boolean]>([
  ['of another class', [CAR], [TRUCK], false],
  ['of which one view sees less', [CAR, PERSON], [PERSON], true],
  ['that meet something else', [CAR, PERSON], [TRUCK, PERSON], false],
  ['plainly of other colours', [thing('car', 'red')], [thing('car', 'blue')], false],
  ['of one colour in another light', [thing('car', 'cyan')], [thing('car', 'blue')], true],
  ['of neighbours across the end of the wheel', [thing('car', 'red')], [thing('car', 'magenta')], true],
  ['of which one has no plain colour', [thing('car', 'red')], [CAR], true],
  ['one of them white, which light changes', [thing('car', 'red')], [thing('car', 'white')], true],
  ['of which some may be the same', [thing('car', 'red'), thing('car', 'green')], [thing('car', 'green')], true],
])('things %s', (_, front, left, isOne) => {
  const both = told(saw('front', [{ at: [0, 4] }, ...front]), saw('left', [{ at: [0, 4] }, ...left]));
  expect(both).toHaveLength(isOne ? 1 : 2);
});

test('what rests on no things is one happening by its label: a dark picture is no bright one', () => {
  const light = (label: string): [Seen] => [{ at: [0, 4], category: 'light', label }];
  const front = saw('front', light('picture is dark'));
  expect(told(front, saw('left', light('picture is bright')))).toEqual(['front-0', 'left-0']);
  expect(told(front, saw('left', light('picture is dark')))).toEqual(['front-0 left-0']);
});

test('videos that are no views of the set are left out', () => {
  expect(told(saw('front', [{ at: [0, 1] }, CAR]), saw('elsewhere', [{ at: [0, 1] }, CAR]))).toEqual(['front-0']);
});
