import type { AuditActor } from '#features/audit/index';
import type { Transaction } from '#platform/db/index';
import type { Scope } from '#platform/http/index';
import { problems } from './problems.ts';
import * as store from './store.ts';
import type { Role } from './types.ts';

/** Scopes of a signed-in user with this role. */
export const scopesForRole = (role: Role): Scope[] =>
  role === 'member' ? ['read', 'write'] : ['read', 'write', 'admin'];

/**
 * Checks the rank needed to manage a member of this role, or to give it: admin, or owner for owners. The operator
 * passes. Throws `admin_needed` or `owner_needed` (403).
 */
export async function requireRole(trx: Transaction, by: AuditActor, role: Role): Promise<void> {
  if (by === null) return;
  const actor = by.userId === null ? null : await store.userById(trx, by.userId);
  if (!actor || actor.role === 'member') throw problems.admin_needed();
  if (role === 'owner' && actor.role !== 'owner') throw problems.owner_needed();
}
