import { type AuditActor, recordAction } from '#features/audit/index';
import type { Database, Transaction } from '#platform/db/index';
import { readIdPage } from '#platform/http/index';
import { requireEmail } from '../email.ts';
import { revokeInvitationsBy } from '../links/store.ts';
import { requireName } from '../names.ts';
import { problems } from '../problems.ts';
import { requireRole } from '../roles.ts';
import { deleteFactor } from '../second-factor/store.ts';
import type { Sessions } from '../sessions/service.ts';
import * as store from '../store.ts';
import type { Role } from '../types.ts';
import type { Member, Organization, OrganizationChanges } from './schema.ts';

export interface Members {
  organization(orgId: string): Promise<Organization>;
  /** Throws `name_invalid` (400) or `second_factor_own_first` (409). */
  changeOrganization(orgId: string, changes: OrganizationChanges, by: AuditActor): Promise<Organization>;
  /** In the order they joined. Throws `cursor_invalid` (400). */
  list(
    orgId: string,
    page: { limit: number; cursor?: string | null },
  ): Promise<{ members: Member[]; hasMore: boolean; nextCursor: string | null }>;
  /** All users of all organizations, for the operator. */
  listAll(): Promise<(Member & { organization: string })[]>;
  /** Throws `member_not_found` (404), `member_forbidden`, `owner_needed` (403) or `last_owner` (409). */
  changeRole(orgId: string, userId: string, role: Role, by: AuditActor): Promise<Member>;
  /**
   * Removes a user from the organization: sessions and open invitations end at once, keys within a second; their
   * objects remain. Throws as `changeRole` does.
   */
  remove(orgId: string, userId: string, by: AuditActor): Promise<Member>;
  /**
   * Removes the second factor of a user and ends their sessions. Throws as `changeRole` does, `second_factor_off` or
   * `second_factor_own` (409).
   */
  resetSecondFactor(orgId: string, userId: string, by: AuditActor): Promise<Member>;
  /** The same for the user with this address, for the operator. Throws `email_invalid` (400) as well. */
  resetSecondFactorOf(email: string): Promise<Member>;
  /**
   * Makes another member owner, and the calling owner an admin. Throws `member_not_found` (404),
   * `member_forbidden` or `owner_needed` (403).
   */
  transfer(orgId: string, userId: string, by: AuditActor): Promise<Member>;
}

export type MembersDeps = { database: Database; sessions: Sessions; now: () => number };

