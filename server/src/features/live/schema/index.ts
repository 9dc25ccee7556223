/** Requests and responses of the operations of livestreams. */
export * from './analysis.ts';
export * from './fields.ts';
export * from './media.ts';
export { MAX_CHUNKS, MAX_RETAINED_SPANS } from './recording.ts';
export * from './sessions.ts';
export * from './streams.ts';
export * from './wall.ts';
