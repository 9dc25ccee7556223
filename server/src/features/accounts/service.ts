import type { Database, Transaction } from '#platform/db/index';
import { newId } from '#platform/ids';
import * as store from './store.ts';
import type { Owner } from './types.ts';

export interface Accounts {
  /**
   * Creates the first organization and its owner on an empty database; later returns the owner. Any number of nodes may
   * start concurrently: the transaction holds a lock, so other first-start work in it also happens once.
   */
  bootstrap(trx: Transaction): Promise<Owner>;
  /** The first organization's owner; null before `bootstrap`. */
  owner(): Promise<Owner | null>;
}

export function createAccountsService({ database }: { database: Database }): Accounts {
  return {
    async bootstrap(trx) {
      await store.lockBootstrap(trx);
      const owner = await store.firstOwner(trx);
      if (owner) return owner;
      const created = { orgId: newId(), userId: newId(), email: 'owner@localhost' };
      const { orgId, userId, email } = created;
      await store.insertOrganization(trx, { id: orgId, name: 'My organization' });
      await store.insertUserOnce(trx, { id: userId, orgId, email, name: 'Owner', role: 'owner' });
      return created;
    },
    owner: () => store.firstOwner(database.db),
  };
}
