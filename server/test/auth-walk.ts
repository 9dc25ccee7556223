import type { Keys } from '#features/keys/index';
import type { Database } from '#platform/db/index';
import type { Scope } from '#platform/http/index';
import type { Client } from './http.ts';

type Document = {
  paths: Record<string, Record<string, { operationId?: string; 'x-scope'?: Scope | 'any' | 'public' }>>;
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

const LACKING = { read: 'write', write: 'read', admin: 'readWrite' } as const;
const ENOUGH = { any: 'write', read: 'read', write: 'write', admin: 'admin' } as const;

/**
 * Walks every operation of the OpenAPI document with every kind of key and says, in sentences, where the answer is not what it must be.
 * Requests carry no body and ids that do not exist. `walked` says how many operations took a key.
 */
export async function walkAuthentication(client: Client, document: Document, keys: WalkKeys) {
  const wrong: string[] = [];
  let walked = 0;
  for (const [path, operations] of Object.entries(document.paths)) {
    const url = path.replace(/\{[^}]+\}/g, '0'.repeat(32));
    for (const [method, operation] of Object.entries(operations)) {
      const scope = operation['x-scope'];
      if (scope === undefined) wrong.push(`${method} ${path} does not say its scope`);
      if (scope === undefined || scope === 'public') continue;
      walked++;
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
