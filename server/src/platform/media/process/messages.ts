import { Problem } from '../../problem.ts';

/** Messages from the parent to a media process. */
export type ParentMessage =
  | { kind: 'task'; id: number; module: string; name: string; args: unknown }
  /** An emitted value was processed, with this result. */
  | { kind: 'taken'; reply: unknown }
  /** The process gets this connection, whose handle comes with the message. */
  | { kind: 'connection'; remote: string }
  /** The task may continue after a `turn`. */
  | { kind: 'continue' }
  /** Aborts the `stopSignal` of the task. */
  | { kind: 'stop' };

export type ChildMessage =
  | { kind: 'ready' }
  | { kind: 'unavailable'; reason: string }
  | { kind: 'alive' }
  | { kind: 'progress'; id: number; fraction: number }
  /** The task lets others go first. */
  | { kind: 'turn'; id: number }
  | { kind: 'handover'; id: number; value: unknown }
  | { kind: 'result'; id: number; value: unknown; rssBytes: number }
  | { kind: 'error'; id: number; error: SerializedError; rssBytes: number };

/** An error as plain data: class instances do not survive structured cloning. */
export type SerializedError = {
  message: string;
  stack: string;
  problem: { status: number; code: string; detail: string | Record<string, unknown> } | null;
};

export function serializeError(error: unknown): SerializedError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const problem = error instanceof Problem ? { status: error.status, code: error.code, detail: error.detail } : null;
  return { message, stack: stack ?? message, problem };
}

export function deserializeError({ message, stack, problem }: SerializedError): Error {
  if (!problem) return Object.assign(new Error(message), { stack });
  const { status, code, detail } = problem;
  return new Problem({ status, code, message, ...(typeof detail === 'object' ? { detail } : {}) });
}