export function createMembers({ database, sessions, now }: MembersDeps): Members {
  /** Runs `work` on a member, serialized with other changes of members, after checking the rank of `by`. */
  async function change<T>(
    orgId: string,
    userId: string,
    by: AuditActor,
    work: (trx: Transaction, user: store.UserRow) => Promise<T>,
  ): Promise<T> {
    return database.transaction(async (trx) => {
      await store.organization(trx, orgId, 'lock');
      const user = await store.lockUser(trx, userId);
      if (!user) throw problems.member_not_found();
      if (user.orgId !== orgId) throw problems.member_forbidden();
      await requireRole(trx, by, user.role);
      return work(trx, user);
    });
  }

  async function keepAnOwner(trx: Transaction, user: store.UserRow): Promise<void> {
    if (user.role === 'owner' && (await store.countOwners(trx, user.orgId)) === 1) throw problems.last_owner();
  }

  /**
   * Revokes invitations that the user may no longer give with the new role (null: removed), so that they cannot use one
   * themselves.
   */
  async function endInvitations(
    trx: Transaction,
    user: store.UserRow,
    role: Role | null,
    by: AuditActor,
  ): Promise<void> {
    if (role === 'owner') return;
    const beyond: Role[] = role === 'admin' ? ['owner'] : ['owner', 'admin', 'member'];
    for (const { id, email } of await revokeInvitationsBy(trx, user.id, beyond, new Date(now()))) {
      const entry = { orgId: user.orgId, action: 'invitation.revoked', subjectId: id, detail: { email } };
      await recordAction(trx, by, entry);
    }
  }

  async function setRole(trx: Transaction, user: store.UserRow, role: Role, by: AuditActor): Promise<store.UserRow> {
    if (user.role === role) return user;
    await store.updateUser(trx, user.id, { role });
    await endInvitations(trx, user, role, by);
    await recordAction(trx, by, {
      orgId: user.orgId,
      action: 'member.role_changed',
      subjectId: user.id,
      detail: { from: user.role, to: role },
    });
    return { ...user, role };
  }

  async function rename(trx: Transaction, { id: orgId, name: from }: OrganizationRow, text: string, by: AuditActor) {
    const name = requireName(text);
    if (from === name) return;
    await store.updateOrganization(trx, orgId, { name });
    const detail = { from, to: name };
    await recordAction(trx, by, { orgId, action: 'organization.renamed', subjectId: orgId, detail });
  }

  async function requireFactors(
    trx: Transaction,
    { id: orgId, ...row }: OrganizationRow,
    required: boolean,
    by: AuditActor,
  ) {
    if (row.secondFactorRequired === required) return;
    const user = required && by?.userId ? await store.userById(trx, by.userId) : null;
    // They would shut themselves out. Without a password, they sign in by single sign-on.
    if (user?.passwordHash && !user.hasSecondFactor) throw problems.second_factor_own_first();
    await store.updateOrganization(trx, orgId, { secondFactorRequired: required });
    const detail = { required };
    await recordAction(trx, by, { orgId, action: 'organization.second_factor', subjectId: orgId, detail });
  }

  const resetSecondFactor = (orgId: string, userId: string, by: AuditActor) =>
    change(orgId, userId, by, async (trx, user) => {
      // A session that somebody took over must not be enough.
      if (by?.userId === userId) throw problems.second_factor_own();
      if (!(await deleteFactor(trx, userId))) throw problems.second_factor_off();
      await recordAction(trx, by, { orgId, action: 'second_factor.reset', subjectId: userId });
      await sessions.endAllOf(trx, { userId, orgId }, by);
      return memberOf({ ...user, hasSecondFactor: false });
    });

  return {
    organization: async (orgId) => organizationOf(await store.organization(database.db, orgId)),
    changeOrganization: (orgId, changes, by) =>
      database.transaction(async (trx) => {
        const present = await store.organization(trx, orgId, 'lock');
        const { name = present.name, secondFactorRequired = present.secondFactorRequired } = changes;
        await rename(trx, present, name, by);
        await requireFactors(trx, present, secondFactorRequired, by);
        return organizationOf(await store.organization(trx, orgId));
      }),
    async list(orgId, page) {
      const read = (after: string | null, limit: number) => store.pageOfUsers(database.db, { orgId, after, limit });
      const { rows, ...next } = await readIdPage(page, read, ({ id }) => id);
      return { members: rows.map(memberOf), ...next };
    },
    async listAll() {
      const rows = await store.allUsers(database.db);
      return rows.map((row) => ({ ...memberOf(row), organization: row.organization }));
    },
    changeRole: (orgId, userId, role, by) =>
      change(orgId, userId, by, async (trx, user) => {
        await requireRole(trx, by, role);
        if (role !== 'owner') await keepAnOwner(trx, user);
        return memberOf(await setRole(trx, user, role, by));
      }),
    remove: (orgId, userId, by) =>
      change(orgId, userId, by, async (trx, user) => {
        await keepAnOwner(trx, user);
        await sessions.endAllOf(trx, { userId, orgId }, by);
        await store.updateUser(trx, user.id, { removedAt: new Date(now()) });
        await endInvitations(trx, user, null, by);
        const detail = { email: user.email, role: user.role };
        await recordAction(trx, by, { orgId, action: 'member.removed', subjectId: user.id, detail });
        return memberOf(user);
      }),
    resetSecondFactor,
    async resetSecondFactorOf(email) {
      const user = await store.userByEmail(database.db, requireEmail(email));
      if (!user) throw problems.member_not_found();
      return resetSecondFactor(user.orgId, user.id, null);
    },
    transfer: (orgId, userId, by) =>
      change(orgId, userId, by, async (trx, user) => {
        await requireRole(trx, by, 'owner');
        const owner = await setRole(trx, user, 'owner', by);
        const previous = by?.userId ? await store.lockUser(trx, by.userId) : null;
        if (previous && previous.id !== user.id) await setRole(trx, previous, 'admin', by);
        return memberOf(owner);
      }),
  };
}

type OrganizationRow = Awaited<ReturnType<typeof store.organization>>;
const organizationOf = ({ id, ...row }: OrganizationRow): Organization => ({ ...row, orgId: id });

const memberOf = (row: store.UserRow): Member => ({
  userId: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  joinedAt: row.createdAt,
  hasPassword: row.passwordHash !== null,
  hasSso: row.ssoSubject !== null,
  hasSecondFactor: row.hasSecondFactor,
});
