export { dependsOnLength } from './from-end.ts';
export {
  type PreliminaryEvent,
  resolvePreliminary,
  updatePreliminary,
} from './preliminary.ts';
