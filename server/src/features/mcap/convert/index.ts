export { removeNul } from './channel-names.ts';
export { type ConverterDeps, createConverter } from './convert.ts';
