import { type Actor, recordAction } from '#features/audit/index';
import type { Database, Transaction } from '#platform/db/index';
import { httpProblems } from '#platform/http/index';
import { ID_PATTERN } from '#platform/ids';
import { revokeInvitationsBy } from '../links/store.ts';
import { requireName } from '../names.ts';
import { problems } from '../problems.ts';
import { type Role, requireRank } from '../roles.ts';
import type { Sessions } from '../sessions/service.ts';
import * as store from '../store.ts';

export type Member = {
  id: string;
  email: string;
  name: string;
  role: Role;
  joinedAt: Date;
  /** Which ways to sign in they have. */
  password: boolean;
  sso: boolean;
};

export type Organization = { id: string; name: string; createdAt: Date };

export interface Members {
  organization(orgId: string): Promise<Organization>;
  /** Throws `name_invalid` (400). */
  rename(orgId: string, name: string, by: Actor): Promise<Organization>;
  /** In the order they joined. Throws `cursor_invalid` (400). */
  list(
    orgId: string,
    page: { limit: number; cursor?: string | null },
  ): Promise<{ members: Member[]; nextCursor: string | null }>;
  /** Everyone in every organisation, for the operator. */
  everyone(): Promise<(Member & { organization: string })[]>;
  /** Throws `member_not_found` (404), `owner_needed` (403) or `last_owner` (409). */
  changeRole(orgId: string, userId: string, role: Role, by: Actor): Promise<Member>;
  /**
   * Takes someone out of the organisation: their sessions and their open invitations of others end at once, their keys within a second; what they
   * made stays. Throws as `changeRole`.
   */
  remove(orgId: string, userId: string, by: Actor): Promise<Member>;
  /** Makes another member owner, and the owner who does it an admin. Throws `member_not_found` (404) or `owner_needed` (403). */
  transfer(orgId: string, userId: string, by: Actor): Promise<Member>;
}

export type MembersDeps = { database: Database; sessions: Sessions; now: () => number };

export function createMembers({ database, sessions, now }: MembersDeps): Members {
  /** A member, in a transaction in which nobody else changes the organisation's members; with who changes them checked for both roles. */
  async function change<T>(
    orgId: string,
    userId: string,
    by: Actor,
    work: (trx: Transaction, user: store.UserRow) => Promise<T>,
  ): Promise<T> {
    return database.transaction(async (trx) => {
      await store.organization(trx, orgId, 'lock');
      const user = await store.lockUser(trx, userId);
      if (user?.org_id !== orgId) throw problems.member_not_found();
      await requireRank(trx, by, user.role);
      return work(trx, user);
    });
  }

  async function keepAnOwner(trx: Transaction, user: store.UserRow): Promise<void> {
    if (user.role === 'owner' && (await store.countOwners(trx, user.org_id)) === 1) throw problems.last_owner();
  }

  /** What they invited others to and may not any more, now that they are this (null: nobody here), ends: no door stays open for themselves. */
  async function endInvitations(trx: Transaction, user: store.UserRow, role: Role | null, by: Actor): Promise<void> {
    if (role === 'owner') return;
    const beyond: Role[] = role === 'admin' ? ['owner'] : ['owner', 'admin', 'member'];
    for (const { id, email } of await revokeInvitationsBy(trx, user.id, beyond, new Date(now()))) {
      const entry = { orgId: user.org_id, action: 'invitation.revoked', subjectId: id, detail: { email } };
      await recordAction(trx, by, entry);
    }
  }

  async function setRole(trx: Transaction, user: store.UserRow, role: Role, by: Actor): Promise<store.UserRow> {
    if (user.role === role) return user;
    await store.updateUser(trx, user.id, { role });
    await endInvitations(trx, user, role, by);
    await recordAction(trx, by, {
      orgId: user.org_id,
      action: 'member.role_changed',
      subjectId: user.id,
      detail: { from: user.role, to: role },
    });
    return { ...user, role };
  }

  return {
    organization: async (orgId) => organizationOf(await store.organization(database.db, orgId)),
    rename: (orgId, text, by) =>
      database.transaction(async (trx) => {
        const name = requireName(text);
        const { name: from } = await store.organization(trx, orgId, 'lock');
        if (from !== name) {
          await store.renameOrganization(trx, orgId, name);
          const detail = { from, to: name };
          await recordAction(trx, by, { orgId, action: 'organization.renamed', subjectId: orgId, detail });
        }
        return organizationOf(await store.organization(trx, orgId));
      }),
    async list(orgId, { limit, cursor }) {
      if (cursor && !new RegExp(ID_PATTERN).test(cursor)) throw httpProblems.cursor_invalid();
      const found = await store.pageOfUsers(database.db, { orgId, after: cursor ?? null, limit: limit + 1 });
      const members = found.slice(0, limit).map(memberOf);
      return { members, nextCursor: found.length > limit ? members.at(-1)!.id : null };
    },
    async everyone() {
      const rows = await store.everyone(database.db);
      return rows.map((row) => ({ ...memberOf(row), organization: row.organization }));
    },
    changeRole: (orgId, userId, role, by) =>
      change(orgId, userId, by, async (trx, user) => {
        await requireRank(trx, by, role);
        if (role !== 'owner') await keepAnOwner(trx, user);
        return memberOf(await setRole(trx, user, role, by));
      }),
    remove: (orgId, userId, by) =>
      change(orgId, userId, by, async (trx, user) => {
        await keepAnOwner(trx, user);
        await sessions.endAllOf(trx, { userId, orgId }, by);
        await store.updateUser(trx, user.id, { removed_at: new Date(now()) });
        await endInvitations(trx, user, null, by);
        const detail = { email: user.email, role: user.role };
        await recordAction(trx, by, { orgId, action: 'member.removed', subjectId: user.id, detail });
        return memberOf(user);
      }),
    transfer: (orgId, userId, by) =>
      change(orgId, userId, by, async (trx, user) => {
        await requireRank(trx, by, 'owner');
        const made = await setRole(trx, user, 'owner', by);
        const giver = by?.userId ? await store.lockUser(trx, by.userId) : null;
        if (giver && giver.id !== user.id) await setRole(trx, giver, 'admin', by);
        return memberOf(made);
      }),
  };
}

const organizationOf = (row: Awaited<ReturnType<typeof store.organization>>): Organization => ({
  id: row.id,
  name: row.name,
  createdAt: row.created_at,
});

const memberOf = (row: store.UserRow): Member => ({
  id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  joinedAt: row.created_at,
  password: row.password_hash !== null,
  sso: row.sso_subject !== null,
});
