import type { Plan, PlannedSearch, Target } from '../plan/index.ts';

/** What a search looks for, as text that is equal for equal searches: without the words of the prompt and remarks. */
export const meaningOfSearch = (search: PlannedSearch): string => JSON.stringify(meaningOf(search));

/**
 * What a plan asks, as text that is equal for plans that differ in words and articles at most: "the car" may also be
 * the vehicle that carries the camera, "a car" is not.
 */
export const meaningOfPlan = ({ searches, question, per, window }: Plan): string =>
  JSON.stringify({ searches: searches.map(meaningOf), question, per, window }, (key, value: unknown) =>
    key === 'vehicle' && value === 'also' ? undefined : value,
  );

const meaningOf = ({ steps, pick }: PlannedSearch) => ({
  pick,
  steps: steps.map(({ text: _, unchecked: __, what, ...step }) => ({ ...step, what: withoutNames(what) })),
});

/** Objects without the words that named them. The text of a sign stays: it is what is looked for. */
const withoutNames = (what: Target): unknown =>
  what.kind !== 'object'
    ? what
    : JSON.parse(JSON.stringify(what, (key, value: unknown) => (key === 'text' ? undefined : value)));
