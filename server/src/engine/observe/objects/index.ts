export type { LitInterval } from './attributes/lit-intervals.ts';
export { CLASS_GROUPS, CLASSES, MOVING_OBJECT } from './classes.ts';
export { type DetectorName, detectorName, detectorOf, listDetectors, toDetectorSize } from './detectors.ts';
export { isRare } from './frequent-classes.ts';
export { isIsolated, MIN_ISOLATED_SCORE } from './isolated-sample.ts';
export { MIN_LIGHT_HEIGHT, MIN_LIGHT_WIDTH } from './lit-lamp.ts';
export { isRecallKnown, type ObjectSize, recallOf, sizeOf } from './recall.ts';
export { isSmallTrack } from './small-tracks.ts';
