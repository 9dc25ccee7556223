import { table } from '@sightline/sdk/terminal';
import { createAccounts } from '#features/accounts/index';
import { type AuditChain, type ChainState, createAuditChain } from '#features/audit/index';
import { openConfiguredDatabase } from '#platform/db/connect';
import { Problem } from '#platform/problem';
import type { Context } from './types.ts';

/** Opens only the parts that these commands need; a service may run on the same data. `owner` is the first one. */
async function withChain(
  { config, log }: Context,
  work: (chain: AuditChain, findFirst: () => Promise<string>) => Promise<void>,
): Promise<void> {
  const database = await openConfiguredDatabase(config, log, { mode: 'share', poolSize: 2 });
  try {
    const findFirst = async () =>
      (await database.transaction((trx) => createAccounts({ database }).bootstrap(trx))).orgId;
    await work(createAuditChain({ database, jobs: { handle() {}, schedule() {} } }), findFirst);
  } finally {
    await database.close();
  }
}

/**
 * Recomputes the chain of digests of an organization, or of all, and prints its last position and digest. `known` is a
 * position and digest that were noted earlier. Fails if an entry is missing or altered.
 */
export function verifyAudit(
  context: Context,
  { organization, known }: { organization?: string; known?: string },
): Promise<void> {
  return withChain(context, async (chain, findFirst) => {
    const orgId = known ? (organization ?? (await findFirst())) : organization;
    const states: ChainState[] = [];
    for (const id of orgId ? [orgId] : await chain.organizations()) states.push(await chain.verify(id));
    const rows = states.map(({ orgId: id, head, erased, pending, fault }) => [
      id,
      String(head.position),
      String(pending),
      String(erased),
      head.digest,
      fault ? `entry ${fault.position} is ${fault.kind}` : 'intact',
    ]);
    process.stdout.write(`${table(['organization', 'position', 'pending', 'erased', 'digest', 'chain'], rows)}\n`);
    const broken = states.filter(({ fault }) => fault);
    if (broken.length > 0) throw failed(`The audit log was changed (organizations: ${broken.length}).`);
    if (known) await compareKnown(chain, orgId!, known);
  });
}

async function compareKnown(chain: AuditChain, orgId: string, known: string): Promise<void> {
  const [position, digest] = known.split(':');
  if ((await chain.digestAt(orgId, Number(position))) !== digest) {
    throw failed(`Entry ${position} does not have the digest that you noted: the audit log was rewritten.`);
  }
  process.stdout.write(`Entry ${position} has the digest that you noted.\n`);
}

/** Erases the personal content of the entries of a user, or about an object. */
export function eraseFromAudit(
  context: Context,
  subject: string,
  { organization }: { organization?: string },
): Promise<void> {
  return withChain(context, async (chain, findFirst) => {
    const entries = await chain.erase(organization ?? (await findFirst()), subject);
    process.stdout.write(
      entries === 0
        ? `No entries name ${subject}.\n`
        : `Erased address, user agent and details of entries: ${entries}. The entries and their digests remain.\n`,
    );
  });
}

const failed = (message: string) => new Problem({ status: 409, code: 'audit_broken', message });
