/**
 * Captions: time-stamped captions of whole videos. The index of a video is an analysis whose events are the captions,
 * so that they are stored, searched and deleted like other events.
 */
export { captionsRoutes } from './routes.ts';
export { createCaptions } from './service.ts';
