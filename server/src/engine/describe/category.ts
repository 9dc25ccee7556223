import type { IntervalMatch } from '../find/index.ts';
import type { Target } from '../plan/index.ts';

/** Category of the event, for filters and charts. */
export function categoryOf(match: IntervalMatch): string {
  if (match.stepMatches.length > 0) return 'sequence';
  const { what } = match;
  if (what.kind === 'object') return what.relation ? 'interaction' : 'object';
  if (what.kind !== 'signal') return what.kind;
  return SIGNAL_CATEGORIES[what.signal];
}

const SIGNAL_CATEGORIES: Record<Extract<Target, { kind: 'signal' }>['signal'], string> = {
  cut: 'cut',
  dissolve: 'cut',
  fade: 'cut',
  fade_in: 'cut',
  fade_out: 'cut',
  scene_change: 'cut',
  dark: 'light',
  well_lit: 'light',
  bright: 'light',
  overexposed: 'quality',
  gets_dark: 'light',
  gets_bright: 'light',
  light_change: 'light',
  flash: 'light',
  flicker: 'light',
  monochrome: 'quality',
  color_cast: 'quality',
  black: 'quality',
  frozen: 'quality',
  blurred: 'quality',
  covered: 'quality',
  shaking: 'quality',
};
