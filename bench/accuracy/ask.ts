/**
 * The words in which the tables beside this file say what may be asked of a labelled clip, and what a right answer is. The prompts are written as a user
 * would write them, from the labels alone and before the engine was asked; one that fails stays.
 */

/** Seconds; null is an edge that the labels do not tell. */
export type Span = readonly [from: number | null, to: number | null];
export type Stretch = readonly [from: number, to: number];

export type Family =
  | 'objects'
  | 'table-top things'
  | 'entering, leaving'
  | 'direction'
  | 'colour'
  | 'count'
  | 'motion'
  | 'camera'
  | 'light'
  | 'cut'
  | 'sound'
  | 'relation'
  | 'duration'
  | 'negation'
  | 'sequence';

/** Frames of which a hand-labelled share is this: from `sure` on it is expected, from `maybe` on it may be found. */
export type Labelled = { column: 'pedestrian' | 'bicyclist' | 'car'; sure: number; maybe: number };

export type Happening = {
  family: Family;
  prompt: string;
  expected: /** Single happenings, each to be found once. */
    | { events: readonly Span[] }
    /** Times in which it is so, told as one finding or many: things that nobody labelled singly. */
    | { during: readonly Stretch[] }
    | { labelled: Labelled };
  /** Neither right nor wrong: it can be seen either way, or was not labelled. */
  maybe: readonly Stretch[];
};

/** A question with its right answer: yes or no, or the least and the most that may be counted. */
export type Question = { prompt: string; answer: boolean | readonly [least: number, most: number] };

export type Clip = {
  file: string;
  /** How exact the labels are, in seconds. */
  toleranceS: number;
  happenings: readonly Happening[];
  questions?: readonly Question[];
  /** What the vocabulary knows and this clip does not show: nothing may be found. */
  absent: readonly { family: Family; prompt: string }[];
  /** Classes of the detector that are in view, or that something in view may well be taken for. Of all others nothing may be found. */
  inView: readonly string[];
  /** What no observer here knows and this clip makes one ask: nothing may be found. */
  outside?: readonly string[];
  /** Hand-labelled frames as CSV, and how many of them there are a second. */
  labels?: { file: string; fps: number };
};

export const events = (family: Family, prompt: string, spans: readonly Span[], maybe: readonly Stretch[] = []) =>
  ({ family, prompt, expected: { events: spans }, maybe }) satisfies Happening;

export const during = (family: Family, prompt: string, stretches: readonly Stretch[], maybe: readonly Stretch[] = []) =>
  ({ family, prompt, expected: { during: stretches }, maybe }) satisfies Happening;

export const labelled = (family: Family, prompt: string, what: Labelled) =>
  ({ family, prompt, expected: { labelled: what }, maybe: [] }) satisfies Happening;

export const asked = (prompt: string, answer: boolean | number | readonly [number, number]): Question => ({
  prompt,
  answer: typeof answer === 'number' ? [answer, answer] : answer,
});

export const none = (family: Family, ...prompts: string[]) => prompts.map((prompt) => ({ family, prompt }));
