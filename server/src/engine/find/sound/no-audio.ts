/** Reason why nothing is heard. */
export const NO_AUDIO_TRACK = 'the video has no audio track';
