/**
 * Vocabulary of the tables in this folder: prompts as people type them, each with what a person who watched the clip
 * would answer. The tables were written from the frames alone, before the engine ran; prompts that fail stay.
 */
import type { LabeledInterval, LabeledSpan } from '../ask.ts';

/** The right answer; everything that is stated must hold. */
export type Truth = {
  /** Single events, each to be found once. */
  events?: readonly LabeledSpan[];
  /** Intervals in which it holds, found as one event or many. */
  during?: readonly LabeledInterval[];
  /** Neither right nor wrong: ambiguous or not labeled. */
  maybe?: readonly LabeledInterval[];
  yes?: boolean;
  /** Lowest and highest right count. */
  count?: readonly [least: number, most: number];
  /** Lowest and highest right number of seconds. */
  lasts?: readonly [least: number, most: number];
  /** Each must match the answer in words. */
  says?: readonly RegExp[];
};

export type TypedPrompt = {
  prompt: string;
  /**
   * Null: rules cannot answer it; the answer has to name the part. "Unknown": it can be answered, but the frames do not
   * show the right answer, so that any counts as refused if the prompt is read as meant.
   */
  truth: Truth | 'unknown' | null;
  /** Key parts of the question: each must be restated in the interpretation, or named as not understood. */
  reads: readonly RegExp[];
  /** Another sense of the words, which the interpretation must not state. */
  never?: RegExp;
  /** The part that must be named if `truth` is null. */
  blocks?: RegExp;
};

export type TypedClip = {
  file: string;
  /** Accuracy of the labels, in seconds. */
  toleranceS: number;
  prompts: readonly TypedPrompt[];
};

type Reads = readonly RegExp[];
type Known = Omit<TypedPrompt, 'truth'> & { truth: Truth };

/** A prompt for single events, each found once. */
export const finds = (prompt: string, spans: readonly LabeledSpan[], ...reads: Reads): Known => ({
  prompt,
  truth: { events: spans },
  reads,
});

/** A prompt for intervals, found as one event or many. */
export const covers = (prompt: string, intervals: readonly LabeledInterval[], ...reads: Reads): Known => ({
  prompt,
  truth: { during: intervals },
  reads,
});

/** A question whose right answer is yes; `at`: where an event that is reported for it may lie. */
export const yes = (prompt: string, at: readonly LabeledInterval[] | null, ...reads: Reads): Known => ({
  prompt,
  truth: { yes: true, ...(at ? { maybe: at } : {}) },
  reads,
});

/** A question whose right answer is no. */
export const no = (prompt: string, ...reads: Reads): Known => ({ prompt, truth: { yes: false }, reads });

export const count = (prompt: string, n: number | readonly [number, number], ...reads: Reads): Known => ({
  prompt,
  truth: { count: typeof n === 'number' ? [n, n] : n },
  reads: [/how many|how often|count|number/i, ...reads],
});

/** A question for a duration in seconds. */
export const lasts = (prompt: string, seconds: readonly [number, number], ...reads: Reads): Known => ({
  prompt,
  truth: { lasts: seconds },
  reads: [/how long|duration|length|time between|total/i, ...reads],
});

/** A question for words or a fact of the file. */
export const says = (prompt: string, answer: RegExp | readonly RegExp[], ...reads: Reads): Known => ({
  prompt,
  truth: { says: answer instanceof RegExp ? [answer] : answer },
  reads,
});

/** A question that rules cannot answer; the answer has to name this part. */
export const cannot = (prompt: string, blocks: RegExp): TypedPrompt => ({ prompt, truth: null, reads: [], blocks });

/** A question whose right answer the frames do not show, such as one about what is spoken. */
export const unlabeled = (prompt: string, ...reads: Reads): TypedPrompt => ({ prompt, truth: 'unknown', reads });

/** Adds intervals in which events are neither right nor wrong. */
export const unsure = (label: Known, ...maybe: LabeledInterval[]): TypedPrompt => ({
  ...label,
  truth: { ...label.truth, maybe },
});

/** Adds a sense of the words that the user did not mean. */
export const never = (sense: RegExp, label: TypedPrompt): TypedPrompt => ({ ...label, never: sense });
