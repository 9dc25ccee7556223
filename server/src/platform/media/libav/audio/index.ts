export { createAacEncoder, SAMPLES_PER_PACKET } from './aac-encoder.ts';
export { createAudioDecoder } from './audio-decoder.ts';
