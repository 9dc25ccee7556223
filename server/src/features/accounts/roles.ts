import type { Actor } from '#features/audit/index';
import type { Transaction } from '#platform/db/index';
import type { Scope } from '#platform/http/index';
import { problems } from './problems.ts';
import * as store from './store.ts';

/** What a person is in an organisation: an owner may also make owners, an admin manages members and keys, a member works. */
export type Role = 'owner' | 'admin' | 'member';

/** What a signed-in person of this role may do. */
export const scopesOf = (role: Role): Scope[] => (role === 'member' ? ['read', 'write'] : ['read', 'write', 'admin']);

/**
 * Before someone manages a member of this role, or gives it: that takes an admin, and for an owner an owner. The operator may.
 * Throws `admin_needed` or `owner_needed` (403).
 */
export async function requireRank(trx: Transaction, by: Actor, role: Role): Promise<void> {
  if (by === null) return;
  const actor = by.userId === null ? null : await store.userById(trx, by.userId);
  if (!actor || actor.role === 'member') throw problems.admin_needed();
  if (role === 'owner' && actor.role !== 'owner') throw problems.owner_needed();
}
