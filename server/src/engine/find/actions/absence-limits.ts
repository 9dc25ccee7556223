import { CLASS_GROUPS, CLASSES } from '../../observe/objects/index.ts';
import type { ObjectQuery } from '../../plan/index.ts';
import { trackConfidence } from '../confidence.ts';
import type { Excerpt, Limit, TimeWindow, TrackView } from '../types.ts';
import { estimateRecall } from './detector-recall.ts';

/** Share of the frame width or height from which the class of an object is hard to tell: too little is visible. */
const FILLING = 0.5;
/** Probability that an object of a similar class is one of the requested class; the second if it fills the frame. */
const MISTAKEN = 0.1;
const MISTAKEN_FILLING = 0.6;

/** Probability, before a video is looked at, that what a prompt says is absent is so. Assumed. */
const ABSENT = 2 / 3;

const groupOf = (className: string) => CLASS_GROUPS[CLASSES.indexOf(className)];

/**
 * Describes the confidence that an object that was not found is absent. The detector misses an object if it finds it
 * neither as its own class nor as one that it is mistaken for; each object of those classes may be the requested one.
 */
export function describeAbsence(requested: ObjectQuery, part: Excerpt): Limit[] {
  if (requested.classes.length === 0) return [];
  const groups = new Set(requested.classes.map(groupOf));
  const alike = CLASSES.filter((name) => groups.has(groupOf(name)) && !requested.classes.includes(name));
  const { recall } = estimateRecall({ ...requested, classes: [...requested.classes, ...alike] }, part);
  const mistakable = part.trackViews().filter(({ track }) => alike.includes(track.className));
  const filling = mistakable.flatMap((view) => fillingTime(view) ?? []);
  return [
    { absence: ABSENT / (ABSENT + (1 - ABSENT) * (1 - recall)) },
    ...mistakable.map(describeMistakable),
    ...filling.map(({ during, view }) => ({ during: [during], absence: 1 - MISTAKEN_FILLING * certaintyOf(view) })),
    ...describeFilling(filling),
  ];
}

/** An object of a similar class, for as long as it is there. */
const describeMistakable = (view: TrackView): Limit => ({
  absence: 1 - certaintyOf(view) * Math.max(1 - view.track.agreement, MISTAKEN),
  during: [{ from: view.startS, to: view.endS }],
});

const certaintyOf = (view: TrackView) => trackConfidence(view.score, view.independentCount, view.plausibility().weight);

type Filling = { view: TrackView; during: TimeWindow };

/** The time in which an object fills the frame; null if it never does. */
function fillingTime(view: TrackView): Filling | null {
  const { width, height } = view.track;
  const isFilling = (_: number, k: number) => Math.max(width[k]!, height[k]!) >= FILLING;
  const [from, to] = [width.findIndex(isFilling), width.findLastIndex(isFilling)];
  return from < 0 ? null : { view, during: { from: view.timeS[from]!, to: view.timeS[to]! } };
}

/** "A car fills the frame" for each class, at all times at which one does. */
const describeFilling = (filling: readonly Filling[]): Limit[] =>
  [...Map.groupBy(filling, ({ view }) => view.track.className)].map(([className, own]) => ({
    text: `a ${className} that fills much of the frame may be what was looked for: so close, its class is hard to tell`,
    during: own.map(({ during }) => during),
  }));
