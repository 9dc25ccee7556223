export { subtitleRoutes } from './routes.ts';
export { createSubtitleStore, createSubtitleUploads, type SubtitleStore } from './service.ts';
export { type ParsedSubtitles, parseSubtitles, readSubtitles } from './subtitles.ts';
