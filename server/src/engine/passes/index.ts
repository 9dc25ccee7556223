/** Fast mode: which frames are observed for a plan. */
export { type CloserLook, type Pass, selectCloserLook, selectFirstPass } from './select-pass.ts';
