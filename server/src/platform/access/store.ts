import { type RawBuilder, sql } from 'kysely';
import { isAdmin, type Principal } from './rules.ts';

/**
 * The rules in SQL, for lists: each is true for the rows of a table, or of its alias, that the rule in `rules.ts`
 * accepts. `access.service.test.ts` compares them. With a `scope`, only rows of that scope, in a form that an index on
 * rows of that scope serves.
 */
type Condition = RawBuilder<boolean>;
type ListedScope = 'user' | 'org';

/** SQL of `canManage`. */
export const isManageable = (caller: Principal, table: string, owner?: string): Condition =>
  isAdmin(caller) ? isInOrganization(caller, table) : isOwned(caller, table, owner);

/** SQL of `canRead`. */
export function isReadable(caller: Principal, table: string, scope?: ListedScope): Condition {
  const personal = isManageable(caller, table);
  if (scope) return isOfScope(caller, table, scope, personal);
  if (isAdmin(caller)) return personal;
  return sql`(${isInOrganization(caller, table)} and (${scopeOf(table)} <> 'user' or ${personal}))`;
}

/** SQL of `canUse`. */
export function isUsable(caller: Principal, table: string, scope?: ListedScope): Condition {
  const personal = isOwned(caller, table);
  if (scope) return isOfScope(caller, table, scope, personal);
  return sql`(${isUsable(caller, table, 'org')} or ${isUsable(caller, table, 'user')})`;
}

/** True for rows that everybody sees who will see a new row of this owner and scope. */
export const isVisibleAlike = (
  { orgId, ownerId, scope }: { orgId: string; ownerId: string; scope: ListedScope },
  table: string,
): Condition => isUsable({ orgId, userId: ownerId }, table, scope === 'org' ? 'org' : undefined);

const isOfScope = (caller: Principal, table: string, scope: ListedScope, personal: Condition): Condition =>
  scope === 'org'
    ? sql`(${isInOrganization(caller, table)} and ${scopeOf(table)} = 'org')`
    : sql`(${personal} and ${scopeOf(table)} = 'user')`;

const isOwned = (caller: Principal, table: string, owner = 'ownerId'): Condition =>
  sql`(${isInOrganization(caller, table)} and ${sql.ref(`${table}.${owner}`)} = ${caller.userId})`;

const isInOrganization = ({ orgId }: Principal, table: string): Condition =>
  sql`${sql.ref(`${table}.orgId`)} = ${orgId}`;

const scopeOf = (table: string) => sql.ref(`${table}.scope`);
