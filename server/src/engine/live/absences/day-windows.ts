import { instantsOf } from '../../calendar/instants.ts';
import type { Calendar } from '../../plan/index.ts';

/** Two instants in milliseconds. */
export type InstantInterval = { fromMs: number; untilMs: number };

/** Longer than any window, so that windows in the range are whole; a day may have 25 hours. */
const MARGIN_MS = 26 * 3_600_000;

/** The same times of each local day that overlap a range of instants or end in it, in order. */
export function dayWindows(
  calendar: Calendar,
  timeZone: string,
  { fromMs, untilMs }: InstantInterval,
): InstantInterval[] {
  const span = { from: fromMs - MARGIN_MS, to: untilMs + MARGIN_MS };
  return instantsOf(calendar, span, { at: new Date(span.to), timeZone })
    .filter(({ from, to }) => to >= fromMs && from <= untilMs)
    .map(({ from, to }) => ({ fromMs: from, untilMs: to }));
}
