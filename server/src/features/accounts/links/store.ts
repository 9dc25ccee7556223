import type { Queryable, Transaction } from '#platform/db/index';
import type { Role } from '../types.ts';

/** Purpose of a link: password of the first owner, a new password, or a new member. */
export type LinkKind = 'setup' | 'reset' | 'invitation';

export type NewLinkRow = {
  id: string;
  orgId: string;
  kind: LinkKind;
  userId: string | null;
  email: string | null;
  role: Role | null;
  hash: Buffer;
  createdBy: string | null;
  expiresAt: Date;
};

const links = (db: Queryable) =>
  db
    .selectFrom('accountLinks')
    .select(['id', 'orgId', 'kind', 'userId', 'email', 'role', 'createdBy', 'createdAt', 'expiresAt'])
    .where('usedAt', 'is', null)
    .where('revokedAt', 'is', null);

type Row = Awaited<ReturnType<ReturnType<typeof links>['executeTakeFirstOrThrow']>>;

export type LinkRow = Omit<Row, 'kind' | 'role'> & { kind: LinkKind; role: Role | null };

const linkOf = (row: Row): LinkRow => ({ ...row, kind: row.kind as LinkKind, role: row.role as Role | null });

export async function insertLink(trx: Transaction, row: NewLinkRow): Promise<void> {
  await trx.insertInto('accountLinks').values(row).execute();
}

/** The open link with this digest. */
export async function linkByDigest(db: Queryable, hash: Buffer, at: Date): Promise<LinkRow | null> {
  const row = await links(db).where('hash', '=', hash).where('expiresAt', '>', at).executeTakeFirst();
  return row ? linkOf(row) : null;
}

/** Uses up an open link. False if it is no longer open: of two concurrent users one succeeds. */
export async function useLink(trx: Transaction, id: string, at: Date): Promise<boolean> {
  const used = await trx
    .updateTable('accountLinks')
    .set({ usedAt: at })
    .where('id', '=', id)
    .where('usedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', at)
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}

/** The open invitations of this address, at most one of each organization: to this one or, with null, to any. */
export async function listInvitationsOf(
  db: Queryable,
  email: string,
  at: Date,
  orgId: string | null,
): Promise<LinkRow[]> {
  const rows = await links(db)
    .where('kind', '=', 'invitation')
    .where('email', '=', email)
    .where('expiresAt', '>', at)
    .$if(orgId !== null, (query) => query.where('orgId', '=', orgId))
    .execute();
  return rows.map(linkOf);
}

/** Open invitations of an organization before the invitation `before`, newest first. */
export async function pageOfInvitations(
  db: Queryable,
  { orgId, before, limit, at }: { orgId: string; before: string | null; limit: number; at: Date },
): Promise<LinkRow[]> {
  let page = links(db)
    .where('orgId', '=', orgId)
    .where('kind', '=', 'invitation')
    .where('expiresAt', '>', at)
    .orderBy('id', 'desc')
    .limit(limit);
  if (before !== null) page = page.where('id', '<', before);
  return (await page.execute()).map(linkOf);
}

const revocation = (trx: Transaction, at: Date) =>
  trx.updateTable('accountLinks').set({ revokedAt: at }).where('usedAt', 'is', null).where('revokedAt', 'is', null);

/** Revokes an open invitation. Returns its address; null if there is none. */
export async function revokeInvitation(trx: Transaction, orgId: string, id: string, at: Date): Promise<string | null> {
  const revoked = await revocation(trx, at)
    .where('id', '=', id)
    .where('orgId', '=', orgId)
    .where('kind', '=', 'invitation')
    .where('expiresAt', '>', at)
    .returning('email')
    .executeTakeFirst();
  return revoked?.email ?? null;
}

/** True if this is the invitation of another organization. */
export async function isForeignInvitation(db: Queryable, orgId: string, id: string): Promise<boolean> {
  const row = db.selectFrom('accountLinks').select('id').where('id', '=', id).where('orgId', '<>', orgId);
  return (await row.where('kind', '=', 'invitation').executeTakeFirst()) !== undefined;
}

/** Revokes the open invitations to these roles that a user created. Returns their ids and addresses. */
export async function revokeInvitationsBy(trx: Transaction, userId: string, roles: readonly Role[], at: Date) {
  return revocation(trx, at)
    .where('createdBy', '=', userId)
    .where('kind', '=', 'invitation')
    .where('role', 'in', roles)
    .where('expiresAt', '>', at)
    .returning(['id', 'email'])
    .execute();
}

/** Revokes the open links of a user. */
export async function revokeLinksOf(trx: Transaction, userId: string, at: Date): Promise<void> {
  await revocation(trx, at).where('userId', '=', userId).execute();
}

/** Revokes the open invitations of an address to an organization: a new one replaces them. */
export async function revokeInvitationsOf(trx: Transaction, orgId: string, email: string, at: Date): Promise<void> {
  await revocation(trx, at).where('orgId', '=', orgId).where('email', '=', email).execute();
}

export async function deleteLinksBefore(db: Queryable, before: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('accountLinks').where('expiresAt', '<', before).executeTakeFirst();
  return Number(numDeletedRows);
}
