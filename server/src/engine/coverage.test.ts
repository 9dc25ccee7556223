import { expect, it } from 'vitest';
import { answer } from './answer.ts';
import { line, objects, observations, signals, sound, still } from './find/observations.fixture.ts';
import { PROMPTS } from './plan/fixtures/prompts.fixture.ts';
import { USER_GROUPS } from './plan/fixtures/user-groups.fixture.ts';
import { createPlanner } from './plan/index.ts';

const planner = createPlanner();

/** A scene with traffic, a bag that is left, a dark end with a bang, and a pan of the camera. */
const scene = observations(30, {
  signals: signals(30, (t) => ({
    luma: t > 20 ? 12 : 110,
    globalX: t > 10 && t < 14 ? 0.15 : 0,
    localMotion: t < 10 ? 0.2 : 0,
    regions: t < 10 ? Array(8).fill(0.2) : undefined,
  })),
  sound: sound(
    30,
    (t) => (t > 12 ? -80 : -30),
    (t) => (t > 11.9 && t < 12 ? -1 : -25),
  ),
  objects: objects(30, [
    {
      className: 'car',
      from: 0,
      to: 8,
      at: line(0, [0.05, 0.5], 8, [0.95, 0.5]),
      colors: [['red', 0.5]],
      enteredFrom: 'left',
      leftTo: 'right',
    },
    { className: 'car', from: 0, to: 29, at: still(0.3, 0.6), stationary: [[0, 29]], colors: [['white', 0.6]] },
    {
      className: 'person',
      from: 2,
      to: 18,
      at: line(2, [0.9, 0.6], 16, [0.4, 0.62]),
      colors: [['black', 0.6]],
      enteredFrom: 'right',
    },
    { className: 'suitcase', from: 6, to: 29, at: still(0.75, 0.7), stationary: [[6, 29]] },
    { className: 'dog', from: 4, to: 9, at: line(4, [0.2, 0.7], 9, [0.8, 0.7]) },
  ]),
});

it('reports the result of every part of every prompt, and no events of parts that were not searched', () => {
  const prompts = [...PROMPTS, ...Object.values(USER_GROUPS).flat()].map(([prompt]) => prompt);
  for (const prompt of prompts) {
    const plan = planner.planQuery(prompt);
    const { events, answer: answerText, summary, coverage } = answer(plan, scene);
    const texts = coverage.map((row) => row.text);
    const steps = plan.searches.flatMap((search) => search.steps);
    for (const step of steps) expect([prompt, ...texts]).toContain(step.text);
    for (const { text } of steps.flatMap((step) => step.unchecked)) expect([prompt, ...texts]).toContain(text);
    for (const { from } of plan.corrected.slice(0, 5)) expect(summary, prompt).toContain(`"${from}" was read as`);
    expect(answerText === null, prompt).toBe(plan.question === null || plan.question === 'describe');
    expect(summary, prompt).toMatch(/\.$/);
    if (plan.window) expect(summary, prompt).toContain('of the video was searched');
    const lost = plan.searches.every((s) => s.steps.some((step) => step.unchecked.some((u) => u.blocks)));
    if (lost) expect(events, prompt).toEqual([]);
    for (const row of coverage) if (row.status !== 'looked_for') expect(row.reason, prompt).toMatch(/\w/);
  }
});
