import { Problem } from '../problem.ts';

/** What the parent and a media process say to each other. */
export type ToChild =
  | { kind: 'task'; id: number; module: string; name: string; args: unknown }
  /** What a task handed over is kept: it may hand over more. */
  | { kind: 'taken' }
  /** The task is to come to its end by itself. */
  | { kind: 'stop' };

export type FromChild =
  | { kind: 'ready'; engine: 'node-av' | 'ffmpeg' }
  | { kind: 'unavailable'; reason: string }
  | { kind: 'alive' }
  | { kind: 'progress'; id: number; fraction: number }
  | { kind: 'handover'; id: number; value: unknown }
  | { kind: 'result'; id: number; value: unknown; rssBytes: number }
  | { kind: 'error'; id: number; error: WireError; rssBytes: number };

/** An error as plain data: class instances do not survive structured cloning. */
export type WireError = {
  message: string;
  stack: string;
  problem: { status: number; code: string; detail: string | Record<string, unknown> } | null;
};

export function toWire(error: unknown): WireError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const problem = error instanceof Problem ? { status: error.status, code: error.code, detail: error.detail } : null;
  return { message, stack: stack ?? message, problem };
}

export function fromWire({ message, stack, problem }: WireError): Error {
  if (!problem) return Object.assign(new Error(message), { stack });
  const { status, code, detail } = problem;
  return new Problem({ status, code, message, ...(typeof detail === 'object' ? { detail } : {}) });
}
