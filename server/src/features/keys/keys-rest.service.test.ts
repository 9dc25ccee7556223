import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Owner } from '#features/accounts/index';
import type { Database } from '#platform/db/index';
import type { Scope } from '#platform/http/index';
import { newId } from '#platform/ids';
import { NO_MEDIA } from '#test/app';
import type { ApiClient } from '#test/http';
import { openLibrary, type TestLibrary } from '#test/library';
import type { Keys } from './index.ts';

/** Keys and the audit log over HTTP, on one database. */
let library: TestLibrary;
let database: Database;
let keys: Keys;
let owner: Owner;
let api: ApiClient;

type Shown = { key: string; key_id: string; prefix: string; status: string; name: string; expires_at: string };
type Entry = { event_id: string; action: string; subject_id: string; key_id: string | null; detail: object };

beforeAll(async () => {
  library = await openLibrary({ SIGHTLINE_MAX_KEY_DAYS: '120' }, { overrides: { media: NO_MEDIA } });
  ({ api, database, keys, owner } = library);
});
afterAll(() => library?.close());

const keyWith = async (scopes: Scope[], user = owner) =>
  (await keys.create({ ...user, name: scopes.join(), scopes })).key;
const make = async (admin: string, json: object, headers: Record<string, string> = {}) =>
  api.call('POST', '/api/keys', { key: admin, json, headers });

async function secondUser(orgId: string, role: string) {
  const user = { id: newId(), orgId, email: `${newId()}@localhost`, name: 'Second', role };
  await database.db.insertInto('users').values(user).execute();
  return { orgId, userId: user.id, email: user.email };
}

async function secondOrganization() {
  const orgId = newId();
  await database.db.insertInto('organizations').values({ id: orgId, name: 'Another' }).execute();
  return secondUser(orgId, 'owner');
}

describe('making a key', () => {
  test('gives its value once; it works, is listed without it, and ends when it is revoked', async () => {
    const admin = await keyWith(['admin']);
    const made = (await make(admin, { name: 'robot' })).json as Shown;
    expect(made).toMatchObject({
      key: expect.stringMatching(/^sk_[A-Za-z0-9]{48}$/),
      name: 'robot',
      prefix: made.key.slice(0, 8),
      scopes: ['read', 'write'],
      user_id: owner.userId,
      last_used_at: null,
      status: 'active',
    });
    expect(Date.parse(made.expires_at) - Date.now()).toBeGreaterThan(89.9 * 86_400_000);
    expect((await api.call('POST', '/api/keys/verify', { key: made.key })).status).toBe(200);

    const listed = await api.call('GET', '/api/keys', { key: admin });
    expect(listed.text).not.toContain(made.key);
    expect((listed.json.keys as Shown[]).find((key) => key.key_id === made.key_id)).toMatchObject({ name: 'robot' });

    const revoked = await api.call('DELETE', `/api/keys/${made.key_id}`, { key: admin });
    expect(revoked).toMatchObject({ status: 200, json: { key_id: made.key_id, status: 'inactive' } });
    const refused = await api.call('POST', '/api/keys/verify', { key: made.key });
    expect([refused.status, refused.json.error]).toEqual([401, 'key_revoked']);
  });

  test.each([
    [{}, /name/],
    [{ name: '  ' }, /name/],
    [{ name: 'a', scopes: ['root'] }, /scopes/],
    [{ name: 'a', scopes: [] }, /scopes/],
    [{ name: 'a', expires_in_days: 0 }, /expires_in_days/],
    [{ name: 'a', expires_in_days: 121 }, /1 to 120 days/],
  ])('%j is refused with a sentence', async (body, sentence) => {
    const refused = await make(await keyWith(['admin']), body);
    expect([refused.status, refused.json.message]).toEqual([400, expect.stringMatching(sentence)]);
  });

  test('takes null for what is optional', async () => {
    const made = await make(await keyWith(['admin']), { name: 'a', scopes: null, expires_in_days: null });
    expect(made.json.scopes).toEqual(['read', 'write']);
  });

  test('happens once per Idempotency-Key, and no table keeps the value', async () => {
    const admin = await keyWith(['admin']);
    const once = { 'idempotency-key': newId() };
    const answers = await Promise.all([1, 2, 3].map(() => make(admin, { name: 'once' }, once)));
    const [made, ...others] = answers.sort((a, b) => a.status - b.status);
    expect(answers.map((answer) => answer.status)).toEqual([200, 409, 409]);
    for (const other of others) {
      expect(other.json).toMatchObject({
        error: 'key_shown_once',
        message: expect.stringContaining(String(made!.json.key_id)),
      });
    }
    expect((await keys.list(owner.orgId)).filter((key) => key.name === 'once')).toHaveLength(1);
    const stored = await database.db.selectFrom('idempotencyKeys').select('body').execute();
    for (const { body } of stored) expect(body?.toString()).not.toContain(String(made!.json.key).slice(8));
  });
});

