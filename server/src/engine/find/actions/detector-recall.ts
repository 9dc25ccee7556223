import { ownCommand } from '#platform/own-command';
import {
  CLASS_GROUPS,
  CLASSES,
  type DetectorName,
  detectorName,
  detectorOf,
  isRecallKnown,
  type ObjectSize,
  recallOf,
  sizeOf,
  toDetectorSize,
} from '../../observe/objects/index.ts';
import type { ObjectQuery } from '../../plan/index.ts';
import { pluralOf } from '../plural.ts';
import { STATES } from '../thresholds.ts';
import { median } from '../time/intervals.ts';
import type { Excerpt, LimitDescriber, Scene } from '../types.ts';

/** Below this share of found objects, a part of a prompt is only partly searched. */
const SUFFICIENT = 0.7;
/** Of the three objects labeled in clips this dark, one is found; few enough to assume half. */
const DARK_FACTOR = 0.5;

/** Of the seven people labeled by the color of their clothes, three are found by it: none who wears white. */
const CLOTHES_RECALL = 3 / 7;
const CLOTHES_LIMIT = 'about 4 in 10 people are found by the color of their clothes';

/** Share of the requested objects that the detector finds, and the sentence for the user if it is not sufficient. */
export type DetectorRecall = { recall: number; limit: string | null };

/** The part of a video that is searched. */
type Footage = Pick<Excerpt, 'lengthS'> & {
  observations: Pick<Excerpt['observations'], 'objects' | 'fineObjects' | 'signals' | 'video'>;
};

/**
 * Estimates the share of the requested objects that the detector finds, by class and size, in footage of this
 * resolution and brightness. The size is that of the class's tracks in this part of the video; without any, it is
 * medium. Several classes count as their mean, and of classes that are mistaken for each other (a truck for a car) the
 * one that is found best.
 * `model` is the detector, by default that of the footage.
 */
export function estimateRecall(
  { classes, colors = [] }: Pick<ObjectQuery, 'classes'> & { colors?: readonly string[] },
  footage: Footage | null,
  model: string | null = footage?.observations.objects?.model ?? null,
): DetectorRecall {
  if (classes.length === 0) return { recall: 1, limit: null };
  if (colors.length > 0 && classes.every((name) => name === 'person')) {
    const { recall } = estimateRecall({ classes }, footage, model);
    return { recall: recall * CLOTHES_RECALL, limit: CLOTHES_LIMIT };
  }
  const detector = detectorName(model);
  const estimates = classes.map((name) => estimateClass(name, footage, detector));
  const groupOf = ({ name }: ClassRecall) => CLASS_GROUPS[CLASSES.indexOf(name)];
  const best = estimates.map((one) =>
    Math.max(...estimates.filter((other) => groupOf(other) === groupOf(one)).map(({ recall }) => recall)),
  );
  const recall = best.reduce((sum, each) => sum + each, 0) / best.length;
  return { recall, limit: recall < SUFFICIENT ? describeRecall(estimates, recall, detector) : null };
}

type ClassRecall = { name: string; recall: number; size: ObjectSize; isMeasured: boolean; isDark: boolean };

function estimateClass(name: string, footage: Footage | null, detector: DetectorName): ClassRecall {
  const sidePx = footage && typicalSide(name, footage);
  const size = sidePx === null ? 'medium' : sizeOf(sidePx, detectorOf(detector));
  const isDark = footage !== null && isDarkFootage(footage);
  const sizes: ObjectSize[] = footage && isExaminedFinely(footage) ? [size, LARGER[size]] : [size];
  const found = sizes.reduce((sum, each) => sum + recallOf(name, each, detector), 0) / sizes.length;
  const recall = found * (isDark ? DARK_FACTOR : 1) * (footage ? resolutionFactor(footage) : 1);
  return { name, recall, size, isMeasured: sidePx !== null, isDark };
}

/** In frames that are enlarged up to twice, some objects of a size are as large as those of the next one. */
const LARGER: Readonly<Record<ObjectSize, ObjectSize>> = { small: 'medium', medium: 'large', large: 'large' };
/** Greatest distance of enlarged frames in seconds: most objects are in view for longer. */
const MAX_INTERVAL_S = 2;

/** Share of the time that must be near enlarged frames. */
const EXAMINED_SHARE = 0.95;

