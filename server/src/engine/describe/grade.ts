import type { Hit } from '../find/index.ts';
import type { What } from '../plan/index.ts';

type Severity = 'low' | 'medium' | 'high';

/** The kind of happening, for filters and charts. */
export function categoryOf(hit: Hit): string {
  if (hit.parts.length > 0) return 'sequence';
  const { what } = hit;
  if (what.kind === 'object') return what.relation ? 'interaction' : 'object';
  if (what.kind !== 'signal') return what.kind;
  return SIGNAL_CATEGORIES[what.signal];
}

const SIGNAL_CATEGORIES: Record<Extract<What, { kind: 'signal' }>['signal'], string> = {
  cut: 'cut',
  fade: 'cut',
  fade_in: 'cut',
  fade_out: 'cut',
  scene_change: 'cut',
  dark: 'light',
  bright: 'light',
  gets_dark: 'light',
  gets_bright: 'light',
  light_change: 'light',
  flicker: 'light',
  black: 'quality',
  frozen: 'quality',
  blurred: 'quality',
  covered: 'quality',
  shaking: 'quality',
};

/**
 * Severity by stated rules, so that a person can disagree with a rule and not with a mood:
 *
 * - high: the camera was covered, or the picture black or frozen, for 5 s or longer; something was left behind or taken away; a person and a
 *   vehicle overlap;
 * - medium: any shorter loss of the picture; the camera slows down or shakes; a bang; a person who stays in one place, crosses or stands near a
 *   vehicle; a thing that comes towards the camera; the light goes;
 * - low: everything else. Of a sequence, the gravest part counts. What was asked not to be there is low.
 */
export function severityOf(hit: Hit): Severity {
  if (hit.parts.length > 0) return hit.parts.map(severityOf).reduce(graver, 'low');
  if (hit.negated) return 'low';
  const { what } = hit;
  const lasts = hit.end.timeS - hit.start.timeS;
  if (what.kind === 'signal') {
    if (what.signal === 'covered' || what.signal === 'black' || what.signal === 'frozen')
      return lasts >= 5 ? 'high' : 'medium';
    return what.signal === 'shaking' || what.signal === 'gets_dark' || what.signal === 'blurred' ? 'medium' : 'low';
  }
  if (what.kind === 'camera') return what.move === 'brakes' ? 'medium' : 'low';
  if (what.kind === 'sound') return what.sound === 'bang' ? 'medium' : 'low';
  if (what.kind !== 'object') return 'low';
  if (what.action === 'left_behind' || what.action === 'taken_away') return 'high';
  const classes = hit.tracks.map((use) => use.track.className);
  const person = classes.includes('person');
  const vehicle = classes.some((name) => ['car', 'truck', 'bus', 'motorcycle', 'train'].includes(name));
  if (what.relation && !what.relation.negated && person && vehicle)
    return what.relation.kind === 'overlaps' ? 'high' : 'medium';
  if (person && (what.action === 'loiters' || what.action === 'crosses')) return 'medium';
  if (what.action === 'moves' && what.direction === 'towards') return 'medium';
  return 'low';
}

const ORDER: readonly Severity[] = ['low', 'medium', 'high'];
const graver = (a: Severity, b: Severity): Severity => (ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b);
