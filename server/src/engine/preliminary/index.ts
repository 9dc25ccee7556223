export { type PreliminaryEvent, resolvePreliminary, updatePreliminary } from './preliminary.ts';
