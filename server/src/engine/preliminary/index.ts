export { isWorthAnswering, type PreliminaryEvent, resolvePreliminary, updatePreliminary } from './preliminary.ts';
