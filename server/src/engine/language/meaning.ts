import type { Plan, PlannedSearch, Target } from '../plan/index.ts';

/** Serializes the target of a search, without the words of the prompt and remarks. Equal searches have equal texts. */
export const meaningOfSearch = (search: PlannedSearch): string => JSON.stringify(meaningOf(search));

/**
 * Serializes the meaning of a plan. Plans that differ only in words and articles have equal texts, although "the car"
 * may also be the vehicle that carries the camera and "a car" may not.
 */
export const meaningOfPlan = ({ searches, question, per, window }: Plan): string =>
  JSON.stringify({ searches: searches.map(meaningOf), question, per, window }, (key, value: unknown) =>
    key === 'vehicle' && value === 'also' ? undefined : value,
  );

const meaningOf = ({ steps, pick }: PlannedSearch) => ({
  pick,
  steps: steps.map(({ text: _, unchecked: __, what, ...step }) => ({ ...step, what: withoutNames(what) })),
});

/** Objects without their words and articles. The text of a sign stays: it is what is looked for. */
const withoutNames = (what: Target): unknown => {
  if (what.kind === 'sound') return { ...what, maker: undefined };
  if (what.kind !== 'object') return what;
  const isName = (key: string) => key === 'text' || key === 'definite';
  return JSON.parse(JSON.stringify(what, (key, value: unknown) => (isName(key) ? undefined : value)));
};
