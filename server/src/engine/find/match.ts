import type { Objects } from '../observe/observations.ts';
import type { Thing } from '../plan/index.ts';
import { complement, intersect, mergeGaps, runs, type Span } from './intervals.ts';
import { isInside } from './place.ts';
import { riddenEntries } from './relations.ts';
import { LIMITS } from './thresholds.ts';
import type { TrackView } from './views.ts';

/** A track that may be what is meant, how sure its colour makes us (1 when none was asked), and the entries in which it qualifies. */
export type Candidate = { view: TrackView; colorFactor: number; colorShare: number | null; allowed: Span[] };

const GRAYS = new Set(['black', 'white', 'gray']);
const PAINTED = new Set(['car', 'truck', 'bus', 'train', 'motorcycle']);

/** Classes of a thing that the detector does not know. */
export function unknownClasses(thing: Thing, objects: Objects): string[] {
  return thing.classes.filter((name) => !objects.classes.includes(name));
}

export function candidates(thing: Thing, views: readonly TrackView[]): Candidate[] {
  return views.flatMap((view) => {
    if (thing.classes.length > 0 && !thing.classes.includes(view.track.className)) return [];
    const share = thing.colors.length > 0 ? colorShare(thing.colors, view) : null;
    if (share !== null && share <= 0) return [];
    const allowed = allowedEntries(thing, view, views);
    if (allowed.length === 0) return [];
    const colorFactor = share === null ? 1 : 0.7 + 0.3 * Math.min(1, share / 0.5);
    return [{ view, colorFactor, colorShare: share, allowed }];
  });
}

/**
 * Share of the box's pixels in the asked colours; 0 when that is not enough to call the thing so. Every box holds glass, tyres and road, so
 * a chromatic colour counts from a small share when no other chromatic colour has more, and black, white and grey only from a large one.
 */
function colorShare(names: readonly string[], { track: { colors, className } }: TrackView): number {
  const asked = new Set(names.map((name) => (name === 'grey' ? 'gray' : name)));
  const of = (name: string) => colors.find((c) => c.name === name)?.share ?? 0;
  const share = colors.reduce((sum, c) => sum + (asked.has(c.name) ? c.share : 0), 0);
  const best = colors.find((c) => !GRAYS.has(c.name));
  if (best && asked.has(best.name) && share >= LIMITS.colorShare.limit) return share;
  // Who wears blue trousers and an orange vest is in blue and in orange.
  if (
    !PAINTED.has(className) &&
    colors.some((c) => asked.has(c.name) && !GRAYS.has(c.name) && c.share >= LIMITS.garmentShare.limit)
  )
    return share;
  if (best && best.share >= share) return 0;
  const isGray = (name: string) => (PAINTED.has(className) ? isPaint(name, of) : of(name) >= LIMITS.grayShare.limit);
  return [...GRAYS].some((name) => asked.has(name) && isGray(name)) ? share : 0;
}

/**
 * Glass, grille and shadow are black on every vehicle, and white paint is grey on the side away from the sun: a black one has more black than both
 * others, a white one some white and mostly light.
 */
function isPaint(name: string, of: (name: string) => number): boolean {
  const light = of('white') + of('gray');
  if (name === 'black') return of('black') >= LIMITS.grayShare.limit && of('black') > light;
  if (light < of('black')) return false;
  return name === 'white'
    ? of('white') >= LIMITS.whiteShare.limit && light >= LIMITS.lightShare.limit
    : of('gray') >= LIMITS.grayShare.limit;
}

/** Entries in which place and state are as asked; short drop-outs are bridged. */
function allowedEntries(thing: Thing, view: TrackView, views: readonly TrackView[]): Span[] {
  const n = view.track.frame.length;
  let spans: Span[] = [{ from: 0, to: n - 1 }];
  if (thing.state) {
    const still = view.still;
    spans = thing.state === 'stationary' ? still : complement(still, n);
  }
  if (thing.place) {
    const place = thing.place;
    const inside = runs(n, (k) => isInside(place, view.track.x[k]!, view.track.y[k]!));
    spans = intersect(spans, mergeGaps(inside, view.timeS, LIMITS.relationGap.limit));
  }
  if (thing.ridden) spans = intersect(spans, riddenEntries(view, views));
  return spans;
}
