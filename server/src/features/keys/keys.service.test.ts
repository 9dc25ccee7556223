import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Accounts, createAccounts, type Owner } from '#features/accounts/index';
import { openDatabase } from '#platform/db/database';
import type { Database } from '#platform/db/index';
import { createLog } from '#platform/log';
import { openTestDatabase } from '#test/database/test-database';
import { createKeys, type Keys } from './index.ts';

const log = createLog('silent');
const UNKNOWN = `sk_${'u'.repeat(48)}`;

let database: Database;
let accounts: Accounts;
let keys: Keys;
let owner: Owner;
let close: () => Promise<void>;
/** The keys room's clock, which tests turn. */
let clock = Date.now();

beforeAll(async () => {
  ({ database, close } = await openTestDatabase());
  accounts = createAccounts({ database });
  keys = createKeys({ database, log, now: () => clock });
  owner = await database.transaction((trx) => accounts.bootstrap(trx));
});
afterAll(async () => {
  await keys.close();
  await close();
});

const code = (promise: Promise<unknown>) => promise.then(() => 'ok').catch((error) => `${error.status} ${error.code}`);
const stored = (id: string) =>
  database.db.selectFrom('apiKeys').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('the first key', () => {
  const bootstrap = (operatorKey: string | null) =>
    database.transaction(async (trx) => keys.bootstrap(trx, await accounts.bootstrap(trx), operatorKey));

  test('is created once by nodes that start concurrently, and has all scopes', async () => {
    const made = (await Promise.all([1, 2, 3].map(() => bootstrap(null)))).filter((key) => key !== null);
    expect(made).toHaveLength(1);
    expect(await keys.authenticate(made[0]!)).toMatchObject({ ...owner, scopes: ['read', 'write', 'admin'] });
    expect(await bootstrap(null)).toBeNull();
  });

  test('of the operator works after each start, until it is revoked', async () => {
    const operatorKey = `sk_${'Operator0'.repeat(5)}`;
    expect([await bootstrap(operatorKey), await bootstrap(operatorKey)]).toEqual([null, null]);
    const { keyId } = await keys.authenticate(operatorKey);
    await keys.revoke(owner.orgId, keyId!);
    await bootstrap(operatorKey);
    expect(await code(keys.authenticate(operatorKey))).toBe('401 key_revoked');
  });
});

test('a key is shown once: neither it nor anything that leads to it is stored', async () => {
  const { key, record } = await keys.create({ ...owner, name: '  robot  ' });
  expect(key).toMatch(/^sk_[A-Za-z0-9]{48}$/);
  expect(record).toMatchObject({ name: 'robot', prefix: key.slice(0, 8), scopes: ['read', 'write'], status: 'active' });
  expect(record.expiresAt.getTime() - clock).toBe(90 * 86_400_000);
  const [{ text }] = (
    await sql<{ text: string }>`select string_agg(k::text, '') as text from api_keys k`.execute(database.db)
  ).rows as [{ text: string }];
  expect(text).not.toContain(key.slice(8));
});

