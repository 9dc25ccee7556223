import { type Actor, type Place, recordAction } from '#features/audit/index';
import type { Database, Transaction } from '#platform/db/index';
import { httpProblems } from '#platform/http/index';
import { ID_PATTERN, newId } from '#platform/ids';
import { requireEmail } from '../email.ts';
import { requireName } from '../names.ts';
import type { Passwords } from '../passwords.ts';
import { problems } from '../problems.ts';
import { type Role, requireRank } from '../roles.ts';
import type { Sessions, Started } from '../sessions/service.ts';
import * as users from '../store.ts';
import { digestOf, newToken } from '../token.ts';
import * as store from './store.ts';

const DAY_MS = 86_400_000;
const PASSWORD_LINK_DAYS = 1;
const INVITATION_DAYS = 7;
/** Links that can no longer be followed are kept this long. */
const KEEP_DAYS = 30;

/** An open invitation, as lists show it: never its link. */
export type Invitation = {
  id: string;
  email: string;
  role: Role;
  invitedBy: string | null;
  createdAt: Date;
  expiresAt: Date;
};

export interface Links {
  /**
   * Invites an address to an organisation; an earlier invitation of the same address ends. `url` is shown once: only a digest of it is stored.
   * `made` runs in the transaction that makes it. Throws `email_invalid` (400), `email_taken` (409), `owner_needed` (403).
   */
  invite(
    orgId: string,
    given: { email: string; role: Role; days?: number },
    by: Actor,
    made?: (trx: Transaction, id: string) => Promise<void>,
  ): Promise<{ invitation: Invitation; url: string }>;
  /** Open invitations, newest first. Throws `cursor_invalid` (400). */
  list(
    orgId: string,
    page: { limit: number; cursor?: string | null },
  ): Promise<{ invitations: Invitation[]; nextCursor: string | null }>;
  /** Throws `invitation_not_found` (404). */
  revoke(orgId: string, id: string, by: Actor): Promise<void>;
  /**
   * Follows a link: sets the password of its user, or makes the user it invites, and begins a session. Each link works once. Throws
   * `link_invalid`, `password_weak`, `email_invalid`, `name_invalid` (400) or `email_taken` (409).
   */
  accept(
    given: { token: string; password: string; name?: string | null; email?: string | null },
    place: Place,
  ): Promise<Started>;
  /**
   * The operator's way in: a link by which a user, given by address or by id, chooses a password. Earlier ones end. Throws `email_invalid` (400) or
   * `member_not_found` (404).
   */
  passwordLink(trx: Transaction, who: string | { userId: string }): Promise<string>;
  /** The operator makes an organisation; the link makes whoever follows it its owner. */
  createOrganization(given: { name: string; email: string }): Promise<{ orgId: string; url: string }>;
  /** Removes links that ended long ago; returns how many. */
  purge(): Promise<number>;
}

export type LinksDeps = {
  database: Database;
  passwords: Passwords;
  sessions: Sessions;
  publicUrl: string;
  now: () => number;
};

