import { type Actor, type Place, recordAction } from '#features/audit/index';
import type { SsoConfig } from '#platform/config/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Secrets } from '#platform/secrets/index';
import { emailOf } from '../email.ts';
import { invitationsOf, useLink } from '../links/store.ts';
import { requireName } from '../names.ts';
import { problems } from '../problems.ts';
import type { Sessions, Started } from '../sessions/service.ts';
import * as users from '../store.ts';
import type { Identity, Provider, Round } from './provider.ts';

/** How long someone may take at the provider. */
const ROUND_MS = 10 * 60_000;
const PURPOSE = 'sso round';

/** What the browser keeps in a cookie while it is at the provider. `session`: the one that the identity is to be linked to. */
type Kept = { round: Round; returnTo: string; session: string | null };

export interface Sso {
  /** Whether there is a provider. */
  offered: boolean;
  /**
   * Sends a browser to the provider: `url` is where, `kept` goes into a cookie until `expiresAt`. With a caller, the identity it comes back with is
   * linked to that account. Throws `sso_not_set_up` (404) or `sso_unavailable` (503).
   */
  begin(returnTo: string, caller?: Caller): Promise<{ url: string; kept: string; expiresAt: Date }>;
  /**
   * The way back. `query` is what the provider sent along, `caller` whoever is signed in in this browser. Begins a session, with `started` null where
   * an identity was linked to the caller's account. Throws an `sso_…` problem.
   */
  finish(
    given: { query: string; kept: string | undefined; caller: Caller | null },
    place: Place,
  ): Promise<{ started: Started | null; returnTo: string }>;
}

export type SsoDeps = {
  database: Database;
  sessions: Sessions;
  secrets: Secrets;
  /** Null: single sign-on is not set up. */
  provider: Provider | null;
  /** Whose addresses may join without an invitation, and as what. */
  welcome: Pick<SsoConfig, 'domains' | 'role'>;
  now: () => number;
};

export function createSso({ database, sessions, secrets, provider, welcome, now }: SsoDeps): Sso {
  const at = () => new Date(now());

  /** Where someone who is new here belongs: by their address's domain in the first organisation, else where they were invited to. */
  async function placeFor(trx: Transaction, email: string) {
    const first = await users.firstOwner(trx);
    const known = first && welcome.domains.includes(email.slice(email.lastIndexOf('@') + 1));
    // Who was removed comes back by invitation only.
    const home = known && !(await users.wasRemoved(trx, first.orgId, email)) ? first.orgId : null;
    // Who belongs somewhere is not led elsewhere by whoever invites their address, nor whom several invite: that takes the link.
    const [invitation, ...others] = await invitationsOf(trx, email, at(), home);
    if (others.length > 0) throw problems.sso_invitations_several();
    if (invitation && (await useLink(trx, invitation.id, at()))) {
      return { org_id: invitation.org_id, role: invitation.role!, invitation_id: invitation.id };
    }
    if (home === null) throw problems.sso_not_allowed();
    return { org_id: home, role: welcome.role };
  }

  async function join(trx: Transaction, identity: Identity, where: Place): Promise<users.UserRow> {
    const email = identity.email === null ? null : emailOf(identity.email);
    if (email === null) throw problems.sso_email_unverified();
    // Whoever made that account may not be who owns the address: the account's own password decides.
    if (await users.userByEmail(trx, email)) throw problems.sso_account_exists();
    const { org_id, role, ...invited } = await placeFor(trx, email);
    const user = await users.insertUserOnce(trx, {
      id: newId(),
      org_id,
      email,
      name: nameFor(identity, email),
      role,
      sso_issuer: identity.issuer,
      sso_subject: identity.subject,
    });
    if (!user) throw problems.sso_failed();
    const by = { userId: user.id, keyId: null, sessionId: null, ...where };
    const detail = { email, role, ...invited };
    await recordAction(trx, by, { orgId: org_id, action: 'member.joined', subjectId: user.id, detail });
    return user;
  }

  async function link(trx: Transaction, identity: Identity, caller: Caller, where: Place): Promise<void> {
    const user = await users.lockUser(trx, caller.userId);
    if (!user) throw problems.session_ended();
    const other = await users.userByIdentity(trx, identity.issuer, identity.subject);
    if (other?.id === user.id) return;
    if (other) throw problems.sso_linked_already();
    await users.updateUser(trx, user.id, { sso_issuer: identity.issuer, sso_subject: identity.subject });
    const by: Actor = { userId: user.id, keyId: null, sessionId: caller.sessionId ?? null, ...where };
    const detail = { issuer: identity.issuer, subject: identity.subject };
    await recordAction(trx, by, { orgId: user.org_id, action: 'sso.linked', subjectId: user.id, detail });
  }

  return {
    offered: provider !== null,
    async begin(returnTo, caller) {
      if (!provider) throw problems.sso_not_set_up();
      const { url, round } = await provider.begin();
      const expiresAt = new Date(now() + ROUND_MS);
      const kept: Kept = { round, returnTo, session: caller?.sessionId ?? null };
      const text = Buffer.from(JSON.stringify(kept)).toString('base64url');
      return { url: url.href, kept: `${text}.${secrets.sign(PURPOSE, text, expiresAt)}`, expiresAt };
    },
    async finish({ query, kept, caller }, place) {
      if (!provider) throw problems.sso_not_set_up();
      const { round, returnTo, session } = read(kept);
      // Linking was asked for in a session; in another, or after it ended, it does not happen.
      if (session !== null && session !== caller?.sessionId) throw problems.sso_failed();
      const identity = await provider.finish(query, round);
      const started = await database.transaction(async (trx) => {
        if (session !== null) return link(trx, identity, caller!, place).then(() => null);
        const known = await users.userByIdentity(trx, identity.issuer, identity.subject);
        return sessions.start(trx, known ?? (await join(trx, identity, place)), 'sso', place);
      });
      return { started, returnTo };
    },
  };

  /** What `begin` gave the browser to keep: signed, so that nobody can write a round of their own. */
  function read(kept: string | undefined): Kept {
    const [text = '', ...signature] = (kept ?? '').split('.');
    if (secrets.verify(PURPOSE, text, signature.join('.')) !== 'ok') throw problems.sso_failed();
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  }
}

function nameFor({ name }: Identity, email: string): string {
  try {
    return requireName(name ?? '');
  } catch {
    return email.split('@')[0]!;
  }
}
