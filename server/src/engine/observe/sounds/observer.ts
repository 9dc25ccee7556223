import { createColumn, int32, uint8 } from '../columns.ts';
import {
  defineTaskObserver,
  type Prepared,
  SAMPLE_RATE,
  type TaskObserverContext,
  toDuration,
  type Unavailable,
} from '../types.ts';
import type { SoundClasses } from './observation.ts';
import { createWindows, HOP, WINDOW } from './windows.ts';

export type SoundsSettings = { weights: string; model: string };

/** Digits of the weights' digest that go into versions. */
const DIGEST_DIGITS = 12;
/** Least stored score of 255. Rules start at more than twice as much. */
export const MIN_SCORE = 5;

/** Collects the scores of consecutive windows. */
export function createSoundClasses(model: string) {
  const offset = createColumn(int32);
  const classIndex = createColumn(int32);
  const score = createColumn(uint8);
  let entries = 0;
  offset.push(0);
  return {
    /** Adds a window; null for one without sound. */
    addScores(scores: Float32Array | null): void {
      scores?.forEach((value, index) => {
        const rounded = Math.round(255 * Math.min(1, value));
        if (rounded < MIN_SCORE) return;
        classIndex.push(index);
        score.push(rounded);
        entries++;
      });
      offset.push(entries);
    },
    finish: (): SoundClasses => ({
      model,
      startS: 0,
      stepS: HOP / SAMPLE_RATE,
      windowS: WINDOW / SAMPLE_RATE,
      offset: offset.toArray(),
      classIndex: classIndex.toArray(),
      score: score.toArray(),
    }),
  };
}

/** Recognizes sounds: null for a video without audio. Only for prompts about them: nothing else needs it. */
export const sounds = defineTaskObserver({
  kind: 'sounds',
  version: 'sounds-1',
  depth: 'both',
  onDemand: true,
  relativeDuration: 0.2,
  async prepare({ weights }): Promise<Prepared<SoundsSettings> | Unavailable> {
    const found = await weights.find('sounds');
    if ('unavailable' in found) return found;
    const digest = found.digest.slice(0, DIGEST_DIGITS);
    return {
      settings: { weights: found.paths[0], model: `${found.name} ${digest}` },
      suffix: `${found.name}.${digest}`,
    };
  },
  encode(observation: SoundClasses | null) {
    const { offset, classIndex, score, ...facts } = observation ?? NOTHING_HEARD;
    return { facts: { heard: observation !== null, ...facts }, arrays: { offset, classIndex, score } };
  },
  decode({ facts, arrays }): SoundClasses | null {
    const { heard, ...own } = facts as Omit<SoundClasses, keyof typeof arrays> & { heard: boolean };
    return heard ? ({ ...own, ...arrays } as SoundClasses) : null;
  },
  async observe({ path, video, settings, decoder, onProgress }: TaskObserverContext<SoundsSettings>) {
    const collected = createSoundClasses(settings.model);
    const { openRecognizer } = await import('./recognizer.ts');
    const recognizer = await openRecognizer(settings.weights);
    const windows = createWindows(video.durationS, async (samples) => {
      collected.addScores(samples && (await recognizer.recognize(samples)));
    });
    try {
      // Without requested frames no keyframe is due, so no frame is decoded.
      const summary = await decoder.decode(path, {
        frames: [],
        skip: 'non-key',
        onProgress,
        ...(video.hasAudio ? { audio: { sampleRate: SAMPLE_RATE, onSamples: windows.addSamples } } : {}),
      });
      const isHeard = await windows.finish();
      return { observation: isHeard ? collected.finish() : null, ...toDuration(summary, video) };
    } finally {
      await recognizer.close();
    }
  },
});

const NOTHING_HEARD: SoundClasses = {
  model: '',
  startS: 0,
  stepS: 0,
  windowS: 0,
  offset: new Int32Array(),
  classIndex: new Int32Array(),
  score: new Uint8Array(),
};
