import { describe, expect, it } from 'vitest';
import { createPlanner, createReadings, type ObjectTarget, type Plan, type Zone } from '../index.ts';

const planner = createPlanner();
const readings = createReadings(planner);
const DOOR: Zone = {
  name: 'Door',
  kind: 'polygon',
  points: [
    { x: 0.1, y: 0.1 },
    { x: 0.4, y: 0.1 },
    { x: 0.4, y: 0.4 },
  ],
};
const GATE: Zone = {
  name: 'gate',
  kind: 'line',
  points: [
    { x: 0, y: 0.5 },
    { x: 1, y: 0.5 },
  ],
};
const plan = (query: string, zones: readonly Zone[] = []) => planner.planQuery(query, zones);
const stored = (query: string) => readings.read(query, []);
/** A plan as a database returns it that sorts fields. */
const reordered = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(reordered)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([a], [b]) => (a < b ? 1 : -1))
            .map(([field, part]) => [field, reordered(part)]),
        )
      : value;

describe('the id of a reading', () => {
  it.each([
    ['a red car', 'A red car!'],
    ['a red car', 'show me a red car please'],
    ['a red car', 'a red caar'],
    ['a red car', 'ein rotes Auto'],
    ['cars and trucks', 'show cars, and trucks'],
    ['someone is suspicious', 'a person feels suspicious of a stranger'],
  ])('is the same for "%s" and "%s"', (a, b) => {
    expect(readings.idOf(plan(a))).toBe(readings.idOf(plan(b)));
  });

  it.each([
    ['a red car', 'a blue car'],
    ['a car', 'no car'],
    ['a car stops', 'a car stops for 10 seconds'],
    ['a car', 'the first car'],
    ['a car', 'a car in the first minute'],
    ['a car', 'how many cars'],
    ['a car then a truck', 'a car while a truck'],
    ['a car on the left', 'a car on the right'],
    ['more cars than trucks?', 'more trucks than cars?'],
    ['a sign that says "stop"', 'a sign that says "go"'],
    ['a car', 'a car at a wedding'],
    ['when is the battery voltage above 20', 'when is the motor temperature above 20'],
  ])('differs for "%s" and "%s"', (a, b) => {
    expect(readings.idOf(plan(a))).not.toBe(readings.idOf(plan(b)));
  });

  it('stays when a zone is redrawn, and changes with the zone', () => {
    const query = 'a person enters zone door';
    const id = readings.idOf(plan(query, [DOOR]));
    expect(readings.idOf(plan(query, [{ ...DOOR, name: 'door', points: DOOR.points.toReversed() }]))).toBe(id);
    expect(readings.idOf(stored(query))).toBe(id);
    expect(readings.idOf(stored('a person enters zone yard'))).not.toBe(id);
  });

  it('does not depend on the order of fields, as its digest', () => {
    const read = plan('two red cars near a truck, then silence');
    const other = reordered(read) as Plan;
    expect(JSON.stringify(other)).not.toBe(JSON.stringify(read));
    expect(readings.idOf(other)).toBe(readings.idOf(read));
    expect(readings.digestOf(other)).toBe(readings.digestOf(read));
    expect(readings.digestOf(plan('A red car'))).not.toBe(readings.digestOf(plan('a red car')));
  });
});

