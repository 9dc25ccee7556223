import { describe, expect, it } from 'vitest';
import { answerPrompt, toRows } from '../../../answer.fixture.ts';
import { answer } from '../../../answer.ts';
import { createPlanner, type ObjectTarget, type Plan } from '../../../plan/index.ts';
import { line, objects, observations, signals, still, type TrackSpec } from '../../observations.fixture.ts';

const planner = createPlanner();
const video = (seconds: number, ...tracks: TrackSpec[]) =>
  observations(seconds, { signals: signals(seconds), objects: objects(seconds, tracks) });

/** From the left edge to the right one between 4 and 8 s: over the middle at 6 s, over the thirds at 5.3 and 6.7 s. */
const car: TrackSpec = {
  className: 'car',
  from: 4,
  to: 8,
  at: line(4, [0.05, 0.6], 8, [0.95, 0.6]),
  enteredFrom: 'left',
  leftTo: 'right',
};
const parked: TrackSpec = { className: 'car', from: 0, to: 20, at: still(0.5, 0.6), stationary: [[0, 20]] };
/** Enters on the right, walks to the left of the middle and back. */
const visitor: TrackSpec = {
  className: 'person',
  from: 4,
  to: 18,
  at: (t) => (t < 11 ? line(4, [0.97, 0.6], 8, [0.4, 0.6])(t) : line(14, [0.4, 0.6], 18, [0.97, 0.6])(t)),
  size: () => [0.05, 0.2],
  enteredFrom: 'right',
  leftTo: 'right',
  stationary: [[8, 14]],
};

/** A plan that a client sends: the one of a prompt, with a line or region drawn. */
function drawn(prompt: string, border: Partial<Pick<ObjectTarget, 'line' | 'region'>>): Plan {
  const plan = planner.planQuery(prompt);
  const { what } = plan.searches[0]!.steps[0]!;
  return planner.checkPlan({
    ...plan,
    searches: [{ ...plan.searches[0]!, steps: [{ ...plan.searches[0]!.steps[0]!, what: { ...what, ...border } }] }],
  });
}
const gate = { name: 'gate', from: { x: 0.25, y: 0.4 }, to: { x: 0.25, y: 0.8 } } satisfies ObjectTarget['line'];
const yard = {
  name: 'yard',
  points: [
    { x: 0.3, y: 0.4 },
    { x: 0.7, y: 0.4 },
    { x: 0.7, y: 0.9 },
    { x: 0.3, y: 0.9 },
  ],
} satisfies ObjectTarget['region'];

describe('lines', () => {
  it('are crossed if the center moves from one side to the other', () => {
    expect(toRows(answerPrompt('a car crosses the middle line', video(20, car)))).toEqual([
      ['car crosses the middle line to the right', 5.8, 6.2],
    ]);
    expect(
      toRows(answerPrompt('a person crosses the middle line', video(20, visitor))).map(([label]) => label),
    ).toEqual(['person crosses the middle line to the left', 'person crosses the middle line to the right']);
  });

  it('are crossed in one direction if the prompt names it', () => {
    expect(
      toRows(answerPrompt('a person crosses the middle line from left to right', video(20, visitor))),
    ).toHaveLength(1);
    expect(toRows(answerPrompt('a car crosses the middle line from right to left', video(20, car)))).toEqual([]);
  });

  it('may be defined by the client, and have ends', () => {
    expect(toRows(answer(drawn('a car crosses', { line: gate }), video(20, car)))).toEqual([
      ['car crosses the gate to the right', 4.8, 5],
    ]);
    const above = { ...gate, to: { x: 0.25, y: 0.5 } } satisfies ObjectTarget['line'];
    expect(toRows(answer(drawn('a car crosses', { line: above }), video(20, car)))).toEqual([]);
  });

  it('are not crossed by stationary objects under a panning camera', () => {
    const panning = observations(20, {
      signals: signals(20, () => ({ globalX: 0.1 })),
      objects: objects(20, [{ ...parked, to: 8, at: line(0, [0.1, 0.6], 8, [0.9, 0.6]), stationary: [] }]),
    });
    expect(toRows(answerPrompt('a car crosses the middle line', panning))).toEqual([]);
    expect(toRows(answerPrompt('a car crosses the middle line', video(20, parked)))).toEqual([]);
  });

  it('count objects that cross together', () => {
    const two = video(20, car, { ...car, at: line(4, [0.05, 0.8], 8, [0.95, 0.8]) });
    expect(toRows(answerPrompt('two cars cross the middle line', two))).toEqual([
      ['2 cars cross the middle line to the right', 5.8, 6.2],
    ]);
  });
});

describe('regions', () => {
  it('are entered and left by the center', () => {
    expect(toRows(answerPrompt('a car enters the right third', video(20, car)))).toEqual([
      ['car enters the right third', 6.6, 6.8],
    ]);
    expect(toRows(answerPrompt('a car leaves the left third', video(20, car)))).toEqual([
      ['car leaves the left third', 5.2, 5.4],
    ]);
  });

  it('are also entered over the edge of the frame', () => {
    expect(
      toRows(answerPrompt('a car enters the left third', video(20, car))).map(([label, from]) => [label, from]),
    ).toEqual([['car enters the left third', 4]]);
    expect(toRows(answerPrompt('a car enters the left third', video(20, { ...car, enteredFrom: undefined })))).toEqual(
      [],
    );
  });

  it('are entered from the requested side', () => {
    expect(toRows(answerPrompt('a person enters the left half from the right', video(20, visitor)))).toHaveLength(1);
    expect(toRows(answerPrompt('a person enters the left half from the left', video(20, visitor)))).toEqual([]);
  });

  it('may be polygons defined by the client', () => {
    expect(toRows(answer(drawn('a car enters', { region: yard }), video(20, car)))).toEqual([
      ['car enters the yard', 5, 5.2],
    ]);
    expect(toRows(answer(drawn('a car leaves', { region: yard }), video(20, car)))).toEqual([
      ['car leaves the yard', 6.8, 7],
    ]);
    expect(toRows(answer(drawn('a car crosses', { region: yard }), video(20, car)))).toEqual([
      ['car crosses the yard to the right', 5, 7],
    ]);
    expect(toRows(answer(drawn('a person crosses', { region: yard }), video(20, visitor)))).toEqual([]);
  });

  it('limit the place of an object or of motion', () => {
    const plan = planner.planQuery('a car');
    const { what } = plan.searches[0]!.steps[0]!;
    if (what.kind === 'object') what.subject.place = yard;
    expect(toRows(answer(planner.checkPlan(plan), video(20, car))).map(([, from, to]) => [from, to])).toEqual([
      [5.2, 6.8],
    ]);
    const motion = planner.planQuery('motion on the left');
    const moving = motion.searches[0]!.steps[0]!.what;
    if (moving.kind === 'motion') moving.place = yard;
    const where = (regions: number[]) =>
      observations(10, { signals: signals(10, (t) => (t > 4 && t < 6 ? { localMotion: 0.1, regions } : {})) });
    expect(toRows(answer(motion, where([0, 0, 0, 0, 0, 0.5, 0, 0])))).toHaveLength(1);
    expect(toRows(answer(motion, where([0.5, 0, 0, 0.5, 0, 0, 0, 0])))).toEqual([]);
  });
});
