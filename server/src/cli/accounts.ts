import { table } from '@sightline/sdk/terminal';
import { createAccounts, createPeople, type Owner, type People } from '#features/accounts/index';
import { openConfiguredDatabase } from '#platform/db/connect';
import type { Database } from '#platform/db/index';
import { createSealer, createSecrets, loadRootSecret } from '#platform/secrets/index';
import type { Context } from './types.ts';

type Rooms = { database: Database; people: People; owner: Owner };

/** Opens only the parts that these commands need. A service may run on the same data. */
async function withPeople({ config, log }: Context, work: (rooms: Rooms) => Promise<void>): Promise<void> {
  const database = await openConfiguredDatabase(config, log, { mode: 'share', poolSize: 2 });
  const rootSecret = loadRootSecret(config.secret, config.dataDir);
  const [secrets, sealer] = [createSecrets(rootSecret), createSealer(rootSecret)];
  const people = createPeople({ ...config, database, log, secrets, sealer });
  try {
    const owner = await database.transaction((trx) => createAccounts({ database }).bootstrap(trx));
    await work({ database, people, owner });
  } finally {
    await people.close();
    await database.close();
  }
}

/** Prints a password link for the user with this address; without one, for the owner of the first organization. */
export function linkAccount(context: Context, email: string | undefined): Promise<void> {
  return withPeople(context, async ({ database, people, owner }) => {
    const url = await database.transaction((trx) => people.links.passwordLink(trx, email ?? owner));
    process.stdout.write(`${url}\n`);
    process.stderr.write(
      'This link is shown only once. It works once, within a day, and ends all sessions of the account. A second factor stays: `accounts reset-second-factor` removes it.\n',
    );
  });
}

/** Removes the second factor of the user with this address: they then sign in with their password alone. */
export function resetSecondFactor(context: Context, email: string): Promise<void> {
  return withPeople(context, async ({ people }) => {
    await people.members.resetSecondFactorOf(email);
    process.stdout.write(
      `${email} signs in with the password alone, and can set up another second factor. All their sessions have ended.\n`,
    );
  });
}

export function listAccounts(context: Context): Promise<void> {
  return withPeople(context, async ({ people }) => {
    const all = await people.members.listAll();
    const rows = all.map(({ organization, email, name, role, joinedAt, hasPassword, hasSso, hasSecondFactor }) => {
      const ways =
        [hasPassword && (hasSecondFactor ? 'password and code' : 'password'), hasSso && 'single sign-on']
          .filter(Boolean)
          .join(', ') || 'none yet';
      return [organization, email, name, role, joinedAt.toISOString().slice(0, 10), ways];
    });
    process.stdout.write(`${table(['organization', 'email', 'name', 'role', 'joined', 'signs in with'], rows)}\n`);
  });
}

/** Creates an organization and prints a link that makes its first visitor the owner. */
export function createOrganization(context: Context, given: { name: string; email: string }): Promise<void> {
  return withPeople(context, async ({ people }) => {
    const { url } = await people.links.createOrganization(given);
    process.stdout.write(`${url}\n`);
    process.stderr.write(
      `This link is shown only once. The first user to open it within seven days becomes the owner of ${given.name}.\n`,
    );
  });
}
