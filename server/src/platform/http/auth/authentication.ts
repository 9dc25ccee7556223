import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { isAdmin } from '#platform/access/rules';
import { problems } from '../problems.ts';
import type { Caller, Scope } from '../types.ts';
import { createCookies, SESSION_COOKIE } from './cookies.ts';
import { requireSameOrigin } from './same-origin.ts';

/** Authenticates signed-in users. */
export type SessionAuthentication = {
  /** Address of the service: changes in a session must be requested from its pages. */
  publicUrl: string;
  /**
   * Resolves the value of the cookie to its caller. Throws `session_ended` (401), and `second_factor_required` (403)
   * where the user must set up a second factor first, unless `forEnrollment`.
   */
  authenticate(token: string, forEnrollment?: boolean): Promise<Caller>;
};

/**
 * Authenticates a request by its key, else by its session cookie. A key takes precedence over a cookie. `session`
 * routes accept only the cookie: `session_needed` (403).
 */
export function createAuthentication(
  authenticate: (key: string) => Promise<Caller>,
  sessions: SessionAuthentication | undefined,
) {
  const cookies = sessions && createCookies(sessions.publicUrl);
  return async (request: FastifyRequest, scope: Scope | 'any' | 'session', enrollment = false): Promise<Caller> => {
    const { headers } = request;
    const keyless = headers.authorization === undefined && headers['x-api-key'] === undefined;
    const token = keyless ? cookies?.read(headers, SESSION_COOKIE) : undefined;
    if (token) {
      requireSameOrigin(request, sessions!.publicUrl);
      return sessions!.authenticate(token, enrollment);
    }
    if (scope === 'session') throw problems.session_needed();
    return authenticate(keyOf(headers));
  };
}

/**
 * The key of a request: `Authorization: Bearer K`, `X-API-Key: K`, or both if they agree. Does not check that the key
 * exists. Throws `key_missing`, `key_malformed` or `key_ambiguous` (403).
 */
export function keyOf(headers: IncomingHttpHeaders): string {
  const authorization = headers.authorization;
  const direct = headers['x-api-key'];
  if (authorization === undefined && direct === undefined) throw problems.key_missing();
  const bearer = authorization === undefined ? undefined : /^Bearer +([^\s,]+) *$/i.exec(authorization)?.[1];
  if (authorization !== undefined && bearer === undefined) {
    // An empty header counts as a missing key, not as a malformed one; both are 403.
    throw authorization.trim() === '' ? problems.key_missing() : problems.key_malformed();
  }
  const own = typeof direct === 'string' ? direct.trim() : undefined;
  if (own === '') throw problems.key_missing();
  if (bearer !== undefined && own !== undefined && bearer !== own) throw problems.key_ambiguous();
  return (bearer ?? own)!;
}

/** Identifier of the credential: the id of the key, or of the session. */
export const credentialId = ({ keyId, sessionId }: Caller): string => keyId ?? sessionId!;

/** True if the key, or the role of the user, covers the scope; `admin` covers all scopes. */
export function hasScope(caller: Caller, needed: Scope): boolean {
  return caller.scopes.includes(needed) || isAdmin(caller);
}

/** Throws `scope_missing` (403) with the name of the scope. */
export function requireScope(caller: Caller, needed: Scope): void {
  if (hasScope(caller, needed)) return;
  if (caller.sessionId) {
    throw problems.scope_missing(`This operation needs the scope "${needed}", which your role does not have.`);
  }
  throw problems.scope_missing(
    `This operation needs a key with the scope "${needed}"; this key has ${caller.scopes.map((s) => `"${s}"`).join(' and ') || 'none'}.`,
  );
}
