import { expect, test } from 'vitest';
import { annotate, causesRow, listDecisions } from './driving-causes.ts';
import type { DrivingAction } from './find/index.ts';

const action = (
  startS: number,
  longitudinal: DrivingAction['longitudinal'],
  lateral: DrivingAction['lateral'] = 'straight',
): DrivingAction => ({ startS, endS: startS + 1, longitudinal, lateral, speedMps: 5 });

test('a decision starts an action within the video; an action that continues is no new decision', () => {
  const decisions = listDecisions(
    [
      action(0, 'braking'),
      action(1, 'driving'),
      action(2, 'braking_hard', 'left'),
      action(3, 'stopped', null),
      action(4, null, 'right'),
      action(5, 'accelerating', 'right'),
      action(6, 'accelerating'),
      action(7, 'braking_hard'),
      action(8, 'braking'),
      action(20, 'stopped', null),
      action(59, 'driving'),
      action(60, 'stopped', null),
    ],
    60,
  );
  expect(decisions.map(({ timeS, text }) => [timeS, text])).toEqual([
    [2, 'the vehicle brakes hard, and the vehicle turns left'],
    [3, 'the vehicle stops'],
    [4, 'the vehicle turns right'],
    [5, 'the vehicle accelerates'],
    [7, 'the vehicle brakes hard'],
  ]);
});

test('of a long drive, the most decisive ones are chosen, in order of time', () => {
  const actions = Array.from({ length: 40 }, (_, i) =>
    action(i, i % 2 ? 'accelerating' : i === 38 ? 'braking_hard' : 'driving'),
  );
  const times = listDecisions(actions, 40).map(({ timeS }) => timeS);
  expect(times).toHaveLength(12);
  expect(times).toContain(38);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

test('annotations are those decisions whose reason was seen, and the row of coverage counts them', () => {
  const decisions = listDecisions([action(4, 'driving'), action(5, 'braking'), action(6, 'stopped', null)], 20);
  const cause = { text: 'A dog runs across.', component: { name: 'dog', location: null } };
  const annotations = annotate(decisions, [cause, null]);
  expect(annotations).toEqual([
    {
      keyframeS: 5,
      decision: { longitudinal: 'braking', lateral: 'straight' },
      criticalComponents: [{ component: 'dog', location: null }],
      chainOfCausation: 'A dog runs across.',
    },
  ]);
  const row = (untrusted: string | null) => causesRow('eyes', 2, { annotations: 1, untrusted, limits: ['slow'] });
  expect(row(null)).toMatchObject({
    status: 'partly',
    reason: 'eyes saw the reason of 1 of 2 decisions of the driver; slow',
  });
  expect(causesRow('eyes', 0, { annotations: 0, untrusted: null, limits: [] }).reason).toMatch(/no change of speed/);
  expect(row('it says yes')).toMatchObject({ status: 'not_looked_for', by: [] });
});
