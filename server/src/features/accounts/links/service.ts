import { type AuditActor, type ClientInfo, recordAction } from '#features/audit/index';
import type { Database, Transaction } from '#platform/db/index';
import { readIdPage } from '#platform/http/index';
import { newId } from '#platform/ids';
import { requireEmail } from '../email.ts';
import { requireName } from '../names.ts';
import type { Passwords } from '../passwords.ts';
import { problems } from '../problems.ts';
import { requireRole } from '../roles.ts';
import type { Factors } from '../second-factor/factors.ts';
import type { Sessions, StartedSession } from '../sessions/service.ts';
import * as users from '../store.ts';
import { digestOf, newToken } from '../token.ts';
import type { Role } from '../types.ts';
import type { CreatedInvitation, Invitation, NewInvitation } from './schema.ts';
import * as store from './store.ts';

const DAY_MS = 86_400_000;
const PASSWORD_LINK_DAYS = 1;
const MAILED_LINK_DAYS = 1 / 24;
const INVITATION_DAYS = 7;
/** Days for which links that cannot be used any more are retained. */
const KEEP_DAYS = 30;

export interface Links {
  /**
   * Invites an address to an organization and revokes earlier invitations of that address. `url` is shown once: only
   * its digest is stored. `made` runs in the same transaction. Throws `email_invalid` (400), `email_taken` (409) or
   * `owner_needed` (403).
   */
  invite(
    orgId: string,
    given: NewInvitation,
    by: AuditActor,
    made?: (trx: Transaction, id: string) => Promise<void>,
  ): Promise<CreatedInvitation>;
  /** Open invitations, newest first. Throws `cursor_invalid` (400). */
  list(
    orgId: string,
    page: { limit: number; cursor?: string | null },
  ): Promise<{ invitations: Invitation[]; hasMore: boolean; nextCursor: string | null }>;
  /** Throws `invitation_not_found` (404), or `invitation_forbidden` (403) for one of another organization. */
  revoke(orgId: string, id: string, by: AuditActor): Promise<void>;
  /**
   * Uses a link: sets the password of its user, or creates the invited user, and starts a session. Each link works
   * once. A user with a second factor needs a code, too; without one the link stays valid. Throws `link_invalid`,
   * `password_weak`, `email_invalid`, `name_invalid` (400), `email_taken` (409), `second_factor_needed`
   * (401), `second_factor_wrong` (403) or `rate_limited` (429).
   */
  accept(
    given: { token: string; password: string; name?: string | null; email?: string | null; code?: string | null },
    place: ClientInfo,
  ): Promise<StartedSession>;
  /**
   * A link for a mail to the user, by which they set a new password within an hour. Earlier links stay valid: anybody
   * may request such a mail.
   */
  mailedLink(trx: Transaction, user: Pick<users.UserRow, 'id' | 'orgId'>, client: ClientInfo): Promise<string>;
  /**
   * Creates a link with which a user, given by address or id, chooses a password, and revokes earlier ones. For the
   * operator. Throws `email_invalid` (400) or `member_not_found` (404).
   */
  passwordLink(trx: Transaction, who: string | { userId: string }): Promise<string>;
  /** Creates an organization; the user of the link becomes its owner. For the operator. */
  createOrganization(given: { name: string; email: string }): Promise<{ orgId: string; url: string }>;
  /** Removes old links. Returns their number. */
  purge(): Promise<number>;
}

export type LinksDeps = {
  database: Database;
  passwords: Passwords;
  sessions: Sessions;
  factors: Factors;
  publicUrl: string;
  now: () => number;
};

