export { adtsHeaderBytes } from './adts.ts';
export { type Container, detectContainer, identifyContainer } from './container.ts';
export { readAccessUnit } from './h264.ts';
export { initSectionLength } from './mp4.ts';
export { readParameterSets } from './parameter-sets.ts';
export { extractText } from './timed-text.ts';
