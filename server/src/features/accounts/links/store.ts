import type { Queryable, Transaction } from '#platform/db/index';
import type { Role } from '../roles.ts';

/** What a link is for: the first owner's password, a new one for someone, or a new member. */
export type LinkKind = 'setup' | 'reset' | 'invitation';

export type NewLinkRow = {
  id: string;
  org_id: string;
  kind: LinkKind;
  user_id: string | null;
  email: string | null;
  role: Role | null;
  hash: Buffer;
  created_by: string | null;
  expires_at: Date;
};

const links = (db: Queryable) =>
  db
    .selectFrom('account_links')
    .select(['id', 'org_id', 'kind', 'user_id', 'email', 'role', 'created_by', 'created_at', 'expires_at'])
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null);

type Row = Awaited<ReturnType<ReturnType<typeof links>['executeTakeFirstOrThrow']>>;

export type LinkRow = Omit<Row, 'kind' | 'role'> & { kind: LinkKind; role: Role | null };

const linkOf = (row: Row): LinkRow => ({ ...row, kind: row.kind as LinkKind, role: row.role as Role | null });

export async function insertLink(trx: Transaction, row: NewLinkRow): Promise<void> {
  await trx.insertInto('account_links').values(row).execute();
}

/** The open link with this digest. */
export async function linkByDigest(db: Queryable, hash: Buffer, at: Date): Promise<LinkRow | null> {
  const row = await links(db).where('hash', '=', hash).where('expires_at', '>', at).executeTakeFirst();
  return row ? linkOf(row) : null;
}

/** Uses up an open link; false where it is not open any more: of two who follow it at once, one gets in. */
export async function useLink(trx: Transaction, id: string, at: Date): Promise<boolean> {
  const used = await trx
    .updateTable('account_links')
    .set({ used_at: at })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}

/** The open invitations of this address, at most one of each organisation: to this one or, with null, to any. */
export async function invitationsOf(db: Queryable, email: string, at: Date, orgId: string | null): Promise<LinkRow[]> {
  const rows = await links(db)
    .where('kind', '=', 'invitation')
    .where('email', '=', email)
    .where('expires_at', '>', at)
    .$if(orgId !== null, (query) => query.where('org_id', '=', orgId))
    .execute();
  return rows.map(linkOf);
}

/** Open invitations of an organisation, newest first, from before the invitation `before`. */
export async function pageOfInvitations(
  db: Queryable,
  { orgId, before, limit, at }: { orgId: string; before: string | null; limit: number; at: Date },
): Promise<LinkRow[]> {
  let page = links(db)
    .where('org_id', '=', orgId)
    .where('kind', '=', 'invitation')
    .where('expires_at', '>', at)
    .orderBy('id', 'desc')
    .limit(limit);
  if (before !== null) page = page.where('id', '<', before);
  return (await page.execute()).map(linkOf);
}

const revocation = (trx: Transaction, at: Date) =>
  trx.updateTable('account_links').set({ revoked_at: at }).where('used_at', 'is', null).where('revoked_at', 'is', null);

/** Revokes an open invitation; returns its address, null where there is none. */
export async function revokeInvitation(trx: Transaction, orgId: string, id: string, at: Date): Promise<string | null> {
  const revoked = await revocation(trx, at)
    .where('id', '=', id)
    .where('org_id', '=', orgId)
    .where('kind', '=', 'invitation')
    .where('expires_at', '>', at)
    .returning('email')
    .executeTakeFirst();
  return revoked?.email ?? null;
}

/** Revokes the open invitations to these roles that a user made; returns what they were. */
export async function revokeInvitationsBy(trx: Transaction, userId: string, roles: readonly Role[], at: Date) {
  return revocation(trx, at)
    .where('created_by', '=', userId)
    .where('kind', '=', 'invitation')
    .where('role', 'in', roles)
    .where('expires_at', '>', at)
    .returning(['id', 'email'])
    .execute();
}

/** Revokes the open links of a user. */
export async function revokeLinksOf(trx: Transaction, userId: string, at: Date): Promise<void> {
  await revocation(trx, at).where('user_id', '=', userId).execute();
}

/** Revokes the open invitations of an address to an organisation: a new one replaces them. */
export async function revokeInvitationsOf(trx: Transaction, orgId: string, email: string, at: Date): Promise<void> {
  await revocation(trx, at).where('org_id', '=', orgId).where('email', '=', email).execute();
}

export async function deleteLinksBefore(db: Queryable, before: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('account_links').where('expires_at', '<', before).executeTakeFirst();
  return Number(numDeletedRows);
}