test('letters and digits of keys come about equally often', async () => {
  const counts = new Map<string, number>();
  for (let i = 0; i < 40; i++) {
    const { key } = await keys.create({ ...owner, name: 'count' });
    for (const letter of key.slice(3)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  // 1,920 letters over 62: each is expected 31 times; the bounds are six standard deviations away.
  expect(counts.size).toBe(62);
  expect(Math.max(...counts.values())).toBeLessThan(65);
});

test.each([
  ['', '403 key_malformed'],
  ['sk_short', '403 key_malformed'],
  [`pk_${'u'.repeat(48)}`, '403 key_malformed'],
  [`sk_${'ü'.repeat(48)}`, '403 key_malformed'],
  [`sk_${'u'.repeat(4_000)}`, '403 key_malformed'],
  [`${UNKNOWN}\n`, '403 key_malformed'],
  [UNKNOWN, '401 key_unknown'],
])('%j is refused', async (token, expected) => {
  expect(await code(keys.authenticate(token))).toBe(expected);
});

test('a new key works at once, even if it was tried before it was created', async () => {
  expect(await code(keys.authenticate(UNKNOWN))).toBe('401 key_unknown');
  const { key } = await keys.create({ ...owner, name: 'new' });
  expect(await code(keys.authenticate(key))).toBe('ok');
});

test('a key expires exactly on time, even if it was just checked', async () => {
  const { key, record } = await keys.create({ ...owner, name: 'short', expiresInDays: 1 });
  const made = clock;
  clock = record.expiresAt.getTime() - 1;
  expect(await code(keys.authenticate(key))).toBe('ok');
  clock = record.expiresAt.getTime();
  expect(await code(keys.authenticate(key))).toBe('401 key_expired');
  const listed = (await keys.list(owner.orgId)).find((k) => k.keyId === record.keyId);
  expect(listed?.status).toBe('inactive');
  clock = made;
});

test.each([
  [{ name: ' ' }, 'name'],
  [{ name: 'x'.repeat(101) }, 'name'],
  [{ name: 'a', scopes: [] }, 'scopes'],
  [{ name: 'a', scopes: ['root'] }, '"root"'],
  [{ name: 'a', expiresInDays: 0 }, 'days'],
  [{ name: 'a', expiresInDays: 1.5 }, 'days'],
  [{ name: 'a', expiresInDays: 3_651 }, '3650'],
])('%j makes no key', async (wish, word) => {
  const refused = keys.create({ ...owner, ...wish });
  await expect(refused).rejects.toMatchObject({
    status: 400,
    code: 'key_request_invalid',
    message: expect.stringContaining(word),
  });
});

describe('revoking', () => {
  test('holds at once here and within moments on another node that had just checked the key', async () => {
    const otherDatabase = openDatabase(database.connection, log);
    const other = createKeys({ database: otherDatabase, log });
    const { key, record } = await keys.create({ ...owner, name: 'to revoke' });
    // The clock by which cached keys expire stands still: only the message of this node removes the key there.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    // The second check makes sure that the other node listens and has cached the key.
    for (let i = 0; i < 3; i++) await other.authenticate(key);
    await keys.authenticate(key);
    const revoked = await keys.revoke(owner.orgId, record.prefix);
    expect([revoked.keyId, revoked.status]).toEqual([record.keyId, 'inactive']);
    expect(await code(keys.authenticate(key))).toBe('401 key_revoked');
    await expect.poll(() => code(other.authenticate(key)), { interval: 5 }).toBe('401 key_revoked');
    clock.mockRestore();
    await other.close();
    await otherDatabase.close();
  });

  test('holds within a second and a bit on a node that hears nothing', async () => {
    const deaf = createKeys({ database: { ...database, listen: async () => () => {} }, log });
    const { key, record } = await keys.create({ ...owner, name: 'to revoke' });
    for (let i = 0; i < 3; i++) await deaf.authenticate(key);
    await keys.revoke(owner.orgId, record.keyId);
    expect(await code(deaf.authenticate(key))).toBe('ok');
    await expect.poll(() => code(deaf.authenticate(key)), { timeout: 1_500, interval: 20 }).toBe('401 key_revoked');
    await deaf.close();
  });

  test('is final, and of unknown keys an error', async () => {
    const { record } = await keys.create({ ...owner, name: 'twice' });
    const first = await keys.revoke(owner.orgId, record.keyId);
    clock += 5_000;
    expect((await keys.revoke(owner.orgId, record.keyId)).revokedAt).toEqual(first.revokedAt);
    expect(await code(keys.revoke(owner.orgId, 'nothing'))).toBe('404 key_not_found');
    expect(await code(keys.revoke('another organization', record.keyId))).toBe('403 key_forbidden');
  });

  test('by a prefix that two keys share is refused', async () => {
    const made = await Promise.all([1, 2].map((n) => keys.create({ ...owner, name: `twin ${n}` })));
    const ids = made.map(({ record }) => record.keyId);
    await database.db.updateTable('apiKeys').set({ prefix: 'sk_twins' }).where('id', 'in', ids).execute();
    expect(await code(keys.revoke(owner.orgId, 'sk_twins'))).toBe('409 key_prefix_ambiguous');
  });
});

test('the last use is known to a minute, at one write a minute', async () => {
  const { key, record } = await keys.create({ ...owner, name: 'used' });
  const start = clock;
  const lastUsed = async () => (await stored(record.keyId)).lastUsedAt?.getTime() ?? null;
  expect(await lastUsed()).toBeNull();
  await keys.authenticate(key);
  await expect.poll(lastUsed).toBe(start);
  clock = start + 59_000;
  await keys.authenticate(key);
  clock = start + 60_000;
  await keys.authenticate(key);
  await expect.poll(lastUsed).toBe(start + 60_000);
  const { xmin } = await database.db
    .selectFrom('apiKeys')
    .select(sql<string>`xmin::text`.as('xmin'))
    .where('id', '=', record.keyId)
    .executeTakeFirstOrThrow();
  for (let i = 0; i < 50; i++) await keys.authenticate(key);
  clock = start;
  const after = await database.db
    .selectFrom('apiKeys')
    .select(sql<string>`xmin::text`.as('xmin'))
    .where('id', '=', record.keyId)
    .executeTakeFirstOrThrow();
  expect(after.xmin).toBe(xmin);
});

test('a list shows the newest first and only the organization’s own', async () => {
  const { record } = await keys.create({ ...owner, name: 'newest' });
  const listed = await keys.list(owner.orgId);
  expect(listed[0]).toEqual(record);
  expect(await keys.list('another organization')).toEqual([]);
});