function isExaminedFinely({ observations: { objects, fineObjects }, lengthS }: Footage): boolean {
  if (fineObjects === null || fineObjects.model !== objects?.model || fineObjects.timeS.length === 0) return false;
  // Half an interval before the first one, and after the last one.
  const examinedS = fineObjects.timeS.reduce(
    (sum, timeS, at, times) => sum + Math.min(MAX_INTERVAL_S, at > 0 ? timeS - times[at - 1]! : MAX_INTERVAL_S),
    0,
  );
  return examinedS >= EXAMINED_SHARE * lengthS;
}

/** Median side of the boxes of a class in pixels of the detector's input; null without a track. */
function typicalSide(className: string, { observations: { objects, video } }: Footage): number | null {
  const detector = toDetectorSize(video, detectorOf(objects?.model ?? null));
  const sides = (objects?.tracks ?? [])
    .filter((track) => track.className === className)
    .map(({ width, height }) =>
      median(Float64Array.from(width, (w, k) => Math.sqrt(w * detector.width * height[k]! * detector.height))),
    );
  return sides.length > 0 ? median(Float64Array.from(sides)) : null;
}

const isDarkFootage = ({ observations: { signals } }: Footage) =>
  signals !== null && signals.luma.length > 0 && median(signals.luma) < STATES.dark.enter;

/** Frames smaller than the detector's input are enlarged for it: a frame of half its size costs a quarter. */
function resolutionFactor({ observations: { objects, video } }: Footage): number {
  const detector = toDetectorSize(video, detectorOf(objects?.model ?? null));
  const ratio = Math.max(video.width, video.height) / Math.max(detector.width, detector.height);
  return Math.min(1, 0.5 + ratio / 2);
}

/** "the detector finds about 4 in 10 cups of this size in a video this dark" */
function describeRecall(estimates: readonly ClassRecall[], recall: number, detector: DetectorName): string {
  const { name, size, isMeasured, isDark } = estimates[0]!;
  const share = Math.min(6, Math.round(recall * 10));
  const amount = share === 0 ? 'hardly any' : `about ${share} in 10`;
  const nouns = estimates.length > 1 ? 'objects of these classes' : pluralOf(name);
  const what =
    isMeasured || estimates.length > 1
      ? `${nouns}${isMeasured ? ' of this size' : ''}`
      : `${size}-sized ${nouns}, and fewer small ones`;
  const source = estimates.every((each) => isRecallKnown(each.name, detector))
    ? ''
    : `, by estimate: ${detector} was not evaluated for each class`;
  return `the detector finds ${amount} ${what}${isDark ? ' in a video this dark' : ''}${source}`;
}

/** Describes the share of the requested objects that the detector finds. */
export const describeDetector: LimitDescriber<Pick<ObjectQuery, 'classes'>> = (requested, part) => {
  const { recall, limit } = estimateRecall(requested, part);
  return [{ detectorRecall: recall, ...(limit === null ? {} : { text: limit }) }];
};

/**
 * Limits of a detector that replaces a better one: that it misses more, and what it mistakes for the requested
 * objects.
 */
export const describeWeakDetector: LimitDescriber<Pick<ObjectQuery, 'classes'>> = (
  { classes },
  { observations: { objects } },
) => {
  const model = objects?.model ?? null;
  const { better } = detectorOf(model);
  if (!better) return [];
  const mistaken = classes.flatMap((name) =>
    (better.mistakes[name] ?? []).filter((other) => !classes.includes(other)).map((other) => [name, other] as const),
  );
  const missed = `${detectorName(model)} looked for it, which misses more than ${better.name}`;
  if (mistaken.length === 0) return [{ text: missed }];
  const others = joined(mistaken.map(([, other]) => pluralOf(other)));
  return [{ text: `${missed} and takes ${others} for ${pluralOf(mistaken[0]![0])}`, doubts: 'slightly' }];
};

/** Says which requested classes the detector of these observations does not know, and which detector does. */
export function describeUnknownClasses(unknown: readonly string[], model: string): string {
  const { better } = detectorOf(model);
  if (!better) return `the object detector does not know the class ${unknown.join(', ')}`;
  const remedy = `an administrator can download it in the console (Settings, System) or with "${ownCommand(`models fetch ${better.name}`)}"`;
  return `${detectorName(model)} does not know ${joined(unknown.map(pluralOf))}, but ${better.name} does: ${remedy}`;
}

/** "buses", "buses and trucks" */
const joined = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** Reason why a scene without objects has none. */
export const whyNoObjects = ({ noDetector }: Scene): string =>
  noDetector ?? 'the object detector was not available when this video was processed';
