export { findSound, NO_AUDIO_TRACK } from './find-sound.ts';
