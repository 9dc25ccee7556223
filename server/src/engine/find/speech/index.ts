export { findSpeech, findVoices } from './find-speech.ts';
