import { Problem, sentenceOf } from '#platform/problem';

/** Result of one check. `failed`: the service cannot work, or loses data; `warning`: it lacks something. */
export type Finding = {
  check: string;
  state: 'ok' | 'warning' | 'failed';
  /** Observed value, or what is wrong. */
  value: string;
  /** Instruction for the operator; null where nothing is to be done. */
  remedy: string | null;
};

export const ok = (check: string, value: string): Finding => ({ check, state: 'ok', value, remedy: null });

export const warning = (check: string, value: string, remedy: string | null): Finding => ({
  check,
  state: 'warning',
  value,
  remedy,
});

export const failed = (check: string, value: string, remedy: string | null): Finding => ({
  check,
  state: 'failed',
  value,
  remedy,
});

/** Runs a check; an error is a failure with this remedy. */
export async function attempt(
  check: string,
  remedy: string | null,
  work: () => Promise<Finding | Finding[]>,
): Promise<Finding[]> {
  try {
    return [await work()].flat();
  } catch (error) {
    // The operator reads it: errors of the system name the path.
    const value = error instanceof Error && !(error instanceof Problem) ? error.message : sentenceOf(error);
    return [failed(check, value, remedy)];
  }
}
