import { chanceOf, type Noise, noisyOracle } from '#test/servers/vision-noise';
import type { Truth } from '#test/servers/vision-oracle';
import { DEFAULT_MIN_CONFIDENCE } from '../../find/index.ts';
import { observations, signals } from '../../find/observations.fixture.ts';
import { createPlanner } from '../../plan/index.ts';
import { framesOf, openEyes } from '../oracle.fixture.ts';
import type { ReviewItem } from '../types.ts';
import type { JudgedEvent } from './calibration.fixture.ts';

const REQUESTED = 'a red car';
const EVENTS = 4;
/** Seconds from one event to the next, and of each. */
const EVERY_S = 10;
const LASTS_S = 4;
const FRAMES = 5;
/** Confidence of the observer: events at 0.6 are right in six of ten cases. */
const CONFIDENCE = { min: 0.2, max: 0.9 };

/**
 * Has a noisy oracle verify the events of an observer whose own confidence is right on average, in generated clips with
 * four of them each. Returns the events after that and `before`, and in how many clips the model was believed.
 */
export async function verifyWithNoise(
  noise: Noise,
  rate: number,
  clips: number,
): Promise<{ events: JudgedEvent[]; before: JudgedEvent[]; believed: number }> {
  const planned = createPlanner().planQuery(REQUESTED);
  const eyes = await openEyes(noisyOracle(rate, noise, REQUESTED));
  const [events, before]: [JudgedEvent[], JudgedEvent[]] = [[], []];
  let believed = 0;
  try {
    for (let i = 0; i < clips; i++) {
      const found = Array.from({ length: EVENTS }, (_, n) => {
        const startS = EVERY_S * n + 2 + 2 * chanceOf([i, n, 'start']);
        const confidence = CONFIDENCE.min + (CONFIDENCE.max - CONFIDENCE.min) * chanceOf([i, n, 'confidence']);
        return { startS, confidence, isRight: chanceOf([i, n, 'right']) < confidence };
      });
      const spans = found.flatMap(({ startS, isRight }): [number, number][] =>
        isRight ? [[startS, startS + LASTS_S]] : [],
      );
      const truth: Truth = { [`clip ${i}`]: [], [REQUESTED]: spans };
      const review = found.map(({ startS, confidence }, n): ReviewItem => {
        const times = Array.from({ length: FRAMES }, (_, k) => startS + (k * LASTS_S) / (FRAMES - 1));
        const frames = times.map((timeS) => ({ timeS, pts: Math.round(timeS * 90_000) }));
        return { key: String(n), text: REQUESTED, isOrdered: false, confidence, frames };
      });
      const video = observations(EVENTS * EVERY_S, { signals: signals(EVENTS * EVERY_S) });
      const plan = { ...planned, query: `${REQUESTED}, clip ${i}` };
      const source = framesOf(eyes.oracle, truth);
      const { verdicts } = (await eyes.search.search({ plan, observations: video, source, review }))!;
      if (verdicts.size === 0) continue;
      believed++;
      for (const [n, { confidence, isRight }] of found.entries()) {
        const verdict = verdicts.get(String(n))!;
        before.push({ confidence, isRight, isCandidate: confidence < DEFAULT_MIN_CONFIDENCE });
        const isCandidate = verdict.confidence < DEFAULT_MIN_CONFIDENCE;
        events.push({ confidence: verdict.confidence, isRight, isCandidate });
      }
    }
  } finally {
    await eyes.close();
  }
  return { events, before, believed };
}
