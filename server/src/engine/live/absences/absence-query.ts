import { windowOf } from '../../find/index.ts';
import type { Calendar, Plan, PlannedSearch, Step } from '../../plan/index.ts';

/** A part of a prompt that asks for an absence: "nobody for 10 minutes", "no truck between 6 and 7". */
export type AbsenceQuery = {
  search: string;
  /** Shortest absence in seconds; null: all of the times of day. */
  minS: number | null;
  /** Only at these times of day; null: at any. */
  calendar: Calendar | null;
};

/** The absence that a search asks for; null if it asks for something else, or an absence of any length. */
export function toAbsenceQuery(search: PlannedSearch, plan: Plan): AbsenceQuery | null {
  const { text, steps, pick, moments, during } = search;
  if (pick !== null || moments || during !== undefined || plan.calculation || !steps.every(isLasting)) return null;
  const window = windowOf(search, plan);
  const times = window?.daily ?? window?.calendar?.times ?? null;
  const isOfDates = window?.calendar && (window.calendar.from !== null || window.calendar.to !== null);
  if (isOfDates || (window && !times)) return null;
  const minS = Math.max(0, ...steps.map(({ duration }) => duration?.min ?? 0)) || null;
  if (minS === null && times === null) return null;
  const calendar = times && { from: null, to: null, times, weekdays: window?.calendar?.weekdays ?? [] };
  return { search: text, minS, calendar };
}

/** True for a condition that does not hold, alone or at the same time as others. */
const isLasting = ({ negated, duration, join, throughout, what }: Step) =>
  negated && join !== 'then' && duration?.max == null && !throughout && what.kind !== 'unknown';

/** The same search for absences of any length, at any time. */
export const anyLengthOf = ({ window: _, ...search }: PlannedSearch): PlannedSearch => ({
  ...search,
  steps: search.steps.map((step) => ({ ...step, duration: { min: 0, max: null } })),
});

/** Searches for what has to be absent, at any time. */
export const presencesOf = ({ window: _, ...search }: PlannedSearch): PlannedSearch[] =>
  search.steps.map((step) => ({ ...search, steps: [{ ...step, negated: false, duration: null, join: null }] }));
