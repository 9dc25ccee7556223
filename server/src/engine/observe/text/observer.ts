import type { NumericArray } from '../artifact.ts';
import { defineTaskObserver, type Prepared, type TaskObserverContext, toDuration, type Unavailable } from '../types.ts';
import type { Texts, TrackedText } from './observation.ts';
import type { TextModel } from './reader.ts';

export type TextSettings = { files: TextModel; model: string };

/** Digits of the weights' digest that go into versions. */
const DIGEST_DIGITS = 12;

const TEXT_ARRAYS = ['frame', 'reading', 'x', 'y', 'width', 'height'] as const satisfies (keyof TrackedText)[];
/** The fields of a text that are not arrays, and its number of entries in the joined arrays. */
type TextFacts = Pick<TrackedText, 'text' | 'score'> & { entries: number };
type StoredFacts = Pick<Texts, 'model' | 'minHeight' | 'readings'> & { texts: TextFacts[] };

/** Reads text in the frame. Only for prompts about it: nothing else needs it. */
export const text = defineTaskObserver({
  kind: 'text',
  version: 'text-2',
  depth: 'both',
  onDemand: true,
  relativeDuration: 2,
  async prepare({ weights }): Promise<Prepared<TextSettings> | Unavailable> {
    const found = await weights.find('text');
    if ('unavailable' in found) return found;
    const [detector = '', recognizer = '', characters = ''] = found.paths;
    const digest = found.digest.slice(0, DIGEST_DIGITS);
    const settings = { files: { detector, recognizer, characters }, model: `${found.name} ${digest}` };
    return { settings, suffix: `${found.name}.${digest}` };
  },
  encode({ model, minHeight, timeS, pts, readings, texts }: Texts) {
    const facts: StoredFacts = {
      model,
      minHeight,
      readings,
      texts: texts.map(({ text, score, frame }) => ({ text, score, entries: frame.length })),
    };
    const total = texts.reduce((sum, { frame }) => sum + frame.length, 0);
    const joined = TEXT_ARRAYS.map((name): [string, NumericArray] => {
      const all = name === 'frame' || name === 'reading' ? new Int32Array(total) : new Float32Array(total);
      let at = 0;
      for (const each of texts) {
        all.set(each[name], at);
        at += each[name].length;
      }
      return [name, all];
    });
    return { facts, arrays: { timeS, pts, ...Object.fromEntries(joined) } };
  },
  decode({ facts, arrays }): Texts {
    const { texts, ...own } = facts as StoredFacts;
    const { timeS, pts } = arrays as Pick<Texts, 'timeS' | 'pts'>;
    let at = 0;
    const restored = texts.map(({ entries, ...each }): TrackedText => {
      const parts = TEXT_ARRAYS.map((name) => [name, arrays[name]!.subarray(at, at + entries)]);
      at += entries;
      return { ...each, ...Object.fromEntries(parts) };
    });
    return { ...own, timeS, pts, texts: restored };
  },
  async observe({ path, video, settings, decoder, onProgress }: TaskObserverContext<TextSettings>) {
    const [{ openTextReader }, { createTextObserver }] = await Promise.all([
      import('./reader.ts'),
      import('./text-observer.ts'),
    ]);
    const reader = await openTextReader(settings.files);
    try {
      const { request, finish } = createTextObserver(reader, video, settings.model);
      const summary = await decoder.decode(path, { frames: [request], onProgress });
      return { observation: finish(), ...toDuration(summary, video) };
    } finally {
      await reader.close();
    }
  },
});