export function createLinks({ database, passwords, sessions, factors, publicUrl, now }: LinksDeps): Links {
  const at = () => new Date(now());

  /**
   * The secret is in the fragment of the URL, which browsers do not send: it appears in no log and on no other site.
   */
  async function insert(trx: Transaction, row: Omit<store.NewLinkRow, 'id' | 'hash' | 'expiresAt'>, days: number) {
    const { token, hash } = newToken();
    const link = { ...row, id: newId(), expiresAt: new Date(now() + days * DAY_MS) };
    await store.insertLink(trx, { ...link, hash });
    return { link, url: `${publicUrl}/welcome?${row.kind}#${token}` };
  }

  async function insertInvitation(
    trx: Transaction,
    orgId: string,
    { email, role, days }: { email: string; role: Role; days: number },
    by: AuditActor,
  ): Promise<CreatedInvitation> {
    await store.revokeInvitationsOf(trx, orgId, email, at());
    const createdBy = by?.userId ?? null;
    const row = { orgId, kind: 'invitation', userId: null, email, role, createdBy } as const;
    const { link, url } = await insert(trx, row, days);
    const detail = { email, role, expires_at: link.expiresAt.toISOString() };
    await recordAction(trx, by, { orgId, action: 'invitation.created', subjectId: link.id, detail });
    const { id: invitationId, expiresAt } = link;
    return { url, invitationId, email, role, invitedBy: createdBy, createdAt: at(), expiresAt };
  }

  async function join(trx: Transaction, link: store.LinkRow, { name, hash }: { name: string; hash: string }) {
    const user = await users.insertUserOnce(trx, {
      id: newId(),
      orgId: link.orgId,
      email: link.email!,
      name,
      role: link.role!,
      passwordHash: hash,
    });
    if (!user) throw problems.email_taken();
    return user;
  }

  async function setPassword(
    trx: Transaction,
    link: store.LinkRow,
    { hash, ...change }: { hash: string; email?: string; name?: string },
    place: ClientInfo,
  ) {
    const user = await users.lockUser(trx, link.userId!);
    if (!user) throw problems.link_invalid();
    const other = change.email === undefined ? null : await users.userByEmail(trx, change.email);
    if (other && other.id !== user.id) throw problems.email_taken();
    await users.updateUser(trx, user.id, { passwordHash: hash, ...change });
    const by = { userId: user.id, keyId: null, sessionId: null, ...place };
    await sessions.endAllOf(trx, { userId: user.id, orgId: user.orgId }, by);
    // Others that were requested before would change it again.
    await store.revokeLinksOf(trx, user.id, at());
    return { ...user, passwordHash: hash, ...change };
  }

  return {
    async invite(orgId, { email: address, role, expiresInDays }, by, made) {
      const email = requireEmail(address);
      const days = expiresInDays ?? INVITATION_DAYS;
      return database.transaction(async (trx) => {
        // Serializes with changes of the inviter's role.
        await users.organization(trx, orgId, 'lock');
        await requireRole(trx, by, role);
        if ((await users.userByEmail(trx, email))?.orgId === orgId) throw problems.email_taken();
        const invited = await insertInvitation(trx, orgId, { email, role, days }, by);
        await made?.(trx, invited.invitationId);
        return invited;
      });
    },
    async list(orgId, page) {
      const read = (before: string | null, limit: number) =>
        store.pageOfInvitations(database.db, { orgId, before, limit, at: at() });
      const { rows, ...next } = await readIdPage(page, read, ({ id }) => id);
      return { invitations: rows.map(invitationOf), ...next };
    },
    async revoke(orgId, id, by) {
      await database.transaction(async (trx) => {
        const email = await store.revokeInvitation(trx, orgId, id, at());
        if (email === null) {
          const isForeign = await store.isForeignInvitation(trx, orgId, id);
          throw isForeign ? problems.invitation_forbidden() : problems.invitation_not_found();
        }
        await recordAction(trx, by, { orgId, action: 'invitation.revoked', subjectId: id, detail: { email } });
      });
    },
    async accept({ token, password, name, email, code = null }, place) {
      // Checked before the password is hashed, so that only holders of a link cause the expensive part.
      const link = await store.linkByDigest(database.db, digestOf(token), at());
      const user = link?.userId ? await users.userById(database.db, link.userId) : null;
      if (!link || (link.userId && !user)) throw problems.link_invalid();
      const chosen = link.kind === 'setup' && email ? requireEmail(email) : undefined;
      const address = chosen ?? user?.email ?? link.email!;
      const called = name ? requireName(name) : undefined;
      if (user && code !== null) await factors.admit(user.id, link.id);
      const hash = await passwords.hash(password, address);
      return database.transaction(async (trx) => {
        if (!(await store.useLink(trx, link.id, at()))) throw problems.link_invalid();
        const invited = link.kind === 'invitation';
        const proof = user ? await factors.prove(trx, user.id, code) : 'none';
        const person = invited
          ? await join(trx, link, { name: called ?? address.split('@')[0]!, hash })
          : await setPassword(
              trx,
              link,
              { hash, ...(chosen && { email: chosen }), ...(called && { name: called }) },
              place,
            );
        const action = invited ? 'member.joined' : 'password.set';
        const detail = invited ? { email: address, role: link.role, invitation_id: link.id } : { link: link.kind };
        const by = { userId: person.id, keyId: null, sessionId: null, ...place };
        await recordAction(trx, by, { orgId: person.orgId, action, subjectId: person.id, detail });
        return sessions.start(trx, person, 'link', place, proof);
      });
    },
    async passwordLink(trx, who) {
      const user =
        typeof who === 'string'
          ? await users.userByEmail(trx, requireEmail(who))
          : await users.userById(trx, who.userId);
      if (!user) throw problems.member_not_found();
      // A user who never signed in is the first owner, who has no address yet.
      const kind = user.passwordHash === null && user.ssoSubject === null ? 'setup' : 'reset';
      await store.revokeLinksOf(trx, user.id, at());
      const row = { orgId: user.orgId, kind, userId: user.id, email: null, role: null, createdBy: null } as const;
      const { link, url } = await insert(trx, row, PASSWORD_LINK_DAYS);
      const detail = { kind, expires_at: link.expiresAt.toISOString() };
      await recordAction(trx, null, {
        orgId: user.orgId,
        action: 'password_link.created',
        subjectId: user.id,
        detail,
      });
      return url;
    },
    async mailedLink(trx, { id, orgId }, client) {
      const row = { orgId, kind: 'reset', userId: id, email: null, role: null, createdBy: null } as const;
      const { link, url } = await insert(trx, row, MAILED_LINK_DAYS);
      const detail = { kind: 'reset', mailed: true, expires_at: link.expiresAt.toISOString() };
      await recordAction(
        trx,
        { userId: null, keyId: null, sessionId: null, ...client },
        { orgId, action: 'password_link.created', subjectId: id, detail },
      );
      return url;
    },
    async createOrganization({ name, email }) {
      const organization = { id: newId(), name: requireName(name) };
      const given = { email: requireEmail(email), role: 'owner', days: INVITATION_DAYS } as const;
      return database.transaction(async (trx) => {
        await users.insertOrganization(trx, organization);
        const { url } = await insertInvitation(trx, organization.id, given, null);
        return { orgId: organization.id, url };
      });
    },
    purge: () => store.deleteLinksBefore(database.db, new Date(now() - KEEP_DAYS * DAY_MS)),
  };
}

/** Invitations have an address and a role; other links have a user. */
const invitationOf = ({ id, email, role, createdBy, ...link }: store.LinkRow): Invitation => ({
  ...link,
  invitationId: id,
  email: email!,
  role: role!,
  invitedBy: createdBy,
});
