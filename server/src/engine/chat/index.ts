export { askJson } from './ask-json.ts';
export { type ChatUsage, createChat, type ModelEndpoint } from './client.ts';
export { findJsonObjects } from './json.ts';
export { createBreaker, createLimiter } from './limiter.ts';
