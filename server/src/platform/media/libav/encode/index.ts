export { assemble } from './assemble.ts';
export { encode } from './encode.ts';
