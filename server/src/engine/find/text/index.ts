export { findText } from './find-text.ts';
export { wordsOf } from './matches-text.ts';
