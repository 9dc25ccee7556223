import { channel } from 'node:diagnostics_channel';
import { Problem } from './problem.ts';

/** `refused`: it is the fault of the input, such as a file that is no video, or one that does not exist. */
type CallOutcome = 'completed' | 'refused' | 'failed';

/** One kind of measurement. Without a subscriber, as without a monitoring port, publishing costs one comparison. */
export type Measurement<T extends object> = {
  readonly isObserved: boolean;
  publish(value: T): void;
  /** Returns the function that ends the subscription. */
  subscribe(onValue: (value: T) => void): () => void;
};

/** Diagnostics channels are those of the process, so that parts need not receive a collector through all callers. */
function defineMeasurement<T extends object>(name: string): Measurement<T> {
  const values = channel(`sightline:${name}`);
  return {
    get isObserved() {
      return values.hasSubscribers;
    },
    publish(value) {
      if (values.hasSubscribers) values.publish(value);
    },
    subscribe(onValue) {
      const listener = (value: unknown) => onValue(value as T);
      values.subscribe(listener);
      return () => values.unsubscribe(listener);
    },
  };
}

/** A request whose response has ended. */
export const requestEnded = defineMeasurement<{
  /** Id of the operation in the API description; null for other addresses. */
  operation: string | null;
  status: number;
  /** Null for event streams, which stay open as long as their reader likes. */
  seconds: number | null;
}>('request-ended');

/** An attempt of a job. `interrupted`: it was canceled, its worker closed, or another worker took it. */
export const jobEnded = defineMeasurement<{
  kind: string;
  class: string;
  outcome: 'completed' | 'failed' | 'timeout' | 'interrupted';
  seconds: number;
}>('job-ended');

/** A media process that died with its task, because of the file or from outside. */
export const mediaProcessDied = defineMeasurement<{ pool: string; cause: 'file' | 'machine' }>('media-process-died');

/** A task of a media process, from its request to its result. */
export const mediaTaskEnded = defineMeasurement<{
  pool: string;
  outcome: CallOutcome;
  seconds: number;
}>('media-task-ended');

/** A request to a vision-language or language model. */
export const modelCallEnded = defineMeasurement<{
  client: string;
  outcome: 'completed' | 'failed' | 'late';
  seconds: number;
  inputTokens: number;
  outputTokens: number;
}>('model-call-ended');

/** A call of the storage, until its result or, for reads, until the first bytes can be read. */
export const storageCallEnded = defineMeasurement<{
  operation: string;
  outcome: CallOutcome;
  seconds: number;
}>('storage-call-ended');

/** Runs `work` and publishes how long it took and how it ended. */
export async function measured<T>(
  work: () => Promise<T>,
  publish: (outcome: CallOutcome, seconds: number) => void,
): Promise<T> {
  const started = performance.now();
  let outcome: CallOutcome = 'failed';
  try {
    const result = await work();
    outcome = 'completed';
    return result;
  } catch (error) {
    if (error instanceof Problem && !error.isFault) outcome = 'refused';
    throw error;
  } finally {
    publish(outcome, (performance.now() - started) / 1000);
  }
}