export function createLinks({ database, passwords, sessions, publicUrl, now }: LinksDeps): Links {
  const at = () => new Date(now());

  /** The secret stands after the `#`, which browsers keep to themselves: no log and no other site gets to see it. */
  async function insert(trx: Transaction, row: Omit<store.NewLinkRow, 'id' | 'hash' | 'expires_at'>, days: number) {
    const { token, hash } = newToken();
    const link = { ...row, id: newId(), expires_at: new Date(now() + days * DAY_MS) };
    await store.insertLink(trx, { ...link, hash });
    return { link, url: `${publicUrl}/welcome?${row.kind}#${token}` };
  }

  async function insertInvitation(
    trx: Transaction,
    orgId: string,
    { email, role, days }: { email: string; role: Role; days: number },
    by: Actor,
  ) {
    await store.revokeInvitationsOf(trx, orgId, email, at());
    const createdBy = by?.userId ?? null;
    const row = { org_id: orgId, kind: 'invitation', user_id: null, email, role, created_by: createdBy } as const;
    const { link, url } = await insert(trx, row, days);
    const detail = { email, role, expires_at: link.expires_at.toISOString() };
    await recordAction(trx, by, { orgId, action: 'invitation.created', subjectId: link.id, detail });
    const invitation = { id: link.id, email, role, invitedBy: createdBy, createdAt: at(), expiresAt: link.expires_at };
    return { invitation, url };
  }

  async function join(trx: Transaction, link: store.LinkRow, { name, hash }: { name: string; hash: string }) {
    const user = await users.insertUserOnce(trx, {
      id: newId(),
      org_id: link.org_id,
      email: link.email!,
      name,
      role: link.role!,
      password_hash: hash,
    });
    if (!user) throw problems.email_taken();
    return user;
  }

  async function setPassword(
    trx: Transaction,
    link: store.LinkRow,
    { hash, ...change }: { hash: string; email?: string; name?: string },
    place: Place,
  ) {
    const user = await users.lockUser(trx, link.user_id!);
    if (!user) throw problems.link_invalid();
    const other = change.email === undefined ? null : await users.userByEmail(trx, change.email);
    if (other && other.id !== user.id) throw problems.email_taken();
    await users.updateUser(trx, user.id, { password_hash: hash, ...change });
    const by = { userId: user.id, keyId: null, sessionId: null, ...place };
    await sessions.endAllOf(trx, { userId: user.id, orgId: user.org_id }, by);
    return { ...user, password_hash: hash, ...change };
  }

  return {
    async invite(orgId, { email: address, role, days = INVITATION_DAYS }, by, made) {
      const email = requireEmail(address);
      return database.transaction(async (trx) => {
        // Whoever makes them less than they are waits, or is waited for.
        await users.organization(trx, orgId, 'lock');
        await requireRank(trx, by, role);
        if ((await users.userByEmail(trx, email))?.org_id === orgId) throw problems.email_taken();
        const invited = await insertInvitation(trx, orgId, { email, role, days }, by);
        await made?.(trx, invited.invitation.id);
        return invited;
      });
    },
    async list(orgId, { limit, cursor }) {
      if (cursor && !new RegExp(ID_PATTERN).test(cursor)) throw httpProblems.cursor_invalid();
      const page = { orgId, before: cursor ?? null, limit: limit + 1, at: at() };
      const found = await store.pageOfInvitations(database.db, page);
      const invitations = found.slice(0, limit).map(invitationOf);
      return { invitations, nextCursor: found.length > limit ? invitations.at(-1)!.id : null };
    },
    async revoke(orgId, id, by) {
      await database.transaction(async (trx) => {
        const email = await store.revokeInvitation(trx, orgId, id, at());
        if (email === null) throw problems.invitation_not_found();
        await recordAction(trx, by, { orgId, action: 'invitation.revoked', subjectId: id, detail: { email } });
      });
    },
    async accept({ token, password, name, email }, place) {
      // Looked at before the password is hashed: the expensive part is for those who hold a link.
      const link = await store.linkByDigest(database.db, digestOf(token), at());
      const user = link?.user_id ? await users.userById(database.db, link.user_id) : null;
      if (!link || (link.user_id && !user)) throw problems.link_invalid();
      const chosen = link.kind === 'setup' && email ? requireEmail(email) : undefined;
      const address = chosen ?? user?.email ?? link.email!;
      const called = name ? requireName(name) : undefined;
      const hash = await passwords.hash(password, address);
      return database.transaction(async (trx) => {
        if (!(await store.useLink(trx, link.id, at()))) throw problems.link_invalid();
        const invited = link.kind === 'invitation';
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
        await recordAction(trx, by, { orgId: person.org_id, action, subjectId: person.id, detail });
        return sessions.start(trx, person, 'link', place);
      });
    },
    async passwordLink(trx, who) {
      const user =
        typeof who === 'string'
          ? await users.userByEmail(trx, requireEmail(who))
          : await users.userById(trx, who.userId);
      if (!user) throw problems.member_not_found();
      // Who never signed in is the owner of the first start, and has no address of their own yet.
      const kind = user.password_hash === null && user.sso_subject === null ? 'setup' : 'reset';
      await store.revokeLinksOf(trx, user.id, at());
      const row = { org_id: user.org_id, kind, user_id: user.id, email: null, role: null, created_by: null } as const;
      const { link, url } = await insert(trx, row, PASSWORD_LINK_DAYS);
      const detail = { kind, expires_at: link.expires_at.toISOString() };
      await recordAction(trx, null, {
        orgId: user.org_id,
        action: 'password_link.created',
        subjectId: user.id,
        detail,
      });
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

const invitationOf = (link: store.LinkRow): Invitation => ({
  id: link.id,
  email: link.email!,
  role: link.role!,
  invitedBy: link.created_by,
  createdAt: link.created_at,
  expiresAt: link.expires_at,
});
