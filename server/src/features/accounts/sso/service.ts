import { type AuditActor, type ClientInfo, recordAction } from '#features/audit/index';
import type { SsoConfig } from '#platform/config/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Secrets } from '#platform/secrets/index';
import { normalizeEmail } from '../email.ts';
import { listInvitationsOf, useLink } from '../links/store.ts';
import { requireName } from '../names.ts';
import { problems } from '../problems.ts';
import type { Sessions, StartedSession } from '../sessions/service.ts';
import * as users from '../store.ts';
import type { Challenge, Identity, Provider } from './provider.ts';

/** Maximum time between the redirect to the provider and the return. */
const SIGN_IN_MS = 10 * 60_000;
const PURPOSE = 'sso round';

/** Contents of the cookie until the browser returns. `session` is the session that the identity is to be linked to. */
type SignInState = { round: Challenge; returnTo: string; session: string | null };

export interface Sso {
  /** True if a provider is configured. */
  offered: boolean;
  /**
   * Starts a sign-in: `url` is the address at the provider, `state` the value of a cookie until `expiresAt`. With a
   * caller, the identity is linked to that account. Throws `sso_not_set_up` (404) or `sso_unavailable` (502).
   */
  begin(returnTo: string, caller?: Caller): Promise<{ url: string; state: string; expiresAt: Date }>;
  /**
   * Finishes a sign-in. `query` is what the provider sent, `caller` the signed-in user of this browser. Starts a
   * session; `started` is null if an identity was linked to the account of the caller. Throws an `sso_…` problem.
   */
  finish(
    given: { query: string; state: string | undefined; caller: Caller | null },
    place: ClientInfo,
  ): Promise<{ started: StartedSession | null; returnTo: string }>;
}

export type SsoDeps = {
  database: Database;
  sessions: Sessions;
  secrets: Secrets;
  /** Null: single sign-on is not set up. */
  provider: Provider | null;
  /** Domains whose users may join without an invitation, and their role. */
  welcome: Pick<SsoConfig, 'domains' | 'role'>;
  now: () => number;
};

export function createSso({ database, sessions, secrets, provider, welcome, now }: SsoDeps): Sso {
  const at = () => new Date(now());

  /**
   * Organization and role of a new user: by the domain of the address in the first organization, else by invitation.
   */
  async function placeFor(trx: Transaction, email: string) {
    const first = await users.firstOwner(trx);
    const known = first && welcome.domains.includes(email.slice(email.lastIndexOf('@') + 1));
    // A removed user returns by invitation only.
    const home = known && !(await users.wasRemoved(trx, first.orgId, email)) ? first.orgId : null;
    // An invitation elsewhere does not take a user away from the organization of their domain, and of several
    // invitations none is chosen: the user must follow a link.
    const [invitation, ...others] = await listInvitationsOf(trx, email, at(), home);
    if (others.length > 0) throw problems.sso_invitations_several();
    if (invitation && (await useLink(trx, invitation.id, at()))) {
      return { orgId: invitation.orgId, role: invitation.role!, invitation_id: invitation.id };
    }
    if (home === null) throw problems.sso_not_allowed();
    return { orgId: home, role: welcome.role };
  }

  async function join(trx: Transaction, identity: Identity, where: ClientInfo): Promise<users.UserRow> {
    const email = identity.email === null ? null : normalizeEmail(identity.email);
    if (email === null) throw problems.sso_email_unverified();
    // The creator of that account may not own the address, so its password is required.
    if (await users.userByEmail(trx, email)) throw problems.sso_account_exists();
    const { orgId, role, ...invited } = await placeFor(trx, email);
    const user = await users.insertUserOnce(trx, {
      id: newId(),
      orgId,
      email,
      name: nameFor(identity, email),
      role,
      ssoIssuer: identity.issuer,
      ssoSubject: identity.subject,
    });
    if (!user) throw problems.sso_failed();
    const by = { userId: user.id, keyId: null, sessionId: null, ...where };
    const detail = { email, role, ...invited };
    await recordAction(trx, by, { orgId, action: 'member.joined', subjectId: user.id, detail });
    return user;
  }

  async function link(trx: Transaction, identity: Identity, caller: Caller, where: ClientInfo): Promise<void> {
    const user = await users.lockUser(trx, caller.userId);
    if (!user) throw problems.session_ended();
    const other = await users.userByIdentity(trx, identity.issuer, identity.subject);
    if (other?.id === user.id) return;
    if (other) throw problems.sso_linked_already();
    await users.updateUser(trx, user.id, { ssoIssuer: identity.issuer, ssoSubject: identity.subject });
    const by: AuditActor = { userId: user.id, keyId: null, sessionId: caller.sessionId ?? null, ...where };
    const detail = { issuer: identity.issuer, subject: identity.subject };
    await recordAction(trx, by, { orgId: user.orgId, action: 'sso.linked', subjectId: user.id, detail });
  }

  return {
    offered: provider !== null,
    async begin(returnTo, caller) {
      if (!provider) throw problems.sso_not_set_up();
      const { url, challenge } = await provider.begin();
      const expiresAt = new Date(now() + SIGN_IN_MS);
      const content: SignInState = { round: challenge, returnTo, session: caller?.sessionId ?? null };
      const text = Buffer.from(JSON.stringify(content)).toString('base64url');
      return { url: url.href, state: `${text}.${secrets.sign(PURPOSE, text, expiresAt)}`, expiresAt };
    },
    async finish({ query, state, caller }, place) {
      if (!provider) throw problems.sso_not_set_up();
      const { round, returnTo, session } = read(state);
      // Linking requires the session in which it was started.
      if (session !== null && session !== caller?.sessionId) throw problems.sso_failed();
      const identity = await provider.finish(query, round);
      const started = await database.transaction(async (trx) => {
        if (session !== null) return link(trx, identity, caller!, place).then(() => null);
        const known = await users.userByIdentity(trx, identity.issuer, identity.subject);
        return sessions.start(trx, known ?? (await join(trx, identity, place)), 'sso', place, 'provider');
      });
      return { started, returnTo };
    },
  };

  /** Verifies the signature of the cookie from `begin`, so that nobody can forge one. */
  function read(state: string | undefined): SignInState {
    const [text = '', ...signature] = (state ?? '').split('.');
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
