import { table } from '@sightline/sdk/terminal';
import { createAccounts } from '#features/accounts/index';
import { type ApiKey, createKeys } from '#features/keys/index';
import { openConfiguredDatabase } from '#platform/db/connect';
import type { Context } from './types.ts';

export type NewKeyOptions = { name: string; scopes: string; days?: number; folder?: string };
type Rooms = { keys: ReturnType<typeof createKeys>; owner: { orgId: string; userId: string } };

/** Opens only the parts that these commands need. A service may run on the same data. */
async function withKeys({ config, log }: Context, work: (rooms: Rooms) => Promise<void>): Promise<void> {
  const database = await openConfiguredDatabase(config, log, { mode: 'share', poolSize: 2 });
  const keys = createKeys({ database, log, maxDays: config.maxKeyDays });
  try {
    const owner = await database.transaction((trx) => createAccounts({ database }).bootstrap(trx));
    await work({ keys, owner });
  } finally {
    await keys.close();
    await database.close();
  }
}

export function createKey(context: Context, { folder: folderId, ...options }: NewKeyOptions): Promise<void> {
  return withKeys(context, async ({ keys, owner }) => {
    const scopes = options.scopes.split(',').map((scope) => scope.trim());
    const { name, days: expiresInDays } = options;
    const { key, record } = await keys.create({ ...owner, name, scopes, expiresInDays, folderId });
    process.stdout.write(`${key}\n`);
    process.stderr.write(
      `This key is shown only once. Scopes ${record.scopes.join(', ')}; expires ${day(record.expiresAt)}.\n`,
    );
  });
}

export function listKeys(context: Context): Promise<void> {
  return withKeys(context, async ({ keys, owner }) => {
    const rows = (await keys.list(owner.orgId)).map(row);
    const head = ['id', 'name', 'prefix', 'scopes', 'created', 'expires', 'last used', 'status'];
    process.stdout.write(`${rows.length === 0 ? 'There are no keys.' : table(head, rows)}\n`);
  });
}

export function revokeKey(context: Context, idOrPrefix: string): Promise<void> {
  return withKeys(context, async ({ keys, owner }) => {
    const record = await keys.revoke(owner.orgId, idOrPrefix);
    process.stdout.write(`Revoked ${record.name} (${record.prefix}…). It cannot be reactivated.\n`);
  });
}

const day = (date: Date | null) => date?.toISOString().slice(0, 16).replace('T', ' ') ?? 'never';

function row(key: ApiKey): string[] {
  const { keyId, name, prefix, scopes, createdAt, expiresAt, lastUsedAt, status } = key;
  return [keyId, name, prefix, scopes.join(' '), day(createdAt), day(expiresAt), day(lastUsedAt), status];
}
