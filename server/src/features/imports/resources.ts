import type { FailureReason } from './types.ts';

/** Fields of a resource that state why it failed; null if it did not. */
export const toErrorFields = (problem: FailureReason | null) => ({
  error: problem?.code ?? null,
  message: problem?.message ?? null,
});
