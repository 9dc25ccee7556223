import { chanceOf, type Noise, noisyOracle } from '#test/servers/vision-noise';
import type { Truth } from '#test/servers/vision-oracle';
import { observations, signals } from '../../find/observations.fixture.ts';
import { planOf, singleSearch } from '../../plan/single-search.ts';
import { framesOf, openEyes } from '../oracle.fixture.ts';

/** An event or candidate, with its confidence. Right: it overlaps something that is there. */
export type JudgedEvent = { confidence: number; isRight: boolean; isCandidate: boolean };

const REQUESTED = 'pothole';
const LENGTHS_S = [10, 20, 40, 60, 100];
/** Least overlap (intersection over union) of right events; or both edges are this close, in seconds. */
const OVERLAP = 0.3;
const CLOSE_S = 1;

/**
 * Asks a noisy oracle about generated clips of 10 to 100 s, half of which show the requested event. Returns the events
 * that were found, and in how many clips the model was believed.
 */
export async function askNoisyOracle(
  noise: Noise,
  rate: number,
  clips: number,
): Promise<{ events: JudgedEvent[]; believed: number }> {
  const eyes = await openEyes(noisyOracle(rate, noise, REQUESTED));
  const events: JudgedEvent[] = [];
  let believed = 0;
  try {
    for (let i = 0; i < clips; i++) {
      const seconds = LENGTHS_S[i % LENGTHS_S.length]!;
      const lasts = Math.min(0.5 * seconds, 1 + 14 * chanceOf([i, 'length']));
      const from = (seconds - lasts) * chanceOf([i, 'start']);
      // Another fact makes clips without it different ones, too.
      const truth: Truth = { [`clip ${i}`]: [], ...(i % 2 === 0 ? { [REQUESTED]: [[from, from + lasts]] } : {}) };
      // The prompt decides the order of the pictures in the control.
      const plan = planOf(`${REQUESTED}, clip ${i}`, [singleSearch(REQUESTED, { kind: 'unknown' })]);
      const video = observations(seconds, { signals: signals(seconds) });
      const result = await eyes.search.search({ plan, observations: video, source: framesOf(eyes.oracle, truth) });
      const { events: found, candidates, coverage } = result!;
      believed += Number(coverage[0]!.status !== 'not_looked_for');
      const judge = (isCandidate: boolean) => (event: { startS: number; endS: number; confidence: number }) =>
        events.push({ isCandidate, confidence: event.confidence, isRight: isRight(event, truth[REQUESTED] ?? []) });
      found.forEach(judge(false));
      candidates.forEach(judge(true));
    }
  } finally {
    await eyes.close();
  }
  return { events, believed };
}

function isRight({ startS, endS }: { startS: number; endS: number }, spans: Truth[string]): boolean {
  return spans.some(([from, to]) => {
    const union = Math.max(to, endS) - Math.min(from, startS);
    const shared = Math.min(to, endS) - Math.max(from, startS);
    return shared / union >= OVERLAP || (Math.abs(from - startS) <= CLOSE_S && Math.abs(to - endS) <= CLOSE_S);
  });
}

const BINS = 10;

/** Expected calibration error: mean distance of confidence and share of right events in ten bins, by their events. */
export function calibrationErrorOf(events: readonly JudgedEvent[]): number {
  const bins = Map.groupBy(events, ({ confidence }) => Math.min(BINS - 1, Math.floor(confidence * BINS)));
  return [...bins.values()].reduce((sum, own) => {
    const confidence = own.reduce((total, each) => total + each.confidence, 0) / own.length;
    const right = own.filter((each) => each.isRight).length / own.length;
    return sum + (Math.abs(confidence - right) * own.length) / events.length;
  }, 0);
}

/** Mean square of the distance of confidence from 1 if an event is right, and from 0 if not. */
export const brierScoreOf = (events: readonly JudgedEvent[]): number =>
  events.reduce((sum, { confidence, isRight }) => sum + (Number(isRight) - confidence) ** 2, 0) / events.length;
