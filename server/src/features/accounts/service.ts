import type { Database, Transaction } from '#platform/db/index';
import { newId } from '#platform/ids';
import * as store from './store.ts';

/** The user who may do everything in an organisation. */
export type Owner = { orgId: string; userId: string; email: string };

export interface Accounts {
  /**
   * Makes the first organisation and its owner on an empty database; later returns who that is. Any number of nodes may start at once:
   * the transaction holds a lock until it ends, so what the caller does in it for the first start also happens once.
   */
  bootstrap(trx: Transaction): Promise<Owner>;
  /** The first organisation's owner; null before `bootstrap`. */
  owner(): Promise<Owner | null>;
}

export function createAccountsService({ database }: { database: Database }): Accounts {
  return {
    async bootstrap(trx) {
      await store.lockBootstrap(trx);
      const owner = await store.firstOwner(trx);
      if (owner) return owner;
      const made = { orgId: newId(), userId: newId(), email: 'owner@localhost' };
      const { orgId, userId, email } = made;
      await store.insertOrganization(trx, { id: orgId, name: 'My organization' });
      await store.insertUserOnce(trx, { id: userId, org_id: orgId, email, name: 'Owner', role: 'owner' });
      return made;
    },
    owner: () => store.firstOwner(database.db),
  };
}
