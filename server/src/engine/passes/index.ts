/** Fast mode: which frames are observed for a plan. */
export { needsCloserLook, type Pass, selectFirstPass } from './select-pass.ts';