describe('zones of a reading', () => {
  it.each(['a person in zone door', 'a person enters zone door', 'no person in zone door', 'motion in zone door'])(
    'get the points of the video: %s',
    (query) => {
      const bound = readings.place(stored(query), query, [DOOR, GATE]);
      const read = plan(query, [{ ...DOOR, name: 'door' }]);
      expect(readings.idOf(bound)).toBe(readings.idOf(read));
      expect(JSON.stringify(bound).replaceAll('Door', 'door')).toBe(JSON.stringify(read));
    },
  );

  it('keep the direction over a line', () => {
    const elsewhere = { ...GATE, points: GATE.points.toReversed() };
    const query = 'a car crosses line gate inwards';
    const bound = readings.place(readings.read(query, [elsewhere]), query, [GATE]);
    const { line } = bound.searches[0]!.steps[0]!.what as ObjectTarget;
    expect(line).toEqual({ name: 'gate', from: GATE.points[0], to: GATE.points[1], zone: true, way: 'in' });
  });

  it('block their search where the video has none of the name, or another kind', () => {
    for (const zones of [[], [GATE], [{ ...GATE, name: 'door' }]]) {
      const query = 'a person enters zone door or a red car';
      const bound = readings.place(stored(query), query, zones);
      expect(bound.searches.map(({ steps }) => steps[0]!.unchecked)).toEqual([
        [
          {
            text: 'zone door',
            reason: expect.stringContaining('there is no zone "door" for this video'),
            blocks: true,
          },
        ],
        [],
      ]);
    }
  });

  it('leave other places as they are', () => {
    const query = 'a person on the left near a car, then motion at the top';
    expect(readings.place(stored(query), query, [DOOR])).toEqual(plan(query));
  });

  it('are read once they are drawn, and only then', () => {
    const query = 'a person in the door zone';
    const before = stored(query);
    expect(readings.renew(before, query, [GATE])).toBeNull();
    const since = readings.renew(before, query, [DOOR]);
    expect(since).toEqual(readings.read(query, [DOOR]));
    expect(readings.renew(since, query, [])).toBeNull();
    expect(readings.place(before, query, [DOOR])).toEqual(since);
    const sign = 'a sign that says "door"';
    expect(readings.renew(stored(sign), sign, [DOOR])).toBeNull();
  });
});

describe('a joined reading', () => {
  it('searches for all of its parts, as the texts together do', () => {
    const queries = ['a red car stops', 'a person in the first minute', 'a dog barks'];
    const joined = readings.join(
      queries.join('\n'),
      queries.map((query) => plan(query)),
    );
    expect(readings.idOf(joined)).toBe(readings.idOf(plan(queries.join('\n'))));
    expect(planner.checkPlan(joined)).toBe(joined);
    const parts = queries.flatMap((query) => plan(query).searches.map(({ text }) => text));
    expect(joined.searches.map(({ text }) => text)).toEqual(parts);
  });

  it('of one prompt is its own, with its question', () => {
    const read = plan('how many cars are there?');
    expect(readings.join('how many cars are there?', [read])).toEqual(read);
  });

  it('refers to its own searches, and names what is left out', () => {
    const within = plan('a person while the red car is there, during a rain');
    const first = plan('a dog');
    const reference = { ...first, searches: [...first.searches, { ...first.searches[0]!, during: 0 }] };
    const joined = readings.join('x', [within, reference]);
    expect(joined.searches.at(-1)!.during).toBe(within.searches.length);
    const many = readings.join('x', Array(150).fill(reference));
    expect(planner.checkPlan(many).searches).toHaveLength(200);
    expect(many.searches.at(-1)!.steps[0]!.unchecked[0]!.reason).toContain('too long');
  });
});

describe('a stored reading', () => {
  it('is replaced if the words differ, and made if it is missing', () => {
    for (const before of [null, stored('a blue car'), stored('A red car')])
      expect(readings.renew(before, 'a red car', [])).toEqual(stored('a red car'));
    expect(readings.renew({ ...stored('a blue car'), query: 'a red car' }, 'a red car', [])).toBeNull();
    expect(readings.renew({ query: 'a red car' }, 'a red car', [])).toBeNull();
    for (const query of ['', 'ein rotes Auto', 'une voiture rouge. «déjà»', ' a car '])
      expect(readings.renew(stored(query), query, [])).toBeNull();
  });

  it('is opened with the zones of a video', () => {
    const query = 'a person enters zone door';
    const opened = readings.open(JSON.parse(JSON.stringify(stored(query))), query, [DOOR]);
    expect(opened.fault).toBeNull();
    expect((opened.plan.searches[0]!.steps[0]!.what as ObjectTarget).region).toMatchObject({ points: DOOR.points });
  });

  it('that this version cannot run states it, and nothing is searched for', () => {
    const read = JSON.parse(JSON.stringify(plan('a red car')));
    read.searches[0].steps[0].what = { kind: 'telepathy' };
    const { plan: opened, fault } = readings.open(read, 'a red car', []);
    expect(fault).toContain('plan.searches[0].steps[0].what.kind');
    expect(planner.checkPlan(opened)).toMatchObject({ query: 'a red car', searches: [{ text: 'a red car' }] });
    expect(opened.searches[0]!.steps[0]!.unchecked).toEqual([
      { text: 'a red car', reason: expect.stringContaining('cannot run the stored reading'), blocks: true },
    ]);
  });
});
