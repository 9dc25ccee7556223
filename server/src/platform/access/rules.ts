import type { Caller, Scope } from '#platform/http/types';

/** The user who acts. Without `scopes`, code runs on behalf of a user, for example on a schedule: never as an admin. */
export type Principal = Pick<Caller, 'orgId' | 'userId'> & { scopes?: readonly Scope[] };

/**
 * Fields of a row that the rules depend on. `user` (default): personal; `org`: shared with the organization; `sample`:
 * shared and read-only.
 */
export type OwnedRow = { orgId: string; ownerId: string | null; scope?: 'user' | 'org' | 'sample' };

export const isAdmin = ({ scopes = [] }: { scopes?: readonly Scope[] }): boolean => scopes.includes('admin');

/** Own rows. For private rows, such as a search, whose results depend on what its owner may read. */
export const isOwner = (caller: Principal, { orgId, ownerId }: OwnedRow): boolean =>
  orgId === caller.orgId && ownerId === caller.userId;

/** Own rows; with an admin key, all rows of the organization. For settings that a colleague must not change. */
export const canManage = (caller: Principal, row: OwnedRow): boolean =>
  row.orgId === caller.orgId && (isAdmin(caller) || isOwner(caller, row));

/** Shared rows, and the rows that `canManage` covers. */
export const canRead = (caller: Principal, row: OwnedRow): boolean =>
  row.orgId === caller.orgId && (isShared(row) || canManage(caller, row));

/** Readable rows except samples: with the scope `write`, colleagues change shared rows. */
export const canChange = (caller: Principal, row: OwnedRow): boolean => row.scope !== 'sample' && canRead(caller, row);

/**
 * Own and shared rows except samples, also for admins. For what somebody works with: the folder of a new video, the
 * credentials of an import.
 */
export const canUse = (caller: Principal, row: OwnedRow): boolean =>
  row.orgId === caller.orgId && row.scope !== 'sample' && (isShared(row) || isOwner(caller, row));

/** True if the caller's key can access rows of this folder; null or undefined: rows without a folder. */
export const reaches = ({ folderId: only }: Pick<Caller, 'folderId'>, folderId: string | null | undefined): boolean =>
  only === undefined || only === folderId;

const isShared = ({ scope = 'user' }: OwnedRow): boolean => scope !== 'user';
