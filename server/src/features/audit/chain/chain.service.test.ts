import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAuditChain, recordAction } from '#features/audit/index';
import { newId } from '#platform/ids';
import { NO_MEDIA } from '#test/app';
import { openLibrary, type TestLibrary } from '#test/library';

let library: TestLibrary;
/** An organization of its own for each test. */
let orgId: string;
let key: string;

beforeAll(async () => {
  library = await openLibrary({}, { overrides: { media: NO_MEDIA } });
});
afterAll(() => library.close());
beforeEach(async () => {
  const user = await library.addUser();
  ({ orgId } = user);
  ({ key } = await library.keyOf(user, ['admin']));
});

const chain = () => createAuditChain({ database: library.database, jobs: { handle() {}, schedule() {} } });
const record = (subjectId: string, detail: Record<string, unknown> = {}) =>
  library.database.transaction((trx) =>
    recordAction(
      trx,
      { userId: null, keyId: null, sessionId: null, address: '192.0.2.7', userAgent: 'curl' },
      { orgId, action: 'key.created', subjectId, detail },
    ),
  );

type Event = Record<string, unknown> & { position: number; subject_id: string; digest: string };
async function follow(cursor?: string, limit = 3) {
  const { json } = await library.api.call(
    'GET',
    `/api/audit?limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`,
    { key },
  );
  return json as { events: Event[]; has_more: boolean; next_cursor: string };
}
/** All entries from a cursor on, as a follower reads them. */
async function followAll(cursor?: string) {
  const events: Event[] = [];
  for (let next = cursor; ; ) {
    const page = await follow(next);
    events.push(...page.events);
    next = page.next_cursor;
    if (!page.has_more) return { events, cursor: next };
  }
}

test('followers get each entry once, newest last, and only what follows their cursor', async () => {
  for (let n = 0; n < 8; n++) await record(String(n));
  const first = await followAll();
  // The first entry is that of the key.
  expect(first.events.slice(1).map((event) => event.subject_id)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
  expect(first.events.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect((await followAll(first.cursor)).events).toEqual([]);
  await record('8');
  expect((await followAll(first.cursor)).events.map((event) => event.subject_id)).toEqual(['8']);
  const { json } = await library.api.call('GET', '/api/audit?cursor=x', { key });
  expect(json.error).toBe('cursor_invalid');
});

test('a slow transaction holds up no other one, and its entry is not missed', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: written, resolve: write } = Promise.withResolvers<void>();
  const slow = library.database.transaction(async (trx) => {
    await recordAction(trx, null, { orgId, action: 'key.created', subjectId: 'slow' });
    write();
    await held;
  });
  await written;
  await record('quick');
  const before = await followAll();
  expect(before.events.at(-1)!.subject_id).toBe('quick');
  release();
  await slow;
  expect((await followAll(before.cursor)).events.map((event) => event.subject_id)).toEqual(['slow']);
});

test('while many write and two nodes chain them, a follower misses none and doubles none', async () => {
  let writing = true;
  const seen: Event[] = [];
  const follower = (async () => {
    let cursor: string | undefined;
    for (let last = false; !last; ) {
      last = !writing;
      const page = await followAll(cursor);
      seen.push(...page.events);
      cursor = page.cursor;
    }
  })();
  const chaining = (async () => {
    while (writing) await chain().appendAll();
  })();
  await Promise.all(
    Array.from({ length: 6 }, async (_, writer) => {
      for (let n = 0; n < 25; n++) await record(`${writer}-${n}`);
    }),
  );
  writing = false;
  await Promise.all([follower, chaining]);
  expect(seen).toHaveLength(151);
  expect(new Set(seen.map((event) => event.subject_id)).size).toBe(151);
  expect(seen.map(({ position }) => position)).toEqual(Array.from({ length: 151 }, (_, n) => n + 1));
  expect(await chain().verify(orgId)).toMatchObject({ fault: null, pending: 0 });
});

test('a follower can recompute the digests from the response', async () => {
  await record('a', { name: 'b', scopes: ['read'], limit: { folder_id: 'f', depth: 2 } });
  const sha256 = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');
  let previous = orgId;
  for (const event of (await followAll()).events) {
    const { detail, address, user_agent, salt } = event;
    const sorted = JSON.parse(JSON.stringify(detail), (_name, value) =>
      value && typeof value === 'object' && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    );
    expect(sha256([salt, address, user_agent, sorted])).toBe(event.content_digest);
    const { position, event_id, at, action, operation, outcome } = event;
    const { user_id, key_id, session_id, subject_id, content_digest } = event;
    const fields = [position, event_id, at, action, operation, outcome, user_id, key_id, session_id, subject_id];
    expect(sha256([previous, ...fields, content_digest])).toBe(event.digest);
    previous = event.digest;
  }
});

