export { findSound, TENTATIVE_SOUND } from './find-sound.ts';
export { NO_AUDIO_TRACK } from './no-audio.ts';
export { isRecognizedSound } from './recognized.ts';
export { SOUND_RULES } from './sound-classes.ts';
