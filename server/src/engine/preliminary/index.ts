export { dependsOnLength } from './from-end.ts';
export {
  type PreliminaryChanges,
  type PreliminaryEvent,
  resolvePreliminary,
  updatePreliminary,
} from './preliminary.ts';
