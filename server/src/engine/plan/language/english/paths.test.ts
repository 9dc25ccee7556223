import { describe, expect, it } from 'vitest';
import { interpretPlan } from '../../../describe/index.ts';
import { createPlanner } from '../../index.ts';
import type { Action } from '../../terms.ts';

const planner = createPlanner();
const targetOf = (prompt: string) => {
  const { searches } = planner.planQuery(prompt);
  expect(searches).toHaveLength(1);
  const [step] = searches[0]!.steps;
  expect(step!.unchecked.filter(({ blocks }) => blocks)).toEqual([]);
  return step!.what;
};

/** Verbs of the vocabulary, and verbs of travel that no list of it has. */
const VERBS = [
  'walks',
  'runs',
  'rides',
  'flies',
  'rolls',
  'swims',
  'strolls',
  'crawls',
  'hobbles',
  'scurries',
  'skates',
];
const PARTICLES: Readonly<Record<string, Action>> = {
  in: 'enters',
  out: 'leaves',
  past: 'moves',
  by: 'moves',
  across: 'crosses',
  through: 'moves',
  along: 'moves',
  around: 'moves',
  'past a truck': 'passes',
  'towards a truck': 'approaches',
  'into the room': 'enters',
};

/** Particles that leave a motion what it is. */
const PLAIN: ReadonlySet<string> = new Set(['through', 'along', 'around']);

describe.each(VERBS)('"%s"', (verb) => {
  it.each(Object.entries(PARTICLES))('"%s" is a path of every verb of motion: %s', (particle, action) => {
    for (const subject of ['person', 'dog', 'bird']) {
      // Poses show that a person runs.
      const isPosed = verb === 'runs' && subject === 'person' && PLAIN.has(particle);
      const expected = { kind: 'object', action: isPosed ? 'runs' : action };
      expect(targetOf(`a ${subject} ${verb} ${particle}`)).toMatchObject(expected);
    }
  });

  it('towards or past the camera needs no object', () => {
    expect(targetOf(`a dog ${verb} towards us`)).toMatchObject({ action: 'moves', direction: 'towards' });
    expect(targetOf(`a dog ${verb} past us`)).toMatchObject({ action: 'moves', relation: null });
  });
});

it('has a direction, which is restated', () => {
  const directions = {
    'to the left': ['left', 'to the left'],
    'from left to right': ['right', 'to the right'],
    'towards us': ['towards', 'towards the camera'],
    'away from us': ['away', 'away from the camera'],
  } as const;
  for (const verb of VERBS)
    for (const [path, [direction, restated]] of Object.entries(directions)) {
      const plan = planner.planQuery(`a person ${verb} ${path}`);
      const [step] = plan.searches[0]!.steps;
      expect(step!.what).toMatchObject({ action: verb === 'runs' ? 'runs' : 'moves', direction });
      expect(interpretPlan(plan)).toContain(`that ${verb === 'runs' ? 'runs' : 'moves'} ${restated}`);
    }
});

it('is looked for as motion on what something moves across', () => {
  for (const verb of VERBS)
    expect(targetOf(`a cat ${verb} across the table`)).toMatchObject({
      action: 'moves',
      relation: { kind: 'on', other: { classes: ['dining table'] } },
    });
});

it('is no path of other verbs', () => {
  for (const verb of ['dances', 'looks', 'stares', 'leans', 'reaches'])
    for (const particle of ['past', 'across', 'in', 'along']) {
      const { searches } = planner.planQuery(`a person ${verb} ${particle}`);
      expect(searches.every(({ steps }) => steps.some(({ unchecked }) => unchecked.some(({ blocks }) => blocks)))).toBe(
        true,
      );
    }
});
