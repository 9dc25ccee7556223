import { chanceOf, type Noise, noisyOracle } from '#test/servers/vision-noise';
import type { Truth } from '#test/servers/vision-oracle';
import { signals } from '../find/observations.fixture.ts';
import { createPlanner } from '../plan/index.ts';
import { createMemoryLedger } from '../vision/calls/index.ts';
import { createVisionProfiles } from '../vision/index.ts';
import { framesOf, openEyes } from '../vision/oracle.fixture.ts';
import type { JudgedEvent } from '../vision/reliability/calibration.fixture.ts';
import { createLiveEngine } from './live-engine.ts';
import type { ObservedSegment } from './observed-segment.ts';
import { createStreamWindow } from './stream-window.ts';

const REQUESTED = 'pothole';
const CHUNK_S = 5;
/** Length of each stream, and of the parts of it of which some show what is requested. */
const STREAM_S = 600;
const PART_S = 60;
const SHOWN = 0.3;

/**
 * Shows generated streams of ten minutes to a noisy oracle, in which something changes all the time. Returns what was
 * reported. Right: at least half of an event lies where it is.
 */
export async function watchWithNoise(noise: Noise, rate: number, streams: number): Promise<JudgedEvent[]> {
  const plan = createPlanner().planQuery(`a ${REQUESTED}`);
  const eyes = await openEyes(noisyOracle(rate, noise, REQUESTED));
  const looks = createVisionProfiles({ profiles: { only: eyes.profile }, defaultProfile: 'only' });
  const { signal } = new AbortController();
  const segment: ObservedSegment = {
    video: { durationS: CHUNK_S, width: 1280, height: 720, timeBase: [1, 90_000], hasAudio: false },
    signals: signals(CHUNK_S, () => ({ localMotion: 0.1 })),
    sound: null,
    detections: null,
  };
  const judged: JudgedEvent[] = [];
  try {
    for (let i = 0; i < streams; i++) {
      const spans = Array.from({ length: STREAM_S / PART_S }, (_, n): [number, number][] => {
        const lasts = 10 + 35 * chanceOf([i, n, 'length']);
        const from = PART_S * n + (PART_S - lasts) * chanceOf([i, n, 'start']);
        return chanceOf([i, n, 'shown']) < SHOWN ? [[from, from + lasts]] : [];
      }).flat();
      const truth: Truth = { [`stream ${i}`]: [], [REQUESTED]: spans };
      const source = framesOf(eyes.oracle, truth);
      const frameImage = (path: string, { timeS }: { timeS: number }) => source.frame(Number(path) + timeS, 768);
      const live = createLiveEngine({ media: { frameImage } as never, weights: null as never, looks });
      const look = live.createModelLook({ ledger: createMemoryLedger(), signal, settleMs: 120_000 });
      const window = createStreamWindow(2 * STREAM_S);
      for (let startS = 0; startS < STREAM_S; startS += CHUNK_S) {
        await look.consider(plan, segment, String(startS), startS);
        await look.settle();
        window.add({ segment: { ...segment, sightings: look.collect() }, startS });
      }
      for (const { event } of live.answer(plan, window).events) {
        const { startS, endS, confidence } = event;
        const insideS = spans.reduce(
          (sum, [from, to]) => sum + Math.max(0, Math.min(to, endS) - Math.max(from, startS)),
          0,
        );
        judged.push({ confidence, isRight: insideS >= 0.5 * (endS - startS), isCandidate: false });
      }
    }
  } finally {
    await eyes.close();
  }
  return judged;
}
