/** Reason why nothing is heard. */
export const NO_AUDIO_TRACK = 'the video has no audio track';
const NOT_PROCESSED = 'the audio of this video was not processed';

/** Reason why no levels of the audio track are known. */
export const whyNoLevels = ({ hasAudio }: { hasAudio: boolean }): string => (hasAudio ? NOT_PROCESSED : NO_AUDIO_TRACK);
