import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { createCookies, SESSION_COOKIE } from './cookies.ts';
import { problems } from './problems.ts';
import { requireSameOrigin } from './same-origin.ts';
import type { Caller, Scope } from './types.ts';

/** How people who signed in are known. */
export type SessionsOfPeople = {
  /** Address of the service: requests in a session that change something must come from its pages. */
  publicUrl: string;
  /** Resolves the cookie's value to its caller; throws `session_ended` (401). */
  authenticate(token: string): Promise<Caller>;
};

/**
 * Finds out who sends a request: by its key, else by the cookie of a session. A key that is sent counts, also where a cookie is sent with it.
 * For `session` routes only the cookie does: `session_needed` (403).
 */
export function createAuthentication(
  authenticate: (key: string) => Promise<Caller>,
  sessions: SessionsOfPeople | undefined,
) {
  const cookies = sessions && createCookies(sessions.publicUrl);
  return async (request: FastifyRequest, scope: Scope | 'any' | 'session'): Promise<Caller> => {
    const { headers } = request;
    const keyless = headers.authorization === undefined && headers['x-api-key'] === undefined;
    const token = keyless ? cookies?.read(headers, SESSION_COOKIE) : undefined;
    if (token) {
      requireSameOrigin(request, sessions!.publicUrl);
      return sessions!.authenticate(token);
    }
    if (scope === 'session') throw problems.session_needed();
    return authenticate(keyOf(headers));
  };
}

/**
 * The key of a request: `Authorization: Bearer K`, `X-API-Key: K`, or both when they agree.
 * Throws `key_missing`, `key_malformed` or `key_ambiguous` (403). Whether it is a key of ours is for the keys room to say.
 */
export function keyOf(headers: IncomingHttpHeaders): string {
  const authorization = headers.authorization;
  const direct = headers['x-api-key'];
  if (authorization === undefined && direct === undefined) throw problems.key_missing();
  const bearer = authorization === undefined ? undefined : /^Bearer +([^\s,]+) *$/i.exec(authorization)?.[1];
  if (authorization !== undefined && bearer === undefined) {
    // An empty header is no key rather than a bad one; either way it is 403.
    throw authorization.trim() === '' ? problems.key_missing() : problems.key_malformed();
  }
  const own = typeof direct === 'string' ? direct.trim() : undefined;
  if (own === '') throw problems.key_missing();
  if (bearer !== undefined && own !== undefined && bearer !== own) throw problems.key_ambiguous();
  return (bearer ?? own)!;
}

/** What the caller is known by: the id of the key, or of the session. */
export const credentialOf = ({ keyId, sessionId }: Caller): string => keyId ?? sessionId!;

/** Whether the caller's key, or role, covers `needed`; `admin` covers everything. */
export function covers(caller: Caller, needed: Scope): boolean {
  return caller.scopes.includes(needed) || caller.scopes.includes('admin');
}

/** Whether the caller's key reaches what lies in this folder, or, with null, in none: a key may be limited to one. */
export function reaches({ folderId: only }: Pick<Caller, 'folderId'>, folderId: string | null): boolean {
  return only === undefined || only === folderId;
}

/** Throws `scope_missing` (403) naming the needed scope. */
export function requireScope(caller: Caller, needed: Scope): void {
  if (covers(caller, needed)) return;
  if (caller.sessionId) {
    throw problems.scope_missing(`This operation needs the scope "${needed}", which your role does not have.`);
  }
  throw problems.scope_missing(
    `This operation needs a key with the scope "${needed}"; this key has ${caller.scopes.map((s) => `"${s}"`).join(' and ') || 'none'}.`,
  );
}
