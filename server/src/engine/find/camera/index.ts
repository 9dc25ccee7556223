export { approachRate } from './camera-speed.ts';
export { findCameraMotion } from './find-camera-motion.ts';
