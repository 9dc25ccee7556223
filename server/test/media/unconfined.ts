/** Sandboxes for tasks that read and write what they do not name, in tests and benchmarks. */
export const UNCONFINED = { without: ['isolated', 'user'] } as const;
