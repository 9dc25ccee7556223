export type { KnownFact } from './fact-values.ts';
export { findFact } from './find-fact.ts';
