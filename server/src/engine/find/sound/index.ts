export { findSound } from './find-sound.ts';
