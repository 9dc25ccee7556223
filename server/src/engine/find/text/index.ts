export { readBurnedInClock } from './burned-in-clock.ts';
export { findText } from './find-text.ts';
export { wordsOf } from './matches-text.ts';
