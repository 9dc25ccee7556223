export { describeUnknownClasses, estimateRecall, findUnknownClasses, isInstant, showsPoses } from './actions/index.ts';
export {
  type CalculatedValue,
  calculateGroups,
  calculateValue,
  compareValues,
  countedStep,
  countsObjects,
  type GroupValue,
  type Order,
} from './calculation/index.ts';
export { DEFAULT_MIN_CONFIDENCE } from './confidence.ts';
export { countSubjects, distinctSubjects, measureOccupancy } from './counting/occupancy.ts';
export { isFoundInRanges } from './dense-ranges.ts';
export type { KnownFact } from './facts/index.ts';
export { find, type ReviseMatch } from './find.ts';
export { clock, round, uncheckedText } from './format.ts';
export { mainColor } from './main-color.ts';
export { placesText } from './pick-matches.ts';
export { isPlural, pluralOf } from './plural.ts';
export { borderName } from './region-geometry.ts';
export { createScene } from './scene.ts';
export { isRecognizedSound, NO_AUDIO_TRACK, SOUND_RULES, TENTATIVE_SOUND } from './sound/index.ts';
export { isVisual, needsConsecutiveFrames } from './sparse-search.ts';
export { channelValueText, type DrivingAction, listDrivingActions } from './telemetry/index.ts';
export { LIMITS, STATES } from './thresholds.ts';
export { indexAt } from './time/intervals.ts';
export { dependsOnLength, resolveWindow, searchedLength, searchedRange, windowOf } from './time/time-window.ts';
export type {
  FrameTime,
  IntervalMatch,
  Scene,
  SearchMatches,
  SignalEvidence,
  TrackEvidence,
} from './types.ts';
