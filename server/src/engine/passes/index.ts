/** Fast mode: which frames are observed for a plan. */
export { selectDetector } from './select-detector.ts';
export {
  type CloserLook,
  needsDetector,
  type Pass,
  selectCloserLook,
  selectFirstPass,
  selectOnDemand,
} from './select-pass.ts';
