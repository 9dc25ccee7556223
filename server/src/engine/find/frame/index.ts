export { findMotion } from './find-motion.ts';
export { findSignals } from './find-signals.ts';
