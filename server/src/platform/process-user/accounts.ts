import { readFileSync } from 'node:fs';

/** An account of this machine, from /etc/passwd. */
export type SystemAccount = { name: string; uid: number; gid: number; home: string };

/** All accounts; none where the file cannot be read. */
export function listSystemAccounts(): SystemAccount[] {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .filter((fields) => fields.length >= 6)
      .map(([name, , uid, gid, , home]) => ({ name: name!, uid: Number(uid), gid: Number(gid), home: home! }));
  } catch {
    return [];
  }
}

/** The account with this name. */
export const findSystemAccount = (name: string): SystemAccount | null =>
  listSystemAccounts().find((account) => account.name === name) ?? null;

/** The user of this process. */
export function runsAs(): { user: string | null; isRoot: boolean } {
  const uid = process.getuid?.();
  return { user: listSystemAccounts().find((account) => account.uid === uid)?.name ?? null, isRoot: uid === 0 };
}
