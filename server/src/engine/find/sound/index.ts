export { isRecognizedSound } from './find-recognized.ts';
export { findSound, TENTATIVE_SOUND } from './find-sound.ts';
export { findLoudness, loudnessAt, loudnessTimes, meanLoudness } from './loudness.ts';
export { NO_AUDIO_TRACK, whyNoLevels } from './no-audio.ts';
export { SOUND_RULES } from './sound-classes.ts';
