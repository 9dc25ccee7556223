import { subtitles } from '../subtitles/observer.ts';
import {
  defineTaskObserver,
  type Prepared,
  SAMPLE_RATE,
  type TaskObserverContext,
  toDuration,
  type Unavailable,
} from '../types.ts';
import type { Transcript } from './observation.ts';
import { createTranscriber, createTranscript } from './transcriber.ts';
import { openVoiceActivity } from './voice-activity.ts';

export type SpeechSettings = { files: readonly string[]; model: string };

type StoredFacts = Pick<Transcript, 'model' | 'language' | 'texts'> &
  Partial<Pick<Transcript, 'isMultilingual' | 'languages'>> & { heard: boolean };

/** Digits of the weights' digest that go into versions. */
const DIGEST_DIGITS = 12;

/**
 * Transcribes speech: null for a video without audio. Only for prompts about it: nothing else needs it. Where subtitles
 * have the words, only voices are looked for.
 */
export const speech = defineTaskObserver({
  kind: 'speech',
  version: 'speech-1',
  depth: 'both',
  onDemand: true,
  isExclusive: true,
  relativeDuration: 0.5,
  async prepare({ weights }): Promise<Prepared<SpeechSettings> | Unavailable> {
    const found = await weights.find('speech');
    if ('unavailable' in found) return found;
    const digest = found.digest.slice(0, DIGEST_DIGITS);
    return { settings: { files: found.paths, model: `${found.name} ${digest}` }, suffix: `${found.name}.${digest}` };
  },
  encode(observation: Transcript | null) {
    const { model, language, texts, languages, isMultilingual, ...arrays } =
      observation ?? createTranscript('').finish();
    // Facts of English-only weights are those of earlier versions, so that both are the same.
    const multilingual = isMultilingual ? { isMultilingual, languages } : {};
    return { facts: { heard: observation !== null, model, language, texts, ...multilingual }, arrays };
  },
  decode({ facts, arrays }): Transcript | null {
    const { heard, isMultilingual = false, languages = null, ...own } = facts as StoredFacts;
    return heard ? ({ ...own, isMultilingual, languages, ...arrays } as Transcript) : null;
  },
  async observe({ path, video, settings, decoder, onProgress, getResult }: TaskObserverContext<SpeechSettings>) {
    const { observation: stated } = await getResult(subtitles);
    const { openWhisper } = await import('./whisper.ts');
    await using opened = new AsyncDisposableStack();
    const voice = opened.adopt(await openVoiceActivity(), (each) => each.close());
    const whisper = stated ? null : opened.adopt(await openWhisper(settings.files), (each) => each.close());
    const transcriber = createTranscriber({ whisper, voice, model: settings.model, durationS: video.durationS });
    // Without requested frames no keyframe is due, so no frame is decoded.
    const summary = await decoder.decode(path, {
      frames: [],
      skip: 'non-key',
      onProgress,
      ...(video.hasAudio ? { audio: { sampleRate: SAMPLE_RATE, onSamples: transcriber.addSamples } } : {}),
    });
    return { observation: await transcriber.finish(), ...toDuration(summary, video) };
  },
});
