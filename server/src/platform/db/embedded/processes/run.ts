import { execFile } from 'node:child_process';

/** User and group of a child process; empty for the current user. Spread it into the options of `spawn`. */
export type Account = { uid?: number; gid?: number };

/** Children do not inherit the environment, which contains secrets. Programs come from the system's folders. */
export const CHILD_ENV = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' };

export type Outcome = { ok: boolean; code: number | string | null; stdout: string; stderr: string };

/**
 * Runs a program to its end and returns the result; never throws. `code` is the exit code, or an error code such as
 * ENOENT.
 */
export function run(
  account: Account,
  program: string,
  args: string[],
  { cwd = '/', signal }: { cwd?: string; signal?: AbortSignal | undefined } = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { ...account, cwd, env: CHILD_ENV, maxBuffer: 8 << 20, signal };
    const done = (error: { code?: number | string | null } | null, stdout: string, stderr: string) =>
      resolve({ ok: !error, code: error ? (error.code ?? null) : 0, stdout, stderr });
    try {
      execFile(program, args, options, done);
    } catch (error) {
      // Some failures to switch the user are thrown instead of reported.
      done(error as NodeJS.ErrnoException, '', String(error));
    }
  });
}
