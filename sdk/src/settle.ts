export type SettleOptions<T> = { signal?: AbortSignal; onAnswer?: (answer: T) => void };

/** Polls until an answer is final. */
export type Settle = <T>(ask: () => Promise<T>, over: (answer: T) => boolean, options?: SettleOptions<T>) => Promise<T>;
