export { createLanguageReader, type ReadOptions } from './reader.ts';
