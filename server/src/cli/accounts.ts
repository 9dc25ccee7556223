import { table } from '@sightline/sdk/terminal';
import { createAccounts, createPeople, type Owner, type People } from '#features/accounts/index';
import { openConfiguredDatabase } from '#platform/db/connect';
import type { Database } from '#platform/db/index';
import { createSecrets, loadRootSecret } from '#platform/secrets/index';
import type { Context } from './index.ts';

type Rooms = { database: Database; people: People; owner: Owner };

/** Opens just what these commands need, beside a running service or without one. */
async function withPeople({ config, log }: Context, work: (rooms: Rooms) => Promise<void>): Promise<void> {
  const database = await openConfiguredDatabase(config, log, { mode: 'share', poolSize: 2 });
  const secrets = createSecrets(loadRootSecret(config.secret, config.dataDir));
  const people = createPeople({ ...config, database, log, secrets });
  try {
    const owner = await database.transaction((trx) => createAccounts({ database }).bootstrap(trx));
    await work({ database, people, owner });
  } finally {
    await people.close();
    await database.close();
  }
}

/** Prints a link by which someone chooses a password: the owner of the first organisation, or whoever has this address. */
export function linkAccount(context: Context, email: string | undefined): Promise<void> {
  return withPeople(context, async ({ database, people, owner }) => {
    const url = await database.transaction((trx) => people.links.passwordLink(trx, email ?? owner));
    process.stdout.write(`${url}\n`);
    process.stderr.write(
      'Shown this once. It works once, within a day; following it ends all sessions of the account.\n',
    );
  });
}

export function listAccounts(context: Context): Promise<void> {
  return withPeople(context, async ({ people }) => {
    const all = await people.members.everyone();
    const rows = all.map(({ organization, email, name, role, joinedAt, password, sso }) => {
      const ways = [password && 'password', sso && 'single sign-on'].filter(Boolean).join(', ') || 'none yet';
      return [organization, email, name, role, joinedAt.toISOString().slice(0, 10), ways];
    });
    process.stdout.write(`${table(['organisation', 'email', 'name', 'role', 'joined', 'signs in with'], rows)}\n`);
  });
}

/** Makes another organisation and prints the link that makes whoever follows it its owner. */
export function createOrganization(context: Context, given: { name: string; email: string }): Promise<void> {
  return withPeople(context, async ({ people }) => {
    const { url } = await people.links.createOrganization(given);
    process.stdout.write(`${url}\n`);
    process.stderr.write(`Shown this once. Whoever follows it within seven days is the owner of ${given.name}.\n`);
  });
}
