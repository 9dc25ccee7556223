export { isRecognizedSound } from './find-recognized.ts';
export { findSound, TENTATIVE_SOUND } from './find-sound.ts';
export { NO_AUDIO_TRACK } from './no-audio.ts';
export { SOUND_RULES } from './sound-classes.ts';
