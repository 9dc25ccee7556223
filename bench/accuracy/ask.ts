/**
 * Vocabulary of the tables in this folder: which prompts apply to a labeled clip, and their right results. The prompts
 * are written as a user would write them, from the labels alone and before the engine ran; prompts that fail stay.
 */

/** Seconds; null is an edge that the labels do not tell. */
export type LabeledSpan = readonly [from: number | null, to: number | null];
export type LabeledInterval = readonly [from: number, to: number];

export type Family =
  | 'objects'
  | 'table-top objects'
  | 'entering, leaving'
  | 'direction'
  | 'color'
  | 'count'
  | 'motion'
  | 'camera'
  | 'light'
  | 'traffic lights'
  | 'cut'
  | 'sound'
  | 'relation'
  | 'duration'
  | 'negation'
  | 'sequence';

/** Frames with a hand-labeled share of this class: expected from `sure` on, allowed from `maybe` on. */
export type Labeled = { column: 'pedestrian' | 'bicyclist' | 'car'; sure: number; maybe: number };

export type Expectation = {
  family: Family;
  prompt: string;
  expected: /** Single events, each to be found once. */
    | { events: readonly LabeledSpan[] }
    /** Intervals in which it holds, found as one event or many: for objects that are not labeled one by one. */
    | { during: readonly LabeledInterval[] }
    | { labeled: Labeled };
  /** Neither right nor wrong: ambiguous or not labeled. */
  maybe: readonly LabeledInterval[];
};

/** A question with its right answer: yes or no, or the lowest and highest right count. */
export type LabeledQuestion = { prompt: string; answer: boolean | readonly [least: number, most: number] };

export type LabeledClip = {
  file: string;
  /** Accuracy of the labels, in seconds. */
  toleranceS: number;
  expectations: readonly Expectation[];
  questions?: readonly LabeledQuestion[];
  /** Prompts inside the vocabulary for what the clip does not show: nothing may be found. */
  absent: readonly { family: Family; prompt: string }[];
  /** Detector classes that are in view, or that something in view resembles. For all others nothing may be found. */
  inView: readonly string[];
  /** Prompts outside the vocabulary that this clip suggests: nothing may be found. */
  outside?: readonly string[];
  /** Hand-labeled frames as CSV, and their rate per second. */
  labels?: { file: string; fps: number };
};

export const events = (
  family: Family,
  prompt: string,
  spans: readonly LabeledSpan[],
  maybe: readonly LabeledInterval[] = [],
) => ({ family, prompt, expected: { events: spans }, maybe }) satisfies Expectation;

export const during = (
  family: Family,
  prompt: string,
  intervals: readonly LabeledInterval[],
  maybe: readonly LabeledInterval[] = [],
) => ({ family, prompt, expected: { during: intervals }, maybe }) satisfies Expectation;

export const labeled = (family: Family, prompt: string, what: Labeled) =>
  ({ family, prompt, expected: { labeled: what }, maybe: [] }) satisfies Expectation;

export const question = (prompt: string, answer: boolean | number | readonly [number, number]): LabeledQuestion => ({
  prompt,
  answer: typeof answer === 'number' ? [answer, answer] : answer,
});

export const none = (family: Family, ...prompts: string[]) => prompts.map((prompt) => ({ family, prompt }));
