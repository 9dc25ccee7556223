export { createLanguageReader, type ReaderHealth, type ReadOptions } from './reader.ts';
export { createTextRanker, type TextRanker } from './text-ranker.ts';
