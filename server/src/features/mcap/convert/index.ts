export { type ConverterDeps, createConverter } from './convert.ts';
