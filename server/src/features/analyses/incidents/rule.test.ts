import { describe, expect, it } from 'vitest';
import { seeded } from '#test/random';
import { footprintOf } from './footprint.ts';
import { compareEvents, type GroupedEvent, groupIncidents } from './rule.ts';

type Path = [number, number, number][];
type Spec = {
  analysis: number;
  label?: string;
  startS: number;
  endS: number;
  tracks?: { id: number; path: Path }[];
  boxes?: { x: number; y: number; width: number; height: number }[];
  approval?: GroupedEvent['approval'];
  incidentId?: string | null;
};

let count = 0;
function event({
  analysis,
  label = 'person in view',
  startS,
  endS,
  tracks = [],
  boxes = [],
  ...more
}: Spec): GroupedEvent {
  const analysisId = String(analysis).padStart(32, '0');
  const evidence = {
    tracks: tracks.map((track) => ({ ...track, class: 'person' })),
    frames: [{ time_s: startS, boxes }],
    signals: [],
  };
  return {
    subject: 'person',
    eventId: `${analysisId}-${count++}`,
    analysisId,
    storedAt: analysis,
    incidentId: null,
    label,
    approval: 'pending',
    startS,
    endS,
    ...more,
    footprint: footprintOf({ type: 'object', description: label, data: { evidence } }).footprint,
  };
}

/** A path at a constant speed, five points a second as the detector sees frames. */
const walk = (fromS: number, toS: number, x: number, speed = 0): Path =>
  Array.from({ length: Math.round((toS - fromS) * 5) + 1 }, (_, i) => [fromS + i / 5, x + (speed * i) / 5, 0.5]);

/** The partition of events as sorted groups of their ids, whatever the ids of the incidents. */
const partition = (events: readonly GroupedEvent[]) => {
  const ids = groupIncidents(events);
  const groups = Map.groupBy(events, ({ eventId }) => ids.get(eventId));
  return [...groups.values()].map((group) => group.map(({ eventId }) => eventId).toSorted()).toSorted();
};
const sizes = (events: readonly GroupedEvent[]) =>
  partition(events)
    .map((group) => group.length)
    .toSorted();

/** Questions about people who walk side by side, at places, times and depths that a generator chooses. */
function generate(seed: number): { events: GroupedEvent[]; personOf: Map<string, string> } {
  const random = seeded(seed);
  const personOf = new Map<string, string>();
  const people = Array.from({ length: 2 + Math.floor(random() * 4) }, (_, id) => ({
    id,
    startS: 2 * random(),
    endS: 8 + 20 * random(),
    x: 0.1 + 0.06 * id,
    speed: 0.01,
  }));
  const events = Array.from({ length: 5 }, (_, question) =>
    people
      .filter(() => random() < 0.8)
      .map(({ id, startS, endS, x, speed }) => {
        const [from, to] = [startS + random() * 0.4, endS - random() * 0.4];
        // Another mode tracks the same people under other ids.
        const trackId = question === 3 ? id + 50 : id;
        const made = event({
          analysis: question,
          startS: from,
          endS: to,
          tracks: [{ id: trackId, path: walk(from, to, x + speed * (from - startS), speed) }],
        });
        personOf.set(made.eventId, String(id));
        return made;
      }),
  ).flat();
  return { events, personOf };
}

function shuffled<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => [random(), value] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, value]) => value);
}

const SEEDS = Array.from({ length: 40 }, (_, seed) => seed + 1);

describe('the rule', () => {
  it.each(SEEDS)('is symmetrical, and joins only what it finds the same (seed %i)', (seed) => {
    const { events } = generate(seed);
    for (const a of events) for (const b of events) expect(compareEvents(a, b)).toBe(compareEvents(b, a));
  });

  it.each(SEEDS)('makes one incident of each person, in any order of arrival (seed %i)', (seed) => {
    const { events, personOf } = generate(seed);
    const expected = [...Map.groupBy(events, ({ eventId }) => personOf.get(eventId)).values()]
      .map((group) => group.map(({ eventId }) => eventId).toSorted())
      .toSorted();
    expect(partition(events)).toEqual(expected);
    expect(partition(shuffled(events, seeded(seed + 1_000)))).toEqual(expected);
  });

  it.each(SEEDS)('keeps the id of an incident while further questions report it (seed %i)', (seed) => {
    const { events } = generate(seed);
    const order = shuffled([0, 1, 2, 3, 4], seeded(seed + 2_000));
    let stored: GroupedEvent[] = [];
    for (const question of order) {
      const added = events.filter(({ analysisId }) => Number(analysisId) === question);
      const before = new Map(stored.map(({ eventId, incidentId }) => [eventId, incidentId]));
      const all = [...stored, ...added];
      const ids = groupIncidents(all);
      for (const [eventId, incidentId] of before) expect(ids.get(eventId)).toBe(incidentId);
      stored = all.map((each) => ({ ...each, incidentId: ids.get(each.eventId)! }));
    }
  });
});

