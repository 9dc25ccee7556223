import { expect, test } from 'vitest';
import { answerPrompt } from '../answer.fixture.ts';
import { trackConfidence } from './confidence.ts';
import { line, objects, observations, signals, still, type TrackSpec } from './observations.fixture.ts';

const MINUTE_S = 60;

function confidenceOf(track: Omit<TrackSpec, 'className' | 'from'>): number {
  const tracks = [{ className: 'suitcase', from: 0, ...track }];
  const scene = observations(MINUTE_S, { signals: signals(MINUTE_S), objects: objects(MINUTE_S, tracks) });
  const { events, candidates } = answerPrompt('a suitcase', scene);
  return [...events, ...candidates][0]!.confidence;
}

test.each([0.4, 0.5, 0.6])('one error is not confirmed by its repetition: score %d', (score) => {
  const atOnce = confidenceOf({ to: 2, score, at: still(0.5, 0.5) });
  const forAMinute = confidenceOf({ to: MINUTE_S, score, at: still(0.5, 0.5) });
  const moving = confidenceOf({ to: MINUTE_S, score, at: line(0, [0.1, 0.5], MINUTE_S, [0.9, 0.5]) });
  // The position of a box that stands varies by some percent of its size.
  const trembling = confidenceOf({ to: MINUTE_S, score, at: (t) => [0.5 + 0.004 * Math.sin(t * 9), 0.5] });
  expect(forAMinute).toBeGreaterThanOrEqual(atOnce);
  expect(moving).toBeGreaterThan(atOnce);
  // As if it was seen a few times in different places.
  expect(forAMinute).toBeLessThanOrEqual(trackConfidence(score, 16) + 1e-3);
  expect(moving).toBeGreaterThanOrEqual(forAMinute);
  expect(trembling).toBeCloseTo(forAMinute, 6);
});
