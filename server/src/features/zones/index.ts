/**
 * Zones: named polygons and lines that users draw in the frame of a video, or of the videos of a folder or camera, for
 * prompts such as "enters zone door". The engine receives them as data with each prompt.
 */
export { zonesRoutes } from './routes.ts';
export { createZones, type Zones } from './service.ts';
