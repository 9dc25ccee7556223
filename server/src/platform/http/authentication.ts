import type { IncomingHttpHeaders } from 'node:http';
import { problems } from './problems.ts';
import type { Caller, Scope } from './types.ts';

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

/** Whether the caller's key covers `needed`; `admin` covers everything. */
export function covers(caller: Caller, needed: Scope): boolean {
  return caller.scopes.includes(needed) || caller.scopes.includes('admin');
}

/** Whether the caller's key reaches what lies in this folder, or, with null, in none: a key may be limited to one. */
export function reaches({ folderId: only }: Caller, folderId: string | null): boolean {
  return only === undefined || only === folderId;
}

/** Throws `scope_missing` (403) naming the needed scope. */
export function requireScope(caller: Caller, needed: Scope): void {
  if (covers(caller, needed)) return;
  throw problems.scope_missing(
    `This operation needs a key with the scope "${needed}"; this key has ${caller.scopes.map((s) => `"${s}"`).join(' and ') || 'none'}.`,
  );
}
