export { always, detectorRecallOf, isAbout, limitsOf, missingOf, recallOf, textsOf } from './describe-limits.ts';
export { cutFrames, excerptOf, overlaps } from './excerpt.ts';
