import type { Objects, Track } from '../../observe/observations.ts';
import type { ObjectQuery } from '../../plan/index.ts';
import { LIMITS } from '../thresholds.ts';
import { complement, intersect, type Span } from '../time/intervals.ts';
import type { TrackView } from '../types.ts';
import { findRiddenEntries, findRidingEntries } from './relations/relations.ts';
import { findStays } from './track/stays.ts';
import type { Candidate } from './types.ts';

const GRAYS = new Set(['black', 'white', 'gray']);
const PAINTED = new Set(['car', 'truck', 'bus', 'train', 'motorcycle']);

/** Requested classes that the detector does not know. */
export function findUnknownClasses(
  requested: Pick<ObjectQuery, 'classes'>,
  objects: Pick<Objects, 'classes'>,
): string[] {
  return requested.classes.filter((name) => !objects.classes.includes(name));
}

/** Tracks that have the requested class, color, place and state. */
export function findCandidates(requested: ObjectQuery, views: readonly TrackView[]): Candidate[] {
  return views.flatMap((view) => {
    if (requested.classes.length > 0 && !requested.classes.includes(view.track.className)) return [];
    if (isExcepted(requested, view)) return [];
    const share = requested.colors.length > 0 ? colorShare(requested, view) : null;
    if (share !== null && share <= 0) return [];
    const qualifyingSpans = findQualifyingSpans(requested, view, views);
    if (qualifyingSpans.length === 0) return [];
    const colorFactor = share === null ? 1 : 0.8 + 0.2 * Math.min(1, share / 0.5);
    return [{ view, colorFactor, colorShare: share, qualifyingSpans }];
  });
}

/** "Cars but not red ones": one whose color is not known is not excepted. */
const isExcepted = ({ except, worn }: ObjectQuery, view: TrackView): boolean =>
  except !== undefined &&
  (except.classes.length === 0 || except.classes.includes(view.track.className)) &&
  (except.colors.length === 0 || colorShare({ colors: except.colors, worn }, view) > 0);

/**
 * Share of the pixels in the requested colors; 0 if the object would not be called so. Every box contains glass, tires
 * and road, so a small share of the most common chromatic color is enough, but black, white and gray need a large one.
 */
function colorShare({ colors: names, worn }: Pick<ObjectQuery, 'colors' | 'worn'>, { track }: TrackView): number {
  const requested = new Set(names.map((name) => (name === 'grey' ? 'gray' : name)));
  const { upper = [], lower = [] } = track.clothes ?? {};
  if (track.clothes && worn) return garmentShare(requested, track.clothes[worn]);
  if (upper.length > 0) return Math.max(garmentShare(requested, upper), garmentShare(requested, lower));
  const { colors, className } = track;
  const shareOf = (name: string) => colors.find((c) => c.name === name)?.share ?? 0;
  const share = colors.reduce((sum, c) => sum + (requested.has(c.name) ? c.share : 0), 0);
  const best = colors.find((c) => !GRAYS.has(c.name));
  if (best && requested.has(best.name) && share >= LIMITS.colorShare.limit) return share;
  // A person in blue trousers and an orange vest is in blue and in orange.
  if (
    !PAINTED.has(className) &&
    colors.some((c) => requested.has(c.name) && !GRAYS.has(c.name) && c.share >= LIMITS.garmentShare.limit)
  )
    return share;
  if (best && best.share >= share) return 0;
  const isGray = (name: string) =>
    PAINTED.has(className) ? isPaint(name, shareOf) : shareOf(name) >= LIMITS.grayShare.limit;
  return [...GRAYS].some((name) => requested.has(name) && isGray(name)) ? share : 0;
}

/**
 * Share of a garment that has the requested colors. Hands, hair and the background show beside it, so that a color
 * needs a good part of the pixels, and black, white and gray, which shadows have too, more than every other color.
 */
function garmentShare(requested: ReadonlySet<string>, colors: Track['colors']): number {
  const share = colors.reduce((sum, c) => sum + (requested.has(c.name) ? c.share : 0), 0);
  const isWorn = colors.some(({ name, share: own }, at) => {
    if (!requested.has(name)) return false;
    return GRAYS.has(name) ? at === 0 && own >= LIMITS.grayShare.limit : own >= LIMITS.garmentShare.limit;
  });
  return isWorn ? share : 0;
}

/**
 * Paint of a vehicle. Glass and shadows are black on every vehicle and white paint looks gray in the shade: a black
 * vehicle has more black than white and gray together, a white one has some white and is mostly light.
 */
function isPaint(name: string, shareOf: (name: string) => number): boolean {
  const light = shareOf('white') + shareOf('gray');
  if (name === 'black') return shareOf('black') >= LIMITS.grayShare.limit && shareOf('black') > light;
  if (light < shareOf('black')) return false;
  return name === 'white'
    ? shareOf('white') >= LIMITS.whiteShare.limit && light >= LIMITS.lightShare.limit
    : shareOf('gray') >= LIMITS.grayShare.limit;
}

/** Entries in which place and state are as requested. Short gaps are bridged. */
function findQualifyingSpans(requested: ObjectQuery, view: TrackView, views: readonly TrackView[]): Span[] {
  const n = view.track.frame.length;
  const { state, place, ridden, afoot } = requested;
  let spans: Span[] = [{ from: 0, to: n - 1 }];
  if (state) spans = state === 'stationary' ? view.stationarySpans : complement(view.stationarySpans, n);
  if (place) spans = intersect(spans, findStays(view, place));
  if (ridden) spans = intersect(spans, findRiddenEntries(view, views));
  if (afoot && view.track.className === 'person')
    spans = intersect(spans, complement(findRidingEntries(view, views), n));
  return spans;
}
