/** Width and height of a box, as shares of the frame. */
type MeasuredBox = { readonly width: number; readonly height: number };
/** An object with its boxes, in order of time; at least one. */
export type MeasuredObject = {
  readonly boxes: readonly MeasuredBox[];
  /** Mean motion against the scene, in its own lengths per second; null for one that is in a single frame. */
  readonly pace?: () => number | null;
};

/**
 * An operator that gives objects a value by which they are compared: "is the dog bigger than the cat". Its folder
 * contains all that is known of it.
 */
export type ObjectOperator = {
  /** The value of all objects that a statement is about; null if it is not known of any. */
  calculate(objects: readonly [MeasuredObject, ...MeasuredObject[]]): number | null;
  /** Values that differ by less than this share are about the same. */
  readonly tolerance: number;
  /** Meaning of the value, for the guide to prompts and the description of the API. */
  readonly states: string;
  /** In the restatement of a plan. */
  readonly restated: string;
  /** Writes a value. */
  text(value: number): string;
  /** Adjectives that state the result of a comparison. */
  readonly compared: { readonly more: string; readonly less: string; readonly same: string };
  /** English words for it; commas separate them. */
  readonly english: {
    readonly more: string;
    readonly less: string;
    readonly most: string;
    readonly least: string;
    /** "As big", of a value that is so many times another one; none where that says nothing. */
    readonly equal?: string;
  };
  /** Prompts that request it. A test plans them. */
  readonly examples: readonly string[];
};
