import type { Observations } from '../../observe/observations.ts';
import type { Plan } from '../../plan/index.ts';

/** A time at which something is likely to be seen. `plan`: it fits the prompt; `change`: the video changes. */
export type Moment = { timeS: number; source: 'plan' | 'change' };

const CUT = 50;
/** Loudness above the usual one, in dB. */
const LOUD_DB = 15;
const STANDING_MPS = 0.5;
const MOVING_MPS = 1.5;
const PERSON_WORDS =
  /\b(?:person|people|man|men|woman|women|child|boy|girl|he|she|his|her|they|someone|somebody|worker|driver|pedestrian|wearing|holding)\b/i;

/**
 * Times that fit the prompt or at which the video changes, in no particular order. `similar`: those of frames whose
 * vectors fit it.
 */
export function collectMoments(plan: Plan, observations: Observations, similar: readonly number[] = []): Moment[] {
  const words = wordsOf(plan);
  const fitting = [
    ...findTracks(words, observations),
    ...findSpoken(words, observations),
    ...findWritten(words, observations),
    ...similar,
  ];
  const changes = [
    ...findCuts(observations),
    ...findLoud(observations),
    ...findRecognized(observations),
    ...findStops(observations),
  ];
  return [
    ...fitting.map((timeS) => ({ timeS, source: 'plan' as const })),
    ...changes.map((timeS) => ({ timeS, source: 'change' as const })),
  ];
}

/** Words of a prompt, and the classes of the detector that they mean: "cyclist" is looked for as a bicycle. */
export const wordsOf = ({ query, searches }: Plan): string =>
  [
    query,
    ...searches.flatMap(({ steps }) =>
      steps.flatMap(({ what }) => (what.kind === 'object' ? what.subject.classes : [])),
    ),
  ].join('\n');

/** True if a prompt is about objects of a class of the detector. */
export const namesClass = (query: string, className: string): boolean =>
  query.toLowerCase().includes(className) || (className === 'person' && PERSON_WORDS.test(query));

/** Starts, ends and halts of tracks whose class the prompt names. */
function findTracks(query: string, { objects }: Observations): number[] {
  if (!objects) return [];
  return objects.tracks
    .filter(({ className }) => namesClass(query, className))
    .flatMap(({ frame, stationary }) => {
      const times = [frame[0], frame[frame.length >> 1], frame.at(-1)].flatMap((at) => objects.timeS[at ?? -1] ?? []);
      return [...times, ...stationary.map(({ startS }) => startS)];
    });
}

/** Words that say nothing about what is looked for. */
const COMMON = new Set(
  'about after before does doing during from happen happens have here into moment person show shown somebody someone something that their them then there they this time video what when where which while will with would'.split(
    ' ',
  ),
);
const MIN_WORD = 4;
const ENDING = /(?:ing|ed|es|s|e)$/;

/** Stems of the words of a text that may name what is looked for. */
const stemsOf = (text: string): Set<string> =>
  new Set(
    (text.toLowerCase().match(/\p{L}+/gu) ?? [])
      .filter((word) => word.length >= MIN_WORD && !COMMON.has(word))
      .map((word) => word.replace(ENDING, '')),
  );

/** Starts of sentences of the transcript in which a word of the prompt is spoken. */
function findSpoken(query: string, { subtitles, speech }: Observations): number[] {
  const spoken = subtitles ?? speech;
  if (!spoken) return [];
  const wanted = stemsOf(query);
  return spoken.texts.flatMap((text, i) => (stemsOf(text).isDisjointFrom(wanted) ? [] : [spoken.startS[i]!]));
}

/** First and middle frames of texts in the frame that have a word of the prompt. */
function findWritten(query: string, { text: read }: Observations): number[] {
  if (!read) return [];
  const wanted = stemsOf(query);
  return read.texts.flatMap(({ text, frame }) =>
    stemsOf(text).isDisjointFrom(wanted)
      ? []
      : [frame[0], frame[frame.length >> 1]].flatMap((at) => read.timeS[at ?? -1] ?? []),
  );
}

/** Score of a recognized sound, of 255. */
const SURE = 128;

/** Starts of sounds that were recognized. */
function findRecognized({ sounds }: Observations): number[] {
  if (!sounds) return [];
  const { offset, classIndex, score, startS, stepS } = sounds;
  const classesAt = (i: number) =>
    new Set(classIndex.slice(offset[i]!, offset[i + 1]!).filter((_, k) => score[offset[i]! + k]! >= SURE));
  const times: number[] = [];
  let before: ReadonlySet<number> = new Set();
  for (let i = 0; i + 1 < offset.length; i++) {
    const now = classesAt(i);
    if (!now.isSubsetOf(before)) times.push(startS + i * stepS);
    before = now;
  }
  return times;
}

function findCuts({ signals }: Observations): number[] {
  if (!signals) return [];
  return [...signals.timeS].filter((_, i) => signals.cut[i]! >= CUT);
}

/** Starts of sounds that are louder than most of the video. */
function findLoud({ sound }: Observations): number[] {
  if (!sound || sound.levelDb.length === 0) return [];
  const usual = sound.levelDb.toSorted()[sound.levelDb.length >> 1]!;
  const isLoud = (i: number) => sound.levelDb[i]! > Math.max(-60, usual + LOUD_DB);
  return [...sound.levelDb.keys()]
    .filter((i) => isLoud(i) && !(i > 0 && isLoud(i - 1)))
    .map((i) => sound.startS + i * sound.stepS);
}

/** Times at which the recording vehicle stops or starts, from telemetry. */
function findStops({ telemetry }: Observations): number[] {
  const measured = telemetry?.telemetry;
  if (!measured) return [];
  const times: number[] = [];
  let isMoving: boolean | null = null;
  for (const [i, speed] of measured.speedMps.entries()) {
    const now: boolean | null = speed > MOVING_MPS ? true : speed < STANDING_MPS ? false : isMoving;
    if (isMoving !== null && now !== isMoving) times.push(measured.timeS[i]!);
    isMoving = now;
  }
  return times;
}
