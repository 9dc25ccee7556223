import type { People } from '#features/accounts/index';
import { insertUserOnce } from '#features/accounts/store';
import type { Role } from '#features/accounts/types';
import type { Keys } from '#features/keys/index';
import type { Database } from '#platform/db/index';
import { type Scope, SESSION_COOKIE } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { ApiClient, CallOptions } from '../http.ts';

type WalkScope = Scope | 'any' | 'session' | 'public';
type Operation = { operationId?: string; 'x-scope'?: WalkScope; 'x-any-session'?: boolean };
type Document = { paths: Record<string, Record<string, Operation>> };

/** One key of every kind that a route must distinguish. */
export type WalkKeys = Record<'read' | 'write' | 'readWrite' | 'admin' | 'expired' | 'revoked', string>;

export async function createWalkKeys(
  database: Database,
  keys: Keys,
  owner: { orgId: string; userId: string },
): Promise<WalkKeys> {
  const make = async (name: string, ...scopes: Scope[]) => keys.create({ ...owner, name, scopes });
  const expired = await make('expired', 'admin');
  const past = new Date(Date.now() - 1000);
  await database.db.updateTable('apiKeys').set({ expiresAt: past }).where('id', '=', expired.record.keyId).execute();
  const revoked = await make('revoked', 'admin');
  await keys.revoke(owner.orgId, revoked.record.keyId);
  return {
    read: (await make('read', 'read')).key,
    write: (await make('write', 'write')).key,
    readWrite: (await make('read and write', 'read', 'write')).key,
    admin: (await make('admin', 'admin')).key,
    expired: expired.key,
    revoked: revoked.key,
  };
}

/** Returns the session cookie of a new user with this role. */
export type WalkSessions = (role: Role) => Promise<string>;

export function createWalkSessions(database: Database, people: People, { orgId }: { orgId: string }): WalkSessions {
  return (role) =>
    database.transaction(async (trx) => {
      const id = newId();
      const user = await insertUserOnce(trx, { id, orgId, email: `${id}@example.com`, name: role, role });
      const place = { address: '127.0.0.1', userAgent: null };
      return `${SESSION_COOKIE}=${(await people.sessions.start(trx, user!, 'password', place, 'none')).token}`;
    });
}

const LACKING = { read: 'write', write: 'read', admin: 'readWrite' } as const;
const ENOUGH = { any: 'write', read: 'read', write: 'write', admin: 'admin' } as const;

/** One way to send a request and its expected refusal; without `refused` it must be accepted. */
type AccessAttempt = { what: string; send: CallOptions; refused?: readonly [status: number, error: string] };

/**
 * Sends a request to every operation of the OpenAPI document with every kind of key and session, without a body and
 * with unknown ids. Returns a message for each unexpected response, and the number of operations that need
 * authentication.
 */
export async function walkAuthentication(
  client: ApiClient,
  document: Document,
  keys: WalkKeys,
  sessions?: WalkSessions,
) {
  const wrong: string[] = [];
  let walked = 0;
  for (const [path, operations] of Object.entries(document.paths)) {
    const url = path.replace(/\{[^}]+\}/g, '0'.repeat(32));
    for (const [method, operation] of Object.entries(operations)) {
      const scope = operation['x-scope'];
      if (scope === undefined) wrong.push(`${method} ${path} does not say its scope`);
      if (scope === undefined || scope === 'public') continue;
      walked++;
      const cookies = sessions ? await cookieTries(method, operation, client.base, sessions) : [];
      const tries = [...keyTries(scope, keys), ...cookies];
      const answers = await Promise.all(
        tries.map(({ send }) => client.call(method.toUpperCase(), url, { ...send, headOfStream: true })),
      );
      for (const [i, { status, json }] of answers.entries()) {
        const { what, refused } = tries[i]!;
        // A response to HEAD has no body.
        const says = method === 'head' || (json.error === refused?.[1] && typeof json.detail === 'string');
        const right = refused ? status === refused[0] && says : ![401, 403, 500, 503].includes(status);
        if (!right) wrong.push(`${method} ${path} with ${what}: ${status} ${json.error}, not ${refused ?? 'let in'}`);
      }
    }
  }
  return { wrong, walked };
}

function keyTries(scope: Exclude<WalkScope, 'public'>, keys: WalkKeys): AccessAttempt[] {
  if (scope === 'session') {
    const all = { none: undefined, malformed: 'sk_short', ...keys };
    const refused = [403, 'session_needed'] as const;
    return Object.entries(all).map(([kind, key]) => ({ what: `${kind} for a key`, send: { key }, refused }));
  }
  return [
    { what: 'no key', send: {}, refused: [403, 'key_missing'] },
    { what: 'a malformed key', send: { key: 'sk_short' }, refused: [403, 'key_malformed'] },
    { what: 'an unknown key', send: { key: `sk_${'u'.repeat(48)}` }, refused: [401, 'key_unknown'] },
    { what: 'an expired key', send: { key: keys.expired }, refused: [401, 'key_expired'] },
    { what: 'a revoked key', send: { key: keys.revoked }, refused: [401, 'key_revoked'] },
    ...(scope === 'any'
      ? []
      : [{ what: 'too small a scope', send: { key: keys[LACKING[scope]] }, refused: [403, 'scope_missing'] as const }]),
    { what: 'a key that is enough', send: { key: keys[ENOUGH[scope]] } },
  ];
}

/** Each attempt has its own session: some operations end the current one. */
async function cookieTries(
  method: string,
  operation: Operation,
  origin: string,
  signIn: WalkSessions,
): Promise<AccessAttempt[]> {
  const inSession = async (role: Role, from = origin) => ({ headers: { cookie: await signIn(role), origin: from } });
  const memberToo = operation['x-scope'] !== 'admin' || operation['x-any-session'];
  const nobody = { headers: { cookie: `${SESSION_COOKIE}=${'x'.repeat(43)}`, origin } };
  return [
    { what: 'the cookie of no session', send: nobody, refused: [401, 'session_ended'] },
    ...(['get', 'head'].includes(method)
      ? []
      : [
          {
            what: 'the cookie, from another site',
            send: await inSession('owner', 'https://evil.example'),
            refused: [403, 'cross_site'] as const,
          },
        ]),
    {
      what: "a member's cookie",
      send: await inSession('member'),
      ...(memberToo ? {} : { refused: [403, 'scope_missing'] as const }),
    },
    { what: "an admin's cookie", send: await inSession('admin') },
  ];
}
