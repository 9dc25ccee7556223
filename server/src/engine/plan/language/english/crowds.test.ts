import { expect, it } from 'vitest';
import { createPlanner } from '../../index.ts';

const planner = createPlanner();
const WORDINGS: Readonly<Record<string, readonly string[]>> = {
  statement: ['it is BUSY', 'it gets BUSY', 'the lobby is BUSY', 'the lobby gets BUSY'],
  yes_no: ['is it BUSY', 'is it ever BUSY', 'does it get BUSY', 'does it ever get BUSY', 'is the lobby BUSY'],
  when: ['when is it BUSY', 'when does it get BUSY', 'when is the lobby BUSY', 'when does the lobby get BUSY'],
};
const ADJECTIVES = [
  ['crowded', ['person']],
  ['full of people', ['person']],
  ['busy', ['person', 'car', 'bus', 'truck']],
] as const;
const PROMPTS = ADJECTIVES.flatMap(([adjective, classes]) =>
  Object.entries(WORDINGS).flatMap(([question, wordings]) =>
    wordings.map((wording) => [wording.replace('BUSY', adjective), question, [...classes]] as const),
  ),
);

it.each(PROMPTS)('"%s": five or more at the same time (%s)', (prompt, question, classes) => {
  const plan = planner.planQuery(prompt);
  expect(plan.question ?? 'statement').toBe(question);
  expect(plan.searches.map(({ steps }) => steps.map(({ what }) => what))).toMatchObject([
    [
      {
        kind: 'object',
        action: 'present',
        subject: { classes: expect.arrayContaining([...classes]), count: { min: 5 } },
      },
    ],
  ]);
});
