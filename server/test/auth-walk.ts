import type { People } from '#features/accounts/index';
import type { Role } from '#features/accounts/roles';
import { insertUserOnce } from '#features/accounts/store';
import type { Keys } from '#features/keys/index';
import type { Database } from '#platform/db/index';
import { type Scope, SESSION_COOKIE } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Client } from './http.ts';

type Document = {
  paths: Record<
    string,
    Record<
      string,
      { operationId?: string; 'x-scope'?: Scope | 'any' | 'session' | 'public'; 'x-any-session'?: boolean }
    >
  >;
};

/** One key of every kind that a route must tell apart. */
export type WalkKeys = Record<'read' | 'write' | 'readWrite' | 'admin' | 'expired' | 'revoked', string>;

export async function createWalkKeys(
  database: Database,
  keys: Keys,
  owner: { orgId: string; userId: string },
): Promise<WalkKeys> {
  const make = async (name: string, ...scopes: Scope[]) => keys.create({ ...owner, name, scopes });
  const expired = await make('expired', 'admin');
  const past = new Date(Date.now() - 1000);
  await database.db.updateTable('api_keys').set({ expires_at: past }).where('id', '=', expired.record.id).execute();
  const revoked = await make('revoked', 'admin');
  await keys.revoke(owner.orgId, revoked.record.id);
  return {
    read: (await make('read', 'read')).key,
    write: (await make('write', 'write')).key,
    readWrite: (await make('read and write', 'read', 'write')).key,
    admin: (await make('admin', 'admin')).key,
    expired: expired.key,
    revoked: revoked.key,
  };
}

/** Signs a new person of this role in, in a browser of their own; returns the value of its cookie. */
export type WalkSessions = (role: Role) => Promise<string>;

export function createWalkSessions(database: Database, people: People, { orgId }: { orgId: string }): WalkSessions {
  return (role) =>
    database.transaction(async (trx) => {
      const id = newId();
      const user = await insertUserOnce(trx, { id, org_id: orgId, email: `${id}@example.com`, name: role, role });
      const place = { address: '127.0.0.1', userAgent: null };
      return (await people.sessions.start(trx, user!, 'password', place)).token;
    });
}

const LACKING = { read: 'write', write: 'read', admin: 'readWrite' } as const;
const ENOUGH = { any: 'write', read: 'read', write: 'write', admin: 'admin' } as const;

/**
 * Walks every operation of the OpenAPI document with every kind of key, and in every kind of session, and says, in sentences, where the answer is
 * not what it must be. Requests carry no body and ids that do not exist. `walked` says how many operations took a key or a session.
 */
export async function walkAuthentication(client: Client, document: Document, keys: WalkKeys, sessions?: WalkSessions) {
  const wrong: string[] = [];
  let walked = 0;
  for (const [path, operations] of Object.entries(document.paths)) {
    const url = path.replace(/\{[^}]+\}/g, '0'.repeat(32));
    for (const [method, operation] of Object.entries(operations)) {
      const scope = operation['x-scope'];
      if (scope === undefined) wrong.push(`${method} ${path} does not say its scope`);
      if (scope === undefined || scope === 'public') continue;
      walked++;
      if (sessions) wrong.push(...(await walkSessions(client, { method, path, url, operation }, sessions)));
      if (scope === 'session') {
        for (const key of [undefined, 'sk_short', ...Object.values(keys)]) {
          const { status, json } = await client.call(method.toUpperCase(), url, { key });
          if (status === 403 && json.error === 'session_needed') continue;
          wrong.push(`${method} ${path} with the key ${key} and no session: ${status} ${json.error}`);
        }
        continue;
      }
      const expectations: [string, string | undefined, number, string][] = [
        ['no key', undefined, 403, 'key_missing'],
        ['a malformed key', 'sk_short', 403, 'key_malformed'],
        ['an unknown key', `sk_${'u'.repeat(48)}`, 401, 'key_unknown'],
        ['an expired key', keys.expired, 401, 'key_expired'],
        ['a revoked key', keys.revoked, 401, 'key_revoked'],
      ];
      if (scope !== 'any') expectations.push(['too small a scope', keys[LACKING[scope]], 403, 'scope_missing']);
      for (const [what, key, status, error] of expectations) {
        const answer = await client.call(method.toUpperCase(), url, { key });
        // An answer to HEAD has no body to say more in.
        const says = answer.json.error === error && typeof answer.json.detail === 'string';
        if (answer.status === status && (says || method === 'head')) continue;
        wrong.push(`${method} ${path} with ${what}: ${answer.status} ${answer.json.error}, not ${status} ${error}`);
      }
      const allowed = await client.call(method.toUpperCase(), url, { key: keys[ENOUGH[scope]] });
      if ([401, 403].includes(allowed.status) || allowed.status >= 500) {
        wrong.push(`${method} ${path} with a key that is enough: ${allowed.status} ${allowed.text}`);
      }
    }
  }
  return { wrong, walked };
}

type Step = { method: string; path: string; url: string; operation: Document['paths'][string][string] };

/** The same for sessions: each request is sent in a session of its own, since some end the session they are sent in. */
async function walkSessions(client: Client, { method, path, url, operation }: Step, signIn: WalkSessions) {
  const wrong: string[] = [];
  const send = async (token: string, origin: string) => {
    const headers = { cookie: `${SESSION_COOKIE}=${token}`, origin };
    return client.call(method.toUpperCase(), url, { headers });
  };
  const expect = (what: string, { status, json }: Awaited<ReturnType<typeof send>>, expected: [number, string]) => {
    if (status === expected[0] && (json.error === expected[1] || method === 'head')) return;
    wrong.push(`${method} ${path} ${what}: ${status} ${json.error}, not ${expected.join(' ')}`);
  };
  expect('in a session that nobody began', await send('x'.repeat(43), client.base), [401, 'session_ended']);
  if (!['get', 'head'].includes(method)) {
    expect('from another site', await send(await signIn('owner'), 'https://evil.example'), [403, 'cross_site']);
  }
  const forAll = operation['x-scope'] !== 'admin' || operation['x-any-session'];
  if (!forAll)
    expect('in the session of a member', await send(await signIn('member'), client.base), [403, 'scope_missing']);
  for (const role of forAll ? (['member', 'owner'] as const) : (['admin', 'owner'] as const)) {
    const { status, text } = await send(await signIn(role), client.base);
    if ([401, 403].includes(status) || status >= 500) wrong.push(`${method} ${path} as ${role}: ${status} ${text}`);
  }
  return wrong;
}
