/**
 * Legacy: the forms in which clients of older generations ask. Each is read into a question and asked like any other; what they can ask for and
 * this service does not have is refused with a sentence.
 */
export { legacyRoutes } from './routes.ts';
export { createLegacy } from './service.ts';
