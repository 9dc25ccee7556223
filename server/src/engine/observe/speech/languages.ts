import { NO_SPEECH } from './segments.ts';
import type { Utterance } from './utterances.ts';
import type { Heard, Recognized, Whisper } from './whisper.ts';

/** Shortest utterance whose language is detected by itself, in seconds of voice. */
export const MIN_DETECTED_S = 3;
/** Probability among all languages from which a detected one is believed. */
const SURE = 0.5;
/** Most audio that waits for its language, in samples: 30 s, what the model hears at once. */
const MAX_WAITING = 30 * 16_000;

/** `language`: BCP 47 tag of the language in which it was decoded; null with English-only weights. */
export type RecognizedUtterance = { utterance: Utterance; recognized: Recognized; language: string | null };

/**
 * Recognizes utterances in order. With multilingual weights, it decides in which language each one is decoded:
 *
 * - An utterance with at least 3 s of voice is decoded in the language that is detected in it, if that has a
 *   probability of at least 0.5 and something is spoken.
 * - Any other is decoded in the language that was detected for most of the time until then: a few sounds, or a voice in
 *   noise, are often taken for some other language.
 * - Utterances before the first known language wait for it. If they have 30 s together, or the audio ends, the language
 *   is detected in all of them at once.
 */
export function createRecognizer(whisper: Whisper, onRecognized: (found: RecognizedUtterance) => void) {
  const secondsByTag = new Map<string, number>();
  let waiting: Utterance[] = [];

  const mostSpoken = (): string | null => {
    const [best] = [...secondsByTag].toSorted(([, a], [, b]) => b - a);
    return best?.[0] ?? null;
  };

  /** Counts the language of what was heard for some seconds, and returns it; null if it is not certain. */
  function count({ language, noSpeech }: Heard, seconds: number): string | null {
    if (!language || language.probability < SURE || noSpeech > NO_SPEECH) return null;
    const { tag } = language;
    secondsByTag.set(tag, (secondsByTag.get(tag) ?? 0) + seconds);
    return tag;
  }

  async function recognizeWaiting(language: string): Promise<void> {
    const utterances = waiting;
    waiting = [];
    for (const utterance of utterances) {
      const heard = await whisper.hear(utterance.samples);
      onRecognized({ utterance, recognized: await heard.recognize(language), language });
    }
  }

  async function detectTogether(): Promise<void> {
    const heard = await whisper.hear(join(waiting));
    count(heard, secondsOf(waiting));
    await recognizeWaiting(heard.language!.tag);
  }

  async function wait(utterance: Utterance): Promise<void> {
    waiting.push(utterance);
    if (waiting.reduce((sum, { samples }) => sum + samples.length, 0) >= MAX_WAITING) await detectTogether();
  }

  return {
    async add(utterance: Utterance): Promise<void> {
      const { multilingual } = whisper.tokenizer;
      const seconds = secondsOf([utterance]);
      const isLong = seconds >= MIN_DETECTED_S;
      if (multilingual && !isLong && mostSpoken() === null) return wait(utterance);
      const heard = await whisper.hear(utterance.samples);
      const own = isLong ? count(heard, seconds) : null;
      const known = mostSpoken();
      if (multilingual && known === null) return wait(utterance);
      if (known !== null) await recognizeWaiting(known);
      const language = own ?? known;
      onRecognized({ utterance, recognized: await heard.recognize(language), language });
    },
    async finish(): Promise<void> {
      if (waiting.length > 0) await detectTogether();
    },
  };
}

const secondsOf = (utterances: readonly Utterance[]) =>
  utterances.reduce((sum, { voiceStartS, voiceEndS }) => sum + voiceEndS - voiceStartS, 0);

/** The first samples of utterances one after another, as many as the model hears. */
function join(utterances: readonly Utterance[]): Float32Array {
  const joined = new Float32Array(MAX_WAITING);
  let length = 0;
  for (const { samples } of utterances) {
    const part = samples.subarray(0, MAX_WAITING - length);
    joined.set(part, length);
    length += part.length;
  }
  return joined.subarray(0, length);
}
