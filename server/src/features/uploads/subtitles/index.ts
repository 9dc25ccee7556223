export { subtitleRoutes } from './routes.ts';
export { createSubtitleStore, createSubtitleUploads, type SubtitleStore } from './service.ts';
export { type ParsedSubtitles, readSubtitles } from './subtitles.ts';
