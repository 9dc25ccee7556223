import { readFileSync, statSync } from 'node:fs';
import type { Account } from './run.ts';

/**
 * Returns the account that PostgreSQL runs as: the current user or, because PostgreSQL refuses root, the owner of the
 * cluster, `postgres` or `nobody`.
 */
export function chooseAccount(cluster: string): Account {
  if (process.getuid?.() !== 0) return {};
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return lookup('postgres') ?? lookup('nobody') ?? { uid: 65_534, gid: 65_534 };
}

/** The account, for messages. */
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
 * Path of the cluster for programs that start in it. Under root, the account may not be able to reach the folder (a
 * checkout in /root). The programs then start in that folder and use a path that needs no access to its parents.
 */
export function nameOfCluster(cluster: string, account: Account): string {
  return account.uid !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : cluster;
}