/** Changes that an intruder makes in the database, and the fault that the chain then has. */
const TAMPERED: [string, ReturnType<typeof sql.raw>, { position: number; kind: string }][] = [
  [
    'altered details',
    sql.raw(`update audit_events set detail = '{"name": "other"}'`),
    { position: 3, kind: 'altered' },
  ],
  ['another address', sql.raw(`update audit_events set address = '192.0.2.8'`), { position: 3, kind: 'altered' }],
  ['another user', sql.raw(`update audit_events set user_id = 'somebody'`), { position: 3, kind: 'altered' }],
  ['another time', sql.raw(`update audit_events set created_at = now()`), { position: 3, kind: 'altered' }],
  ['another outcome', sql.raw(`update audit_events set outcome = 'refused'`), { position: 3, kind: 'altered' }],
  ['a digest of its own', sql.raw(`update audit_events set digest = content_digest`), { position: 3, kind: 'altered' }],
  [
    'details beside erased ones',
    sql.raw(`update audit_events set erased_at = now()`),
    { position: 3, kind: 'altered' },
  ],
  ['a removed entry', sql.raw('delete from audit_events'), { position: 3, kind: 'missing' }],
  [
    'an entry that would join the chain again',
    sql.raw('update audit_events set position = null'),
    { position: 3, kind: 'missing' },
  ],
];

test.each(TAMPERED)('the chain shows %s', async (_name, statement, fault) => {
  for (let n = 0; n < 4; n++) await record(String(n), { name: 'robot' });
  await chain().appendAll();
  expect((await chain().verify(orgId)).fault).toBeNull();
  await sql`${statement} where org_id = ${orgId} and position = 3`.execute(library.database.db);
  expect((await chain().verify(orgId)).fault).toEqual(fault);
});

test('the chain shows that its last entries are missing, also after others joined it', async () => {
  for (let n = 0; n < 4; n++) await record(String(n));
  await chain().appendAll();
  const known = (await chain().verify(orgId)).head;
  await sql`delete from audit_events where org_id = ${orgId} and position >= 4`.execute(library.database.db);
  expect((await chain().verify(orgId)).fault).toEqual({ position: 4, kind: 'missing' });
  // An intruder who also moves the head back is found by a digest that was noted before.
  await sql`update audit_chains set position = 3, digest = (select digest from audit_events e
    where e.org_id = audit_chains.org_id and e.position = 3) where org_id = ${orgId}`.execute(library.database.db);
  await record('other');
  await record('another');
  await chain().appendAll();
  expect((await chain().verify(orgId)).fault).toBeNull();
  expect(await chain().digestAt(orgId, known.position)).not.toBe(known.digest);
});

test('the content of entries of a deleted user is erased, and the chain remains', async () => {
  const person = await library.addUser(orgId);
  await library.database.transaction((trx) =>
    recordAction(
      trx,
      { userId: person.userId, keyId: null, sessionId: null, address: '192.0.2.9', userAgent: 'curl' },
      { orgId, action: 'video.deleted', subjectId: newId(), detail: { video_name: 'home.mp4' } },
    ),
  );
  await record(newId(), { email: person.email });
  await record(person.userId, { role: 'member' });
  await record('kept', { name: 'kept' });
  const before = (await followAll()).events;
  expect(await chain().erase(orgId, person.email)).toBe(3);
  const after = (await followAll()).events;
  expect(after.slice(0, before.length).map(({ digest }) => digest)).toEqual(before.map(({ digest }) => digest));
  expect(after[1]).toMatchObject({ address: null, user_agent: null, detail: {}, salt: null });
  expect(after[before.length - 1]).toMatchObject({ detail: { name: 'kept' }, address: '192.0.2.7' });
  expect(after.at(-1)).toMatchObject({ action: 'audit.erased', subject_id: person.userId, detail: { entries: 3 } });
  expect(JSON.stringify(after.map(({ detail }) => detail))).not.toContain(person.email);
  expect(await chain().verify(orgId)).toMatchObject({ fault: null, erased: 3 });
  expect(await chain().erase(orgId, person.email)).toBe(0);
});

test('entries that a node of the previous version writes join the chain, too', async () => {
  await sql`insert into audit_events (id, org_id, action, subject_id) values (${newId()}, ${orgId}, 'key.revoked', 'old')`.execute(
    library.database.db,
  );
  expect((await followAll()).events.at(-1)).toMatchObject({
    subject_id: 'old',
    operation: null,
    outcome: 'succeeded',
    position: 2,
  });
  expect((await chain().verify(orgId)).fault).toBeNull();
});
