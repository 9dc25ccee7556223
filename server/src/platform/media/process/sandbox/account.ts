import { statSync } from 'node:fs';
import { dirname } from 'node:path';

export type ProcessAccount = { uid: number; gid: number };

/**
 * Users of media processes under root, from the range that systemd gives to services without a fixed user, so that no
 * account of a person or program is among them. Each process has another one and so cannot signal or trace the others.
 */
const FIRST_UID = 61_200;
const UIDS = 4_000;
/** The group that files of the service are readable for while a media process may need them. */
const GROUP = 61_199;

/** The user that compiles modules. */
export const COMPILER: ProcessAccount = { uid: FIRST_UID - 2, gid: GROUP };

let used = process.pid;

/** The user of the next process. */
export function nextAccount(): ProcessAccount {
  used = (used + 1) % UIDS;
  return { uid: FIRST_UID + used, gid: GROUP };
}

/** True if every user can read this file or folder, through all folders above it. */
export function othersCanRead(path: string): boolean {
  try {
    const entry = statSync(path);
    const needed = entry.isDirectory() ? 0o005 : 0o004;
    if ((entry.mode & needed) !== needed) return false;
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      if ((statSync(folder).mode & 0o001) === 0) return false;
      if (folder === dirname(folder)) return true;
    }
  } catch {
    return false;
  }
}
