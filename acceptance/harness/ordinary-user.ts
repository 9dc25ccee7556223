import { spawnSync } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY } from './command.ts';

/** The user without rights on any system. */
export const NOBODY = 65_534;

/**
 * Returns a checkout that the user may read and run: this one, or a copy if its path is not accessible (a checkout in
 * /root).
 */
export async function checkoutFor(uid: number, folder: string): Promise<string> {
  const probe = spawnSync(process.execPath, ['-e', 'require("fs").accessSync("server/src/main.ts")'], {
    cwd: REPOSITORY,
    uid,
    gid: uid,
  });
  if (probe.status === 0) return REPOSITORY;
  const copy = join(folder, 'checkout');
  const left = /\/(\.git|data|bench|docs|server\/dist)$/;
  await cp(REPOSITORY, copy, { recursive: true, verbatimSymlinks: true, filter: (path) => !left.test(path) });
  return copy;
}
