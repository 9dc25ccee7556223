export { approachRate } from './camera-speed.ts';
export { findCameraMotion } from './find-camera-motion.ts';
export { resolveVehicle } from './resolve-vehicle.ts';
export { kindOfFootage, whyNotDrive } from './vehicle-footage.ts';
