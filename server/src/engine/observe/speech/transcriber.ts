import { createColumn, float32, float64 } from '../columns.ts';
import { createWindows } from '../sounds/windows.ts';
import type { Transcript } from './observation.ts';
import { toSegments } from './segments.ts';
import { createUtterances, type Utterance } from './utterances.ts';
import { STEP, type VoiceActivity } from './voice-activity.ts';
import type { Whisper } from './whisper.ts';

/** Language of the models in the catalog. */
const LANGUAGE = 'en';

/** Collects what is spoken, utterance by utterance. */
export function createTranscript(model: string) {
  const texts: string[] = [];
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
    addSegment(segment: { startS: number; endS: number; text: string; confidence: number }): void {
      texts.push(segment.text);
      startS.push(segment.startS);
      endS.push(segment.endS);
      confidence.push(segment.confidence);
    },
    finish: (): Transcript => ({
      ...{ model, language: LANGUAGE, texts, startS: startS.toArray(), endS: endS.toArray() },
      confidence: confidence.toArray(),
      ...{ voiceStartS: voiceStartS.toArray(), voiceEndS: voiceEndS.toArray() },
    }),
  };
}
type Column = ReturnType<typeof createColumn<Float64Array>>;

/**
 * Transcribes audio that arrives in parts, of which it keeps one utterance. `durationS` is that of the video. Without
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
  const transcript = createTranscript(model);
  const utterances = createUtterances(async (utterance) => {
    transcript.addVoice(utterance);
    if (!whisper) return;
    const recognized = await whisper.recognize(utterance.samples);
    const { startS } = utterance;
    for (const segment of toSegments(recognized, whisper.tokenizer, utterance.voiceEndS - startS))
      transcript.addSegment({ ...segment, startS: startS + segment.startS, endS: startS + segment.endS });
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
      return isHeard ? transcript.finish() : null;
    },
  };
}
