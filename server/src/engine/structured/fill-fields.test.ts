import { expect, test } from 'vitest';
import { answerScene } from '../answer.ts';
import { createScene } from '../find/index.ts';
import { objects, observations, signals } from '../find/observations.fixture.ts';
import { createPlanner } from '../plan/index.ts';
import { checkOutputSchema, createAskPhrase, type FieldReader, fillFields } from './index.ts';

const planner = createPlanner();
const SECONDS = 20;

/** A person from 2 to 6 s and a car from 10 to 16 s. */
const scene = createScene(
  observations(SECONDS, {
    signals: signals(SECONDS),
    objects: objects(SECONDS, [
      { className: 'person', from: 2, to: 6, at: (t) => [0.2 + t / 50, 0.5], score: 0.9 },
      { className: 'car', from: 10, to: 16, at: (t) => [0.2 + t / 50, 0.5], score: 0.9 },
    ]),
  }),
);
const answer = answerScene(planner.planQuery('a person, a car'), scene);

const fill = (fields: object[], { scope = 'event', read = null as FieldReader | null } = {}) =>
  fillFields(answer, checkOutputSchema({ scope, fields }), {
    durationS: SECONDS,
    ask: createAskPhrase(planner.planQuery, (plan) => answerScene(plan, scene)),
    read,
  });

test('measurements fill the fields of events', async () => {
  const { events, coverage } = await fill([
    { name: 'when', type: 'time_range', repeated: false },
    { name: 'duration_s', type: 'number' },
    { name: 'kind', type: 'enum', values: ['Person', 'vehicle', 'animal'] },
    { name: 'is_person', type: 'boolean', description: 'is there a person?' },
    { name: 'severity', type: 'enum', values: ['low', 'medium', 'high'] },
    { name: 'label' },
  ]);
  const [person, car] = events;
  expect(person!.structured).toMatchObject({
    values: { when: expect.stringMatching(/^00:02\.000-00:0[56]\.\d{3}$/), kind: 'Person', is_person: true },
    errors: [],
  });
  expect(person!.structured!.values).toMatchObject({ duration_s: person!.endS - person!.startS, label: person!.label });
  expect(car!.structured!.values).toMatchObject({ kind: 'vehicle', is_person: false, severity: car!.severity });
  expect(coverage).toEqual(answer.coverage);
});

test('a field that nothing measures has a reason, and a required one leaves no payload', async () => {
  const optional = await fill([
    { name: 'clothing', required: false },
    { name: 'start', type: 'number' },
  ]);
  expect(optional.events[0]!.structured).toMatchObject({
    values: { clothing: null, start: optional.events[0]!.startS },
    errors: [{ field: 'clothing', message: expect.stringMatching(/SIGHTLINE_VISION_URL/) }],
  });
  const required = await fill([{ name: 'mood', type: 'enum', values: ['happy', 'sad'] }]);
  for (const { structured } of required.events) {
    expect(structured).toMatchObject({
      values: null,
      errors: [{ field: 'mood', message: expect.stringMatching(/happy/) }],
    });
  }
  expect(required.coverage.at(-1)).toMatchObject({ text: 'field mood', status: 'not_looked_for' });
});

test('a value that does not hold is no guess', async () => {
  const valuesOf = async (field: object) => (await fill([field])).events.map(({ structured }) => structured!.values);
  expect(await valuesOf({ name: 'kind', type: 'enum', values: ['dog', 'cat', 'none'] })).toEqual([null, null]);
  expect(await valuesOf({ name: 'dog', type: 'boolean' })).toEqual([null, null]);
  expect(await valuesOf({ name: 'kind', type: 'enum', values: ['vehicle', 'bus'] })).toEqual([
    null,
    { kind: 'vehicle' },
  ]);
  const withNone = { name: 'kind', type: 'enum', values: ['vehicle', 'none'] };
  expect(await valuesOf(withNone)).toEqual([{ kind: 'none' }, { kind: 'vehicle' }]);
  const verdict = { name: 'verdict', type: 'enum', values: ['yes', 'no'], description: 'is there a person?' };
  expect(await valuesOf(verdict)).toEqual([{ verdict: 'yes' }, { verdict: 'no' }]);
});

test('the scope video fills one payload, which the first event carries too', async () => {
  const filled = await fill(
    [
      { name: 'events', type: 'time_range' },
      { name: 'count', type: 'number' },
      { name: 'kinds', type: 'enum', values: ['person', 'car', 'dog'], repeated: true },
    ],
    { scope: 'video' },
  );
  expect(filled.structured).toMatchObject({ values: { count: 2, kinds: expect.arrayContaining(['person', 'car']) } });
  expect(filled.structured!.values!.events).toHaveLength(2);
  expect(filled.structured!.values!.kinds).not.toContain('dog');
  expect(filled.events.map(({ structured }) => structured)).toEqual([filled.structured, undefined]);
});

test('a model fills only what measurements do not, and its values are checked', async () => {
  const requested: unknown[] = [];
  const read: FieldReader = async (requests) => {
    requested.push(requests.map(({ event, fields }) => [event, fields.map(({ name }) => name)]));
    return requests.map(({ event }) => ({ mood: { value: event === 0 ? 'happy' : 'angry' } }));
  };
  const fields = [
    { name: 'mood', type: 'enum', values: ['happy', 'sad'] },
    { name: 'start', type: 'number' },
  ];
  const { events } = await fill(fields, { read });
  expect(requested).toEqual([
    [
      [0, ['mood']],
      [1, ['mood']],
    ],
  ]);
  expect(events[0]!.structured!.values).toMatchObject({ mood: 'happy' });
  expect(events[1]!.structured).toMatchObject({ values: null, errors: [{ field: 'mood' }] });
});
