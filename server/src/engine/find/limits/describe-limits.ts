import type { Limit, LimitDescriber, Limits } from '../types.ts';

/** The limits of a search: those that each describer of a table derives from the part that is searched. */
export const limitsOf =
  <What>(table: readonly LimitDescriber<What>[], what: What): Limits =>
  (part) =>
    table.flatMap((describe) => describe(what, part));

/** Limits that hold for any part of any video. */
export const always =
  (...texts: readonly string[]): Limits =>
  () =>
    texts.map((text) => ({ text }));

/** Texts of limits for the user, each once. */
export const textsOf = (limits: readonly Limit[]): string[] => [...new Set(limits.flatMap(({ text }) => text ?? []))];

/** Words for what a prompt presumes and was never found, each once. */
export const missingOf = (limits: readonly Limit[]): string[] => [
  ...new Set(limits.flatMap(({ missing }) => missing ?? [])),
];

/** True if a limit is about a part of an interval. */
export const isAbout = ({ during }: Limit, startS: number, endS: number): boolean =>
  during === undefined || during.some(({ from, to }) => startS <= to && endS >= from);

/** Product of the probabilities that an event is found. */
export const recallOf = (limits: readonly Limit[]): number =>
  limits.reduce((product, { recall = 1 }) => product * recall, 1);

/** Product of the shares of objects that the detector finds. */
export const detectorRecallOf = (limits: readonly Limit[]): number =>
  limits.reduce((product, { detectorRecall = 1 }) => product * detectorRecall, 1);
