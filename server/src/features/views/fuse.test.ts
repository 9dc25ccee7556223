import { expect, test } from 'vitest';
import { fuse, type ViewDocument, type ViewObject } from './fuse.ts';

type Sighting = { at: [startS: number, endS: number]; label?: string; category?: string; confidence?: number };
const object = (name: string, color: string | null = null): ViewObject => ({ class: name, color });

const SET = {
  primaryVideoId: 'front',
  views: ['front', 'rear', 'left'].map((role) => ({
    role,
    videoId: role,
    label: null,
    offsetS: role === 'rear' ? 2 : 0,
  })),
};

/** Document of one view: events with their objects. */
function saw(videoId: string, ...sightings: [Sighting, ...ViewObject[]][]): ViewDocument {
  const events = sightings.map(([{ at, label = 'happens', category = 'object', confidence = 0.5 }], i) => ({
    event_id: `${videoId}-${i}`,
    category,
    label,
    severity: 'low',
    confidence,
    start_s: at[0],
    end_s: at[1],
  }));
  const objects = new Map(events.map(({ event_id }, i) => [event_id, sightings[i]!.slice(1) as ViewObject[]]));
  return { videoId, analysisId: `of ${videoId}`, events, objects };
}
/** Event ids of each fused event. */
const fusedIds = (...documents: ViewDocument[]) =>
  fuse(SET, documents).map(({ views }) => views.map(({ eventId }) => eventId).join(' '));

const [CAR, TRUCK, PERSON] = [object('car'), object('truck'), object('person')];

test('one object in several views at the same time is one event with the label of the highest confidence', () => {
  const front = saw('front', [{ at: [10, 12], label: 'car comes in from the left' }, CAR]);
  const rear = saw('rear', [{ at: [8.5, 11], label: 'red car in view', confidence: 0.9 }, CAR]);
  expect(fuse(SET, [front, rear])).toMatchObject([
    {
      eventId: 'rear-0',
      label: 'red car in view',
      confidence: 0.9,
      startS: 10,
      endS: 13,
      views: [
        { role: 'front', startS: 10, endS: 12 },
        { role: 'rear', startS: 8.5, endS: 11 },
      ],
    },
  ]);
  expect(fusedIds(front, saw('left', [{ at: [12.9, 13] }, CAR]))).toEqual(['front-0 left-0']);
  expect(fusedIds(front, saw('left', [{ at: [13.1, 14] }, CAR]))).toEqual(['front-0', 'left-0']);
});

test('two events of one view stay two events, and each is matched once', () => {
  const front = saw('front', [{ at: [0, 4] }, CAR], [{ at: [1, 9] }, CAR]);
  expect(fusedIds(front, saw('left', [{ at: [1, 8] }, CAR]))).toEqual(['front-0', 'front-1 left-0']);
});

test.each<[string, ViewObject[], ViewObject[], boolean]>([
  ['of another class', [CAR], [TRUCK], false],
  ['of which one view sees less', [CAR, PERSON], [PERSON], true],
  ['that meet something else', [CAR, PERSON], [TRUCK, PERSON], false],
  ['plainly of other colors', [object('car', 'red')], [object('car', 'blue')], false],
  ['of one color in another light', [object('car', 'cyan')], [object('car', 'blue')], true],
  ['of neighbors across the end of the wheel', [object('car', 'red')], [object('car', 'magenta')], true],
  ['of which one has no plain color', [object('car', 'red')], [CAR], true],
  ['one of them white, which light changes', [object('car', 'red')], [object('car', 'white')], true],
  ['of which some may be the same', [object('car', 'red'), object('car', 'green')], [object('car', 'green')], true],
])('objects %s', (_, front, left, isOne) => {
  const both = fusedIds(saw('front', [{ at: [0, 4] }, ...front]), saw('left', [{ at: [0, 4] }, ...left]));
  expect(both).toHaveLength(isOne ? 1 : 2);
});

test('events without objects are matched by their label', () => {
  const light = (label: string): [Sighting] => [{ at: [0, 4], category: 'light', label }];
  const front = saw('front', light('picture is dark'));
  expect(fusedIds(front, saw('left', light('picture is bright')))).toEqual(['front-0', 'left-0']);
  expect(fusedIds(front, saw('left', light('picture is dark')))).toEqual(['front-0 left-0']);
});

test('videos outside the set are ignored', () => {
  expect(fusedIds(saw('front', [{ at: [0, 1] }, CAR]), saw('elsewhere', [{ at: [0, 1] }, CAR]))).toEqual(['front-0']);
});
