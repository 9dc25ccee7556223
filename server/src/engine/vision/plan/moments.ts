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

/** Times that fit the prompt or at which the video changes, in no particular order. */
export function collectMoments(plan: Plan, observations: Observations): Moment[] {
  return [
    ...tracksOf(plan, observations).map((timeS) => ({ timeS, source: 'plan' as const })),
    ...[...cutsOf(observations), ...soundsOf(observations), ...stopsOf(observations)].map((timeS) => ({
      timeS,
      source: 'change' as const,
    })),
  ];
}

/** True if a prompt is about objects of a class of the detector. */
export const namesClass = (query: string, className: string): boolean =>
  query.toLowerCase().includes(className) || (className === 'person' && PERSON_WORDS.test(query));

/** Starts, ends and halts of tracks whose class the prompt names. */
function tracksOf({ query }: Plan, { objects }: Observations): number[] {
  if (!objects) return [];
  return objects.tracks
    .filter(({ className }) => namesClass(query, className))
    .flatMap(({ frame, stationary }) => {
      const times = [frame[0], frame[frame.length >> 1], frame.at(-1)].flatMap((at) => objects.timeS[at ?? -1] ?? []);
      return [...times, ...stationary.map(({ startS }) => startS)];
    });
}

function cutsOf({ signals }: Observations): number[] {
  if (!signals) return [];
  return [...signals.timeS].filter((_, i) => signals.cut[i]! >= CUT);
}

/** Starts of sounds that are louder than most of the video. */
function soundsOf({ sound }: Observations): number[] {
  if (!sound || sound.levelDb.length === 0) return [];
  const usual = sound.levelDb.toSorted()[sound.levelDb.length >> 1]!;
  const isLoud = (i: number) => sound.levelDb[i]! > Math.max(-60, usual + LOUD_DB);
  return [...sound.levelDb.keys()]
    .filter((i) => isLoud(i) && !(i > 0 && isLoud(i - 1)))
    .map((i) => sound.startS + i * sound.stepS);
}

/** Times at which the recording vehicle stops or starts, from telemetry. */
function stopsOf({ telemetry }: Observations): number[] {
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
