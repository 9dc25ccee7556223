export { FRAMES_PER_WINDOW, MAX_WINDOWS, WINDOW_S } from './frame-windows.ts';
export { createVisionSearch, isLeftToModel, mergeVisionResult } from './vision-search.ts';
