import { createColumn, float32, float64 } from '../columns.ts';
import { createWindows } from '../sounds/windows.ts';
import { createRecognizer } from './languages.ts';
import type { Transcript } from './observation.ts';
import { type SpokenSegment, toSegments } from './segments.ts';
import { createUtterances, type Utterance } from './utterances.ts';
import { STEP, type VoiceActivity } from './voice-activity.ts';
import type { Whisper } from './whisper.ts';

/** Language for which English-only weights take all speech. */
const ENGLISH = 'en';

/** `language`: BCP 47 tag; null with English-only weights. */
type TranscribedSegment = SpokenSegment & { language?: string | null };

/** Collects what is spoken, utterance by utterance. `isMultilingual`: each segment states its language. */
export function createTranscript(model: string, { isMultilingual = false }: { isMultilingual?: boolean } = {}) {
  const texts: string[] = [];
  const languages: string[] = [];
  const [startS, endS, voiceStartS, voiceEndS] = [0, 0, 0, 0].map(() => createColumn(float64)) as [
    Column,
    Column,
    Column,
    Column,
  ];
  const confidence = createColumn(float32);
  return {
    addVoice(utterance: Pick<Utterance, 'voiceStartS' | 'voiceEndS'>): void {
      voiceStartS.push(utterance.voiceStartS);
      voiceEndS.push(utterance.voiceEndS);
    },
    addSegment(segment: TranscribedSegment): void {
      texts.push(segment.text);
      languages.push(segment.language ?? ENGLISH);
      startS.push(segment.startS);
      endS.push(segment.endS);
      confidence.push(segment.confidence);
    },
    finish(): Transcript {
      const [starts, ends] = [startS.toArray(), endS.toArray()];
      const isMixed = new Set(languages).size > 1;
      return {
        model,
        isMultilingual,
        texts,
        startS: starts,
        endS: ends,
        confidence: confidence.toArray(),
        language: isMultilingual ? mostSpoken(languages, (i) => ends[i]! - starts[i]!) : ENGLISH,
        languages: isMixed ? languages : null,
        voiceStartS: voiceStartS.toArray(),
        voiceEndS: voiceEndS.toArray(),
      };
    },
  };
}
type Column = ReturnType<typeof createColumn<Float64Array>>;

/**
 * Transcribes audio that arrives in parts, of which it keeps some utterances. `durationS` is that of the video. Without
 * a recognizer of words, it only finds voices.
 */
export function createTranscriber({
  whisper,
  voice,
  model,
  durationS,
}: {
  whisper: Whisper | null;
  voice: VoiceActivity;
  model: string;
  durationS: number;
}) {
  const transcript = createTranscript(model, { isMultilingual: Boolean(whisper?.tokenizer.multilingual) });
  const recognizer =
    whisper &&
    createRecognizer(whisper, ({ utterance: { startS, voiceEndS }, recognized, language }) => {
      for (const segment of toSegments(recognized, whisper.tokenizer, voiceEndS - startS))
        transcript.addSegment({ ...segment, language, startS: startS + segment.startS, endS: startS + segment.endS });
    });
  const utterances = createUtterances(async (utterance) => {
    transcript.addVoice(utterance);
    await recognizer?.add(utterance);
  });
  const steps = createWindows(durationS, async (samples) => utterances.addStep(samples, await voice.detect(samples)), {
    window: STEP,
    hop: STEP,
  });
  return {
    addSamples: steps.addSamples,
    /** Returns what was spoken; null if there was no audio. */
    async finish(): Promise<Transcript | null> {
      const isHeard = await steps.finish();
      await utterances.finish();
      await recognizer?.finish();
      return isHeard ? transcript.finish() : null;
    },
  };
}

/** The language with most seconds of segments; null without segments. */
function mostSpoken(languages: readonly string[], secondsOf: (segment: number) => number): string | null {
  const secondsByTag = new Map<string, number>();
  for (const [i, tag] of languages.entries()) secondsByTag.set(tag, (secondsByTag.get(tag) ?? 0) + secondsOf(i));
  const [best] = [...secondsByTag].toSorted(([, a], [, b]) => b - a);
  return best?.[0] ?? null;
}
