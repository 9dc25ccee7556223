/** Fast mode: which frames are observed for a plan. */
export {
  type CloserLook,
  needsDetector,
  type Pass,
  selectCloserLook,
  selectFirstPass,
  selectOnDemand,
} from './select-pass.ts';
