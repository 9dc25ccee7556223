import { isEnglish } from '#platform/media/index';
import type { SubtitleText, Transcript } from '../../observe/observations.ts';
import type { SpeechTarget, Target } from '../../plan/index.ts';
import { round } from '../format.ts';
import { always, limitsOf } from '../limits/index.ts';
import { NO_AUDIO_TRACK } from '../sound/no-audio.ts';
import { mergeGaps } from '../time/intervals.ts';
import type { IntervalMatch, LimitDescriber, Scene, StepResult } from '../types.ts';
import { contentPhrases, createWordMatcher, toSpokenWords, type WordMatcher } from './word-matcher.ts';

/** Highest confidence, as for all events. */
const MAX_CONFIDENCE = 0.97;
/** Factor for words that are only similar: they may be others, so that what is found is a candidate. */
const SIMILAR = 0.5;
/** Mean probability of the words of a segment from which it is reported rather than a candidate. */
const SURE = 0.5;
/** Confidence that a voice is one, measured by `bench -- speech`. */
const VOICE_CONFIDENCE = 0.9;
/** Pauses of up to this many seconds belong to speech. */
const PAUSE_S = 1.5;
/** The time of a word is estimated from its place in its segment, to within about this many seconds. */
const WORD_TOLERANCE_S = 0.8;

const NOT_TRANSCRIBED = 'the recognizer of speech was not available when this video was processed';

/** Words of a segment that were found: from which to which of its words, and how surely. */
type Found = { segment: number; from: number; length: number; isSimilar: boolean };

/** Spoken words, from subtitles or from a recognizer. */
type Spoken = Pick<Transcript, 'texts' | 'startS' | 'endS'> & {
  /** Mean probability of the words of each segment, 0 to 1; null if they were not recognized, but are stated. */
  confidence: Float32Array | null;
  /** True if a segment is in English, or its language is unknown. */
  isEnglishAt(segment: number): boolean;
  by: string;
};

/**
 * Finds spoken words, a subject, or everything that is spoken: in the subtitles of the video if it has some, otherwise
 * in the transcript.
 */
export function findSpeech(what: SpeechTarget, scene: Scene): StepResult {
  const { subtitles, speech, video } = scene.observations;
  const spoken = subtitles ? fromSubtitles(subtitles) : speech && fromTranscript(speech);
  if (!spoken) return { unavailable: video.hasAudio ? NOT_TRANSCRIBED : NO_AUDIO_TRACK };
  const { words, about = false } = what;
  const found = words === null ? allSegments(spoken) : about ? findSubject(words, spoken) : findPhrase(words, spoken);
  const matches = found.map((each) => toMatch(each, what, spoken, scene));
  return { matches, by: [spoken.by], limits: limitsOf(SPEECH_LIMITS, what), frames: scene.frames };
}

function fromTranscript(transcript: Transcript): Spoken {
  const { texts, startS, endS, confidence, isMultilingual, language, languages } = transcript;
  const model = transcript.model.split(' ')[0];
  const spoken = { texts, startS, endS, confidence };
  // English-only weights cannot tell that they hear another language.
  if (!isMultilingual) return { ...spoken, isEnglishAt: () => true, by: `speech (${model}, English only)` };
  return {
    ...spoken,
    isEnglishAt: (segment) => isEnglish(languages?.[segment] ?? language),
    by: `speech (${[model, ...languagesOf(transcript)].join(', ')})`,
  };
}

/** The languages that are spoken, the most frequent one first. */
const languagesOf = ({ language, languages }: Transcript) => [
  ...new Set([...(language === null ? [] : [language]), ...(languages ?? [])]),
];

/** Words of other languages than English are not found in other forms. */
const describeLanguage: LimitDescriber<SpeechTarget> = ({ words }, { observations: { speech, subtitles } }) => {
  if (subtitles) {
    const { language, texts } = subtitles;
    const isForeign = texts.length > 0 && language !== null && !isEnglish(language);
    return isForeign ? [{ text: `the subtitles are in another language (${language})` }] : [];
  }
  if (!speech?.isMultilingual || words === null || speech.texts.length === 0) return [];
  const heard = speech.languages ? [...new Set(speech.languages)] : languagesOf(speech);
  const others = heard.filter((tag) => !isEnglish(tag));
  const subject = others.length < heard.length ? 'some of the speech' : 'the speech';
  const reason = `in another language (${others.join(', ')}), in which words are found as they are written only`;
  return others.length > 0 ? [{ text: `${subject} is ${reason}` }] : [];
};

/** Share of recognized words from which one that was not recognized was not spoken. */
const SUFFICIENT = 0.7;

/** Share of spoken words that are recognized, by the probability of those that are; none where no voice is heard. */
const describeRecognition: LimitDescriber<SpeechTarget> = ({ words }, { observations: { speech, subtitles } }) => {
  if (words === null || subtitles || !speech) return [];
  const { startS, endS, confidence, voiceStartS, voiceEndS } = speech;
  const lengthOf = (from: Float64Array, to: Float64Array) => from.reduce((sum, time, i) => sum + to[i]! - time, 0);
  const heardS = Math.max(lengthOf(startS, endS), lengthOf(voiceStartS, voiceEndS));
  if (heardS <= 0) return [];
  const recognizedS = confidence.reduce((sum, share, i) => sum + share * (endS[i]! - startS[i]!), 0);
  const share = Math.min(0.95, recognizedS / heardS);
  const text = `about ${Math.min(9, Math.round(share * 10))} in 10 spoken words are recognized here, others are misheard`;
  return [{ text, recall: share < SUFFICIENT ? share : 1 }];
};

