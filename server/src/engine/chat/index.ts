export { createChat, type ModelEndpoint } from './client.ts';
export { findJsonObjects } from './json.ts';