describe('a list', () => {
  test('shows a key without admin the keys of its own user alone, page by page', async () => {
    const second = await secondUser(owner.orgId, 'member');
    const mine = await keyWith(['read'], second);
    for (const name of ['a', 'b', 'c', 'd']) await keys.create({ ...second, name });
    const names: string[] = [];
    let cursor = '';
    do {
      const { json } = await api.call('GET', `/api/keys?limit=2${cursor}`, { key: mine });
      names.push(...(json.keys as Shown[]).map((key) => key.name));
      cursor = json.has_more ? `&cursor=${json.next_cursor}` : '';
    } while (cursor);
    expect(names).toEqual(['d', 'c', 'b', 'a', 'read']);
    expect((await api.call('GET', '/api/keys?cursor=x', { key: mine })).json.error).toBe('cursor_invalid');
  });

  test("and a revocation stay within the organization, whatever the key's scopes", async () => {
    const theirs = await keyWith(['admin'], await secondOrganization());
    const { record } = await keys.create({ ...owner, name: 'mine' });
    const listed = await api.call('GET', '/api/keys', { key: theirs });
    expect((listed.json.keys as Shown[]).map((key) => key.name)).toEqual(['admin']);
    const refused = await api.call('DELETE', `/api/keys/${record.keyId}`, { key: theirs });
    expect([refused.status, refused.json.error]).toEqual([403, 'key_forbidden']);
    expect((await keys.list(owner.orgId)).find((key) => key.keyId === record.keyId)?.status).toBe('active');
  });
});

describe('the audit log', () => {
  const logOf = async (key: string) =>
    (await api.call('GET', '/api/audit-events?limit=1000', { key })).json.events as Entry[];

  test('says who made and who revoked a key, once, from where, and never its value', async () => {
    const other = await secondOrganization();
    const { key: admin, record: first } = await keys.create({ ...other, name: 'admin', scopes: ['admin'] });
    const made = (await make(admin, { name: 'watched' })).json as Shown;
    for (let i = 0; i < 2; i++) await api.call('DELETE', `/api/keys/${made.key_id}`, { key: admin });
    const who = { user_id: other.userId, email: other.email, key_id: first.keyId, address: '127.0.0.1' };
    const operator = { user_id: null, email: null, key_id: null, address: null };
    const entries = await logOf(admin);
    expect(entries).toMatchObject([
      { action: 'key.revoked', subject_id: made.key_id, detail: { name: 'watched' }, ...who },
      {
        action: 'key.created',
        subject_id: made.key_id,
        detail: { name: 'watched', scopes: ['read', 'write'] },
        ...who,
      },
      { action: 'key.created', subject_id: first.keyId, ...operator },
    ]);
    expect(JSON.stringify(entries)).not.toContain(made.key);

    const exported = await api.call('GET', '/api/audit-events/export', { key: admin });
    expect(exported.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = exported.text.trimEnd().split('\n');
    const exportedEntries = lines.map((line) => JSON.parse(line));
    expect(exportedEntries.slice(0, -1)).toEqual(entries.reverse());
    expect(exportedEntries.at(-1)).toMatchObject({ action: 'audit.exported', ...who });
  });

  test('is read page by page, and exported whole beyond one page', async () => {
    const other = await secondOrganization();
    const admin = await keyWith(['admin'], other);
    const rows = Array.from({ length: 1_200 }, (_, n) => ({
      id: newId(),
      orgId: other.orgId,
      action: 'key.created',
      subjectId: String(n),
    }));
    await database.db.insertInto('auditEvents').values(rows).execute();
    const page = (await api.call('GET', '/api/audit-events?limit=2', { key: admin })).json;
    expect((page.events as Entry[]).map((entry) => entry.subject_id)).toEqual(['1199', '1198']);
    const next = (await api.call('GET', `/api/audit-events?limit=2&cursor=${page.next_cursor}`, { key: admin })).json;
    expect((next.events as Entry[]).map((entry) => entry.subject_id)).toEqual(['1197', '1196']);
    const exported = await api.call('GET', '/api/audit-events/export', { key: admin });
    const subjects = exported.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).subject_id);
    expect(subjects.slice(1, -1)).toEqual(rows.map((row) => row.subjectId));
    expect((await api.call('GET', '/api/audit-events?cursor=x', { key: admin })).json.error).toBe('cursor_invalid');
  });

  test('lists the entries of one action and of one user, page by page', async () => {
    const other = await secondOrganization();
    const admin = await keyWith(['admin'], other);
    const entry = (action: string, userId: string | null, subjectId: string) => ({
      id: newId(),
      orgId: other.orgId,
      action,
      userId,
      subjectId,
    });
    const rows = [
      entry('key.revoked', other.userId, 'a'),
      entry('member.joined', null, 'b'),
      entry('key.revoked', null, 'c'),
      entry('key.revoked', other.userId, 'd'),
    ];
    await database.db.insertInto('auditEvents').values(rows).execute();
    const subjects = async (query: string) => {
      const page = (await api.call('GET', `/api/audit-events?${query}`, { key: admin })).json;
      return { page, ids: (page.events as Entry[]).map((each) => each.subject_id) };
    };
    const first = await subjects('action=key.revoked&limit=2');
    expect(first.ids).toEqual(['d', 'c']);
    const next = await subjects(`action=key.revoked&limit=2&cursor=${first.page.next_cursor}`);
    expect([next.ids, next.page.has_more]).toEqual([['a'], false]);
    expect((await subjects(`action=key.revoked&user_id=${other.userId}`)).ids).toEqual(['d', 'a']);
    expect((await subjects('action=unknown')).ids).toEqual([]);
  });

  test('has no entry for a key whose transaction did not happen', async () => {
    const other = await secondOrganization();
    const failing = keys.create({ ...other, name: 'never' }, { made: () => Promise.reject(new Error('no')) });
    await expect(failing).rejects.toThrow('no');
    expect(await keys.list(other.orgId)).toEqual([]);
    expect(await logOf(await keyWith(['admin'], other))).toHaveLength(1);
  });
});
