import type { People } from '#features/accounts/index';
import type { Role } from '#features/accounts/roles';
import { insertUserOnce } from '#features/accounts/store';
import type { Keys } from '#features/keys/index';
import type { Database } from '#platform/db/index';
import { type Scope, SESSION_COOKIE } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { CallOptions, Client } from './http.ts';

type WalkScope = Scope | 'any' | 'session' | 'public';
type Operation = { operationId?: string; 'x-scope'?: WalkScope; 'x-any-session'?: boolean };
type Document = { paths: Record<string, Record<string, Operation>> };

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

/** The cookie of a person of this role who just signed in. */
export type WalkSessions = (role: Role) => Promise<string>;

export function createWalkSessions(database: Database, people: People, { orgId }: { orgId: string }): WalkSessions {
  return (role) =>
    database.transaction(async (trx) => {
      const id = newId();
      const user = await insertUserOnce(trx, { id, org_id: orgId, email: `${id}@example.com`, name: role, role });
      const place = { address: '127.0.0.1', userAgent: null };
      return `${SESSION_COOKIE}=${(await people.sessions.start(trx, user!, 'password', place)).token}`;
    });
}

const LACKING = { read: 'write', write: 'read', admin: 'readWrite' } as const;
const ENOUGH = { any: 'write', read: 'read', write: 'write', admin: 'admin' } as const;

/** One way to send a request, and how it must be refused; without `refused` it must be let in. */
type Try = { what: string; send: CallOptions; refused?: readonly [status: number, error: string] };

/**
 * Walks every operation of the OpenAPI document with every kind of key, and in every kind of session where there are any, and says, in sentences,
 * where the answer is not what it must be. Requests carry no body and ids that do not exist. `walked` says how many operations took a key or a session.
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
      const cookies = sessions ? await cookieTries(method, operation, client.base, sessions) : [];
      const tries = [...keyTries(scope, keys), ...cookies];
      const answers = await Promise.all(tries.map(({ send }) => client.call(method.toUpperCase(), url, send)));
      for (const [i, { status, json }] of answers.entries()) {
        const { what, refused } = tries[i]!;
        // An answer to HEAD has no body to say more in.
        const says = method === 'head' || (json.error === refused?.[1] && typeof json.detail === 'string');
        const right = refused ? status === refused[0] && says : ![401, 403, 500, 503].includes(status);
        if (!right) wrong.push(`${method} ${path} with ${what}: ${status} ${json.error}, not ${refused ?? 'let in'}`);
      }
    }
  }
  return { wrong, walked };
}

function keyTries(scope: Exclude<WalkScope, 'public'>, keys: WalkKeys): Try[] {
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

/** Each in a session of its own: some operations end the session they are asked for in. */
async function cookieTries(method: string, operation: Operation, origin: string, signIn: WalkSessions): Promise<Try[]> {
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
