/** Events that a running analysis reports before it has seen all of its video. */
export { createPreliminaryReporter, type PreliminaryReporter } from './reporter.ts';
export { resolvePreliminaryEvents } from './resolve.ts';