const SPEECH_LIMITS: readonly LimitDescriber<SpeechTarget>[] = [describeLanguage, describeRecognition];

function fromSubtitles({ source, language, ...stated }: SubtitleText): Spoken {
  const isForeign = language !== null && !isEnglish(language);
  return {
    ...stated,
    confidence: null,
    isEnglishAt: () => !isForeign,
    by: `subtitles (${[source, language].filter(Boolean).join(', ')})`,
  };
}

/** Finds where voices are heard, whatever they say; null if that was not observed. */
export function findVoices(what: Target, scene: Scene): StepResult | null {
  const { speech } = scene.observations;
  if (!speech) return null;
  const { voiceStartS, voiceEndS } = speech;
  const spans = [...voiceStartS.keys()].map((i) => ({ from: i, to: i }));
  const merged = mergeGaps(spans, voiceStartS, PAUSE_S, voiceEndS);
  const matches = merged.map(({ from, to }): IntervalMatch => {
    const [startS, endS] = [voiceStartS[from]!, voiceEndS[to]!];
    return {
      what,
      negated: false,
      tracks: [],
      signals: [],
      presences: [],
      stepMatches: [],
      confidence: VOICE_CONFIDENCE,
      start: scene.frameTimeAt(startS),
      end: scene.frameTimeAfter(endS),
      best: scene.frameTimeAt((startS + endS) / 2),
      reasons: [`a voice is heard for ${round(endS - startS, 1)} s`],
    };
  });
  return { matches, by: ['speech (silero_vad)'], limits: always(), frames: scene.frames };
}

const allSegments = ({ texts }: Spoken): Found[] =>
  texts.map((text, segment) => ({ segment, from: 0, length: toSpokenWords(text).length, isSimilar: false }));

/** Words one after another, also across the end of a segment. */
function findPhrase(phrase: string, { texts, isEnglishAt }: Spoken): Found[] {
  const matcherAt = createMatchers(toSpokenWords(phrase), isEnglishAt);
  const spoken = texts.flatMap((text, segment) => toSpokenWords(text).map((word, at) => ({ word, segment, at })));
  const words = spoken.map(({ word }) => word);
  const found: Found[] = [];
  for (let i = 0; i < words.length; i++) {
    const { segment, at } = spoken[i]!;
    const match = matcherAt(segment).matchAt(words, i);
    if (!match) continue;
    found.push({ segment, from: at, length: match.length, isSimilar: match.match === 'similar' });
    i += match.length - 1;
  }
  return found;
}

/** All words of a subject in a segment, in any order. */
function findSubject(subject: string, { texts, isEnglishAt }: Spoken): Found[] {
  const matchers = contentPhrases(subject).map((words) => createMatchers(words, isEnglishAt));
  return texts.flatMap((text, segment): Found[] => {
    const words = toSpokenWords(text);
    const found = matchers.map((matcherAt) => {
      const matches = words.flatMap((_, at) => matcherAt(segment).matchAt(words, at) ?? []);
      return matches.find(({ match }) => match === 'same') ?? matches[0] ?? null;
    });
    if (found.includes(null)) return [];
    return [{ segment, from: 0, length: words.length, isSimilar: found.some((each) => each!.match === 'similar') }];
  });
}

/** The matcher of words for the language of a segment. */
function createMatchers(
  sought: readonly string[],
  isEnglishAt: Spoken['isEnglishAt'],
): (segment: number) => WordMatcher {
  const english = createWordMatcher(sought);
  const other = createWordMatcher(sought, { isEnglish: false });
  return (segment) => (isEnglishAt(segment) ? english : other);
}

function toMatch({ segment, from, length, isSimilar }: Found, what: SpeechTarget, spoken: Spoken, scene: Scene) {
  const quote = spoken.texts[segment]!;
  const probability = spoken.confidence?.[segment] ?? null;
  const total = toSpokenWords(quote).length;
  const [segmentStartS, segmentEndS] = [spoken.startS[segment]!, spoken.endS[segment]!];
  const timeOf = (word: number) => segmentStartS + ((segmentEndS - segmentStartS) * Math.min(word, total)) / total;
  const startS = Math.max(segmentStartS, timeOf(from) - WORD_TOLERANCE_S);
  // Words may continue in the next segment.
  const reachesOn = from + length > total && segment + 1 < spoken.texts.length;
  const endS = reachesOn
    ? Math.min(spoken.endS[segment + 1]!, spoken.startS[segment + 1]! + WORD_TOLERANCE_S)
    : Math.min(segmentEndS, timeOf(from + length) + WORD_TOLERANCE_S);
  const heard = reachesOn ? `${quote} ${spoken.texts[segment + 1]}` : quote;
  const similar = isSimilar
    ? [`what was ${spoken.confidence ? 'recognized' : 'found'} is only similar to these words`]
    : [];
  const match: IntervalMatch = {
    what,
    negated: false,
    tracks: [],
    presences: [],
    stepMatches: [],
    quote: heard,
    caveats: similar,
    start: scene.frameTimeAt(startS),
    end: scene.frameTimeAfter(endS),
    best: scene.frameTimeAt((startS + endS) / 2),
    confidence: Math.min(MAX_CONFIDENCE, probability ?? 1) * (isSimilar ? SIMILAR : 1),
    signals:
      probability === null
        ? []
        : [{ name: 'word probability', value: round(probability, 2), threshold: SURE, unit: 'probability' }],
    reasons: [
      probability === null
        ? `"${heard}" is in the subtitles`
        : `"${heard}" was recognized with a mean probability of ${round(probability, 2)}`,
      ...similar,
    ],
  };
  return match;
}
