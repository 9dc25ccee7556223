import { readFileSync, statSync } from 'node:fs';
import type { Account } from './run.ts';

/**
 * The account PostgreSQL runs under. A normal user is it himself. PostgreSQL refuses root, so root drops to
 * the owner of the cluster, else to `postgres`, else to `nobody`.
 */
export function chooseAccount(cluster: string): Account {
  if (process.getuid?.() !== 0) return {};
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return lookup('postgres') ?? lookup('nobody') ?? { uid: 65_534, gid: 65_534 };
}

/** How to name the account in a sentence. */
export function describeAccount(account: Account): string {
  return account.uid === undefined
    ? `user ${process.getuid?.() ?? ''}`.trim()
    : `user ${account.uid} (root is refused by PostgreSQL)`;
}

function lookup(name: string): Account | undefined {
  try {
    const fields = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .find((line) => line[0] === name);
    return fields && { uid: Number(fields[2]), gid: Number(fields[3]) };
  } catch {
    return undefined;
  }
}

/**
 * The name the account knows the cluster by, for programs started in it. Under root the way there may be closed to the account
 * (a checkout in /root, a private home): it is placed in the folder by us, and calls it by a name that needs no way.
 */
export function nameOfCluster(cluster: string, account: Account): string {
  return account.uid !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : cluster;
}
