import { pace } from './pace/index.ts';
import { size } from './size/index.ts';
import type { ObjectOperator } from './types.ts';

export type { MeasuredObject, ObjectOperator } from './types.ts';

/** Operators that compare objects, by the name of their measure in plans: one line for each folder. */
export const OBJECT_OPERATORS = {
  size,
  pace,
} satisfies Record<string, ObjectOperator>;

/** Measures of objects. */
export type ObjectMeasure = keyof typeof OBJECT_OPERATORS;

export const OBJECT_MEASURES = Object.keys(OBJECT_OPERATORS) as ObjectMeasure[];

/** The operator of a measure; null for one that is not of objects. */
export const objectOperator = (measure: string): ObjectOperator | null =>
  (OBJECT_OPERATORS as Partial<Record<string, ObjectOperator>>)[measure] ?? null;
