/**
 * Events. *Domain events* are published to other rooms inside the transaction of a change. *Streams* are append-only
 * logs that clients follow over SSE and resume after any event on any node.
 */
export { createEvents } from './service.ts';
export * from './types.ts';