describe('events are one incident', () => {
  const car = { id: 7, path: walk(3, 20, 0.1, 0.03) };

  it('if the same track is in view at the same time', () => {
    const [a, b] = [
      event({ analysis: 1, startS: 3, endS: 20, tracks: [car] }),
      event({ analysis: 2, startS: 3, endS: 4, tracks: [{ id: 7, path: walk(3, 5, 0.1, 0.03) }] }),
    ];
    expect(compareEvents(a!, b!)).toBe('same_track');
  });

  it('if another detector saw the same path under another id', () => {
    const a = event({ analysis: 1, startS: 3, endS: 20, tracks: [car] });
    const b = event({ analysis: 2, startS: 3.4, endS: 19, tracks: [{ id: 2, path: walk(3.4, 19, 0.115, 0.03) }] });
    expect(compareEvents(a, b)).toBe('same_path');
  });

  it('if neither is tracked and boxes overlap', () => {
    const boxes = [{ x: 0.4, y: 0.4, width: 0.2, height: 0.3 }];
    const near = [{ x: 0.42, y: 0.41, width: 0.2, height: 0.3 }];
    const far = [{ x: 0.7, y: 0.41, width: 0.2, height: 0.3 }];
    const at = (analysis: number, own: Spec['boxes']) => event({ analysis, startS: 5, endS: 6, boxes: own! });
    expect(compareEvents(at(1, boxes), at(2, near))).toBe('same_place');
    expect(compareEvents(at(1, boxes), at(2, far))).toBeNull();
  });

  it('if they have no place and share their time', () => {
    expect(
      compareEvents(event({ analysis: 1, startS: 5, endS: 5 }), event({ analysis: 2, startS: 5.1, endS: 5.1 })),
    ).toBe('same_time');
  });
});

describe('events are incidents of their own', () => {
  it('if two people stand side by side, also when a question is about both', () => {
    const left = { id: 1, path: walk(0, 10, 0.3) };
    const right = { id: 2, path: walk(0, 10, 0.36) };
    const at = { startS: 0, endS: 10 };
    const events = [
      event({ analysis: 1, ...at, tracks: [left] }),
      event({ analysis: 1, ...at, tracks: [right] }),
      event({ analysis: 2, startS: 0, endS: 11, tracks: [left, right], label: '2 people in view' }),
      event({ analysis: 3, ...at, tracks: [left] }),
      event({ analysis: 4, ...at, tracks: [right] }),
    ];
    expect(sizes(events)).toEqual([1, 2, 2]);
  });

  it('if one question reports both', () => {
    const track = { id: 1, path: walk(0, 20, 0.3) };
    const at = (analysis: number, startS: number, endS: number) => event({ analysis, startS, endS, tracks: [track] });
    expect(sizes([at(1, 0, 20), at(2, 3, 6), at(2, 10, 14)])).toEqual([1, 2]);
  });

  it('if one is a moment within an hour in view', () => {
    const track = { id: 1, path: walk(0, 3600, 0.3) };
    const fall = { id: 1, path: walk(1800, 1802, 0.3) };
    expect(
      sizes([
        event({ analysis: 1, startS: 0, endS: 3600, tracks: [track] }),
        event({ analysis: 2, startS: 1800, endS: 1801, tracks: [fall], label: 'person falls' }),
      ]),
    ).toEqual([1, 1]);
  });

  it('while verdicts contradict that they are one, and one again after', () => {
    const track = { id: 1, path: walk(0, 10, 0.3) };
    const of = (analysis: number, approval: GroupedEvent['approval']) =>
      event({ analysis, startS: 0, endS: 10, tracks: [track], approval });
    expect(sizes([of(1, 'approved'), of(2, 'rejected')])).toEqual([1, 1]);
    expect(sizes([of(1, 'approved'), of(2, 'pending'), of(3, 'approved')])).toEqual([3]);
  });

  it('takes the earliest id when two become one, and keeps it on its first event when they part', () => {
    const track = { id: 1, path: walk(0, 10, 0.3) };
    const of = (analysis: number, incidentId: string | null) => {
      const made = event({ analysis, startS: 0, endS: 10, tracks: [track] });
      return { ...made, incidentId: incidentId ?? made.eventId };
    };
    const [a, b] = [of(1, null), of(2, null)];
    expect([...groupIncidents([b, a]).values()]).toEqual([a.eventId, a.eventId]);
    const parted = [
      { ...a, approval: 'approved' as const },
      { ...b, incidentId: a.eventId, approval: 'rejected' as const },
    ];
    expect(groupIncidents(parted)).toEqual(
      new Map([
        [a.eventId, a.eventId],
        [b.eventId, b.eventId],
      ]),
    );
  });
});
