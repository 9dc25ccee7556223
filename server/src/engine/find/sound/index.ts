export { findSound, NO_AUDIO_TRACK, TENTATIVE_SOUND } from './find-sound.ts';
export { isRecognizedSound } from './recognized.ts';
export { SOUND_RULES } from './sound-classes.ts';
