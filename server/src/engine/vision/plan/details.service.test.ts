import { expect, it } from 'vitest';
import { line, objects, observations, signals } from '../../find/observations.fixture.ts';
import { createPlanner } from '../../plan/index.ts';
import { framesOf, openEyes } from '../oracle.fixture.ts';
import { selectDetails } from './details.ts';

const SECONDS = 8;
const person = { className: 'person', from: 2, to: 6, at: line(2, [0.2, 0.5], 6, [0.8, 0.5]), score: 0.9 };
const seen = observations(SECONDS, {
  signals: signals(SECONDS),
  objects: objects(SECONDS, [person, { ...person, className: 'car', at: line(2, [0.5, 0.9], 6, [0.5, 0.9]) }]),
});
const frames = [1, 3, 5, 7].map((timeS) => ({ timeS, pts: timeS * 90_000 }));

it('enlarges the objects that a question is about, within the frame', () => {
  const details = selectDetails('is he wearing a helmet', seen, frames);
  expect(details).toMatchObject([
    { className: 'person', frame: { timeS: expect.toSatisfy((t) => t === 3 || t === 5) } },
  ]);
  for (const { part } of details) {
    expect(part.x).toBeGreaterThanOrEqual(0);
    expect(part.x + part.width).toBeLessThanOrEqual(1);
    expect(part.width).toBeGreaterThanOrEqual(0.1);
  }
  expect(selectDetails('is the car red', seen, frames)).toMatchObject([{ className: 'car' }]);
  expect(selectDetails('a pothole', seen, frames)).toEqual([]);
  expect(selectDetails('a person', seen, [frames[0]!])).toEqual([]);
});

it('shows enlarged parts after the frames, which do not count as frames', async () => {
  const eyes = await openEyes();
  try {
    const parts: object[] = [];
    const source = {
      ...framesOf(eyes.oracle, { 'he wears a helmet': [[3, 5]] }),
      part: async (timeS: number, part: object) => {
        parts.push(part);
        return Buffer.from(`part at ${timeS}`);
      },
    };
    const plan = createPlanner().planQuery('he wears a helmet');
    await eyes.search.search({ plan, observations: seen, source });
    expect(parts).toHaveLength(1);
    const texts = eyes.model.requests.map((request) => request.texts.join('\n'));
    const shown = texts.filter((text) => text.includes('Enlarged part of frame'));
    expect(shown).toHaveLength(1);
    expect(shown[0]).toMatch(/Frame 12 <[\s\S]*Enlarged part of frame \d+, a person:[\s\S]*These are 12 frames/);
  } finally {
    await eyes.close();
  }
});
