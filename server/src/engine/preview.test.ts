import { expect, it } from 'vitest';
import type { ObservationKind } from './observe/observations.ts';
import type { ObserverStatus } from './observe/types.ts';
import { createPlanner } from './plan/index.ts';
import { previewPlan } from './preview.ts';

const planner = createPlanner();
const KINDS: ObservationKind[] = ['signals', 'objects', 'sound', 'sounds', 'text', 'telemetry'];
const all = KINDS.map((kind): ObserverStatus<ObservationKind> => ({ kind, depth: 'dense', version: '1' }));
const preview = (prompt: string, observers = all, model: string | null = null) =>
  previewPlan(planner.planQuery(prompt), observers, model);

it.each([
  ['a red car', 'looked_for', ['objects']],
  ['the picture gets dark', 'looked_for', ['signals']],
  ['hard braking', 'looked_for', ['signals']],
  ['a loud bang', 'looked_for', ['sound']],
  ['a dog barks', 'looked_for', ['sounds']],
  ['a siren', 'partly', ['sounds']],
  ['a sign that says STOP', 'looked_for', ['text']],
  ['speed above 30 km/h', 'looked_for', ['telemetry']],
  ['a person near the fountain', 'not_looked_for', []],
  ['a pothole', 'not_looked_for', []],
])('"%s" is %s by %j', (prompt, status, by) => {
  expect(preview(prompt)[0]).toMatchObject({ status, by });
});

it('states why a part would not be searched for, and each word that nothing checks', () => {
  expect(preview('a person waiting to cross')).toEqual([
    { text: 'person waiting to cross', status: 'partly', by: ['objects'], reason: expect.stringContaining('cross') },
    { text: 'cross', status: 'not_looked_for', by: [], reason: expect.any(String) },
  ]);
});

it('states the reason of an observer that is not available', () => {
  const observers = all.map((each) =>
    each.kind === 'objects' ? { kind: each.kind, depth: each.depth, unavailable: 'there are no weights' } : each,
  );
  expect(preview('a car', observers)).toEqual([
    { text: 'car', status: 'not_looked_for', by: [], reason: 'there are no weights' },
  ]);
});

it('sounds are looked for by level without their model', () => {
  const observers = all.map((each) =>
    each.kind === 'sounds' ? { kind: each.kind, depth: each.depth, unavailable: 'there are no weights' } : each,
  );
  expect(preview('a gunshot', observers)).toEqual([
    { text: 'gunshot', status: 'partly', by: ['sound'], reason: 'looked for as any bang: there are no weights' },
  ]);
});

it('leaves parts that no observer can find to the vision model', () => {
  expect(preview('a car and a pothole', all, 'eyes')).toMatchObject([
    { status: 'looked_for', by: ['objects'] },
    { status: 'partly', by: ['look (eyes)'] },
  ]);
});
