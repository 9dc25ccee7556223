export { type CaptionFormat, captionsToWebVtt, formatCaptions, formatTimestamp } from './formats.ts';
export { isEnglish, toLanguage } from './language.ts';
export type { Caption } from './plain-text.ts';
export { READ_SUBTITLES, readSubtitleFile } from './subtitle-file.ts';
export { readSubtitleTrack } from './subtitle-track.ts';
