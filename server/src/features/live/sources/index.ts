/** Sources of livestreams: HLS, MJPEG, growing files, RTSP, RTMP and SRT. */
export { openSource } from './open-source.ts';
export { isPushUrl, parseSourceUrl, redactSourceUrl, toPushUrl } from './source-url.ts';
export { createSourceTester, type SourceTest, type SourceTesterDeps } from './test-source.ts';
export type { LiveSourceDeps, PushedSources, RecordedPosition, SourceReader } from './types.ts';
