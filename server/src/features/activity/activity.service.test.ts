import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SseEvent } from '#features/batches/sse.fixture';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import { createWalkSessions } from '#test/api/auth-walk';
import { startTestNode, type TestNode } from '#test/app';
import { openLibrary, PROBE, type TestLibrary } from '#test/library';
import { type Connection, connect } from './activity.fixture.ts';

type Who = { key: string; caller: Caller };

let library: TestLibrary;
/** A second node of the same service. */
let other: TestNode;

beforeAll(async () => {
  library = await openLibrary({ SIGHTLINE_STREAMS_PER_KEY: '3', SIGHTLINE_RESTORE_HOURS: '24' });
  other = await startTestNode(library.env, { roles: { api: true, worker: false } });
});
afterAll(async () => {
  await other?.close();
  await library?.close();
});

const ready = (id: string) =>
  library.database.transaction((trx) =>
    library.videos.markReady(trx, id, { probe: PROBE, sizeBytes: 1000, sha256: 'ab'.repeat(32) }),
  );
const fail = (id: string) =>
  library.database.transaction((trx) => library.videos.markFailed(trx, id, 'media_unreadable', 'This is no video.'));
const call = (who: Who, method: string, path: string, json?: object) =>
  library.api.call(method, path, { key: who.key, ...(json ? { json } : {}) });

/** An organization of its own with an owner, a colleague and an admin. */
async function organization() {
  const user = await library.addUser();
  const owner = await library.keyOf(user, ['read', 'write']);
  const colleague = await library.keyOf(await library.addUser(user.orgId), ['read', 'write']);
  const admin = await library.keyOf(await library.addUser(user.orgId), ['admin']);
  return { owner, colleague, admin };
}

const isAbout = (id: string) => (event: SseEvent) => event.data.id === id;
const changesOf = ({ seen }: Connection, id: string) => seen.filter(isAbout(id)).map(({ data }) => data.change);

/** Waits until a change, which is made last, has arrived everywhere it can be seen. */
async function settle(who: Who, ...connections: Connection[]): Promise<void> {
  const id = await library.add(who.caller, { scope: 'org' });
  for (const { seen } of connections) {
    await expect.poll(() => seen.some(isAbout(id))).toBe(true);
  }
}

/** Waits until the service has noticed that no reader is connected: changes get no position then. */
async function becomeUnread({ caller }: Who): Promise<void> {
  const unsent = library.database.db.selectFrom('activity').select('sequence').where('id', 'is', null);
  const afterChange = async () => {
    await library.add(caller);
    await sleep(200);
    return unsent.where('orgId', '=', caller.orgId).execute();
  };
  await expect.poll(afterChange).not.toEqual([]);
}

describe('who sees what', () => {
  test.each([
    ['a personal video', 'user', { owner: true, colleague: false, admin: true, stranger: false, limited: false }],
    ['a shared video', 'org', { owner: true, colleague: true, admin: true, stranger: false, limited: false }],
    [
      'a video of the folder of a key',
      'folder',
      { owner: true, colleague: true, admin: true, stranger: false, limited: true },
    ],
  ] as const)('%s', async (_, where, expected) => {
    const { owner, colleague, admin } = await organization();
    const stranger = await library.keyOf(await library.addUser(), ['admin']);
    const folder = await library.folders.create(owner.caller, { name: newId(), scope: 'org' });
    const limited = await library.keys.create({ ...owner.caller, name: 'limited', folderId: folder.id });
    const keys = { owner, colleague, admin, stranger, limited };
    const names = Object.keys(expected) as (keyof typeof expected)[];
    const open = await Promise.all(names.map((name) => connect(other.api, keys[name].key)));
    const id = await library.add(
      owner.caller,
      where === 'folder' ? { scope: 'org', folderId: folder.id } : { scope: where },
    );
    await ready(id);
    await settle(owner, ...open.filter((_, i) => !['stranger', 'limited'].includes(names[i]!)));
    // Callers who see nothing of it have nothing to wait for: they see a later change of their own.
    const last = [
      await library.add(stranger.caller),
      await library.add(owner.caller, { scope: 'org', folderId: folder.id }),
    ];
    for (const [i, name] of names.entries()) {
      await expect.poll(() => open[i]!.seen.some(({ data }) => last.includes(String(data.id)))).toBe(true);
      const seen = changesOf(open[i]!, id);
      expect([name, seen]).toEqual([name, expected[name] ? ['created', 'status'] : []]);
    }
    await Promise.all(open.map((each) => each.leave()));
  });

  test('a video that moves out of sight is removed, and one that moves into sight appears', async () => {
    const { owner, colleague, admin } = await organization();
    const shared = await library.folders.create(owner.caller, { name: 'Shared', scope: 'org' });
    const own = await library.folders.create(owner.caller, { name: 'Own' });
    const id = await library.add(owner.caller, { scope: 'org', folderId: shared.id });
    await ready(id);
    const [theirs, all] = [await connect(other.api, colleague.key), await connect(other.api, admin.key)];
    const move = (scope: string, folderId: string) =>
      library.database.db.updateTable('videos').set({ scope, folderId }).where('id', '=', id).execute();
    await move('user', own.id);
    expect((await call(owner, 'PATCH', `/api/video/${id}`, { name: 'secret.mp4' })).status).toBe(200);
    await move('org', shared.id);
    await settle(owner, theirs, all);
    expect(changesOf(all, id)).toEqual(['moved', 'changed', 'moved']);
    expect(changesOf(theirs, id)).toEqual(['removed', 'moved']);
    const removed = theirs.seen.find(isAbout(id))!;
    expect(Object.keys(removed.data).sort()).toEqual(['change', 'changed_at', 'event', 'id', 'type']);
    expect(JSON.stringify(theirs.seen)).not.toContain(own.id);
    await Promise.all([theirs.leave(), all.leave()]);
  });

  test('an admin who becomes a member sees the personal videos of others no more, in an open stream', async () => {
    const { owner } = await organization();
    const { database, people } = library;
    const cookie = await createWalkSessions(database, people, owner.caller)('admin');
    const open = await connect(library.api, { cookie });
    const before = await library.add(owner.caller);
    await expect.poll(() => changesOf(open, before)).toEqual(['created']);
    await database.db.updateTable('users').set({ role: 'member' }).where('orgId', '=', owner.caller.orgId).execute();
    // An open stream is authenticated again every second.
    const seenNow = async () => {
      const id = await library.add(owner.caller);
      await settle(owner, open);
      return changesOf(open, id);
    };
    await expect.poll(seenNow).toEqual([]);
    expect(await seenNow()).toEqual([]);
    await open.leave();
  });
});

test('a stream ends with its key, and a key has only so many', async () => {
  const { owner } = await organization();
  const { key, record } = await library.keys.create({ ...owner.caller, name: 'short-lived' });
  const open = await Promise.all([1, 2, 3].map(() => connect(library.api, key)));
  expect(await library.api.call('GET', '/api/activity', { key })).toMatchObject({
    status: 429,
    json: { error: 'too_many_streams' },
  });
  await library.keys.revoke(owner.caller.orgId, record.keyId);
  for (const { ended } of open) {
    expect((await ended).at(-1)).toMatchObject({ event: 'error', data: { code: 'key_revoked' } });
  }
});

test('a reader starts with the present and resumes after any event; one who was away too long starts over', async () => {
  const { owner } = await organization();
  const earlier = await library.add(owner.caller);
  const first = await connect(library.api, owner.key);
  await expect.poll(() => first.seen[0]).toMatchObject({ event: 'ready', data: { type: 'ready' } });
  const id = await library.add(owner.caller);
  await ready(id);
  await expect.poll(() => changesOf(first, id)).toEqual(['created', 'status']);
  expect(changesOf(first, earlier)).toEqual([]);
  expect(first.seen.at(-1)!.data).toMatchObject({ status: 'uploaded', folder_id: null, type: 'video', id });
  await first.leave();
  const [start, created, status] = first.seen;

  /** The first changes of a reader that resumes after an event. */
  const resume = async (lastId: number, count = 1) => {
    const again = await connect(other.api, owner.key, lastId);
    await library.add(owner.caller);
    await expect.poll(() => again.seen.length).toBeGreaterThanOrEqual(count);
    await again.leave();
    return again.seen.slice(0, count).map((event) => event.data.change ?? event.event);
  };
  expect(await resume(start!.id, 2)).toEqual(['created', 'status']);
  expect(await resume(created!.id)).toEqual(['status']);
  expect(await resume(status!.id)).toEqual(['created']);
  // Beyond the end: another database than the one that gave the id.
  expect((await resume(1_000_000))[0]).toBe('reset');
  const { db } = library.database;
  const { orgId } = owner.caller;
  // Changes that have no position when they are removed.
  await becomeUnread(owner);
  const { lastId } = await db
    .selectFrom('activityHeads')
    .select('lastId')
    .where('orgId', '=', orgId)
    .executeTakeFirstOrThrow();
  expect(await library.activity.purge(new Date(Date.now() + 60_000))).toBeGreaterThan(0);
  for (const id of [start!.id, lastId]) expect((await resume(id))[0], String(id)).toBe('reset');
  for (const lastId of ['x', '-1', '1e3']) {
    const answer = await library.api.call('GET', `/api/activity?last_id=${lastId}`, { key: owner.key });
    expect(answer).toMatchObject({ status: 400, json: { error: 'last_id_invalid' } });
  }
});

test('of progress that nobody has read, only the latest is stored, in its order', async () => {
  const { owner } = await organization();
  const { db } = library.database;
  const { orgId, userId: ownerId } = owner.caller;
  const id = newId();
  const job = {
    id,
    orgId,
    ownerId,
    scope: 'user',
    provider: 's3',
    bucket: 'b',
    public: true,
    sidecars: false,
    multiView: false,
  };
  const first = await connect(library.api, owner.key);
  await expect.poll(() => first.seen.length).toBe(1);
  await first.leave();
  await becomeUnread(owner);
  await db
    .insertInto('importJobs')
    .values({ ...job, status: 'importing' })
    .execute();
  const change = (set: object) => db.updateTable('importJobs').set(set).where('id', '=', id).execute();
  for (let uploaded = 1; uploaded <= 50; uploaded++) await change({ uploaded });
  await change({ status: 'failed' });
  await change({ status: 'importing' });
  for (let uploaded = 51; uploaded <= 90; uploaded++) await change({ uploaded });
  const again = await connect(library.api, owner.key, first.seen[0]!.id);
  await settle(owner, again);
  await again.leave();
  const seen = again.seen.filter(isAbout(id));
  expect(seen.map(({ event, data }) => [event, data.change, data.status, data.uploaded])).toEqual([
    ['import_job', 'created', 'importing', 0],
    ['import_job', 'done', 'failed', 50],
    ['import_job', 'status', 'importing', 50],
    ['import_job', 'progress', 'importing', 90],
  ]);
});

test('readers whose connections break on two nodes see every change once and in order, as the database has it', async () => {
  const { owner, colleague } = await organization();
  const shared = await library.folders.create(owner.caller, { name: 'Shared', scope: 'org' });
  const own = await library.folders.create(owner.caller, { name: 'Own' });
  const nodes = [library.api, other.api];
  const steady = { owner: await connect(nodes[0]!, owner.key), colleague: await connect(nodes[1]!, colleague.key) };
  for (const { seen } of Object.values(steady)) await expect.poll(() => seen.length).toBe(1);

  let done = false;
  /** Reads with connections that break after some events or some time; what it saw across all of them. */
  async function readBroken(key: string, whole: Connection): Promise<SseEvent[]> {
    const lastId = whole.seen[0]!.id;
    const seen: SseEvent[] = [];
    for (let n = 0; ; n++) {
      const last = done;
      const open = await connect(nodes[n % 2]!, key, seen.at(-1)?.id ?? lastId);
      const end = () => (open.seen.at(-1) ?? seen.at(-1))?.id;
      if (last) await expect.poll(end).toBe(whole.seen.at(-1)!.id);
      else await sleep(randomInt(250));
      await open.leave();
      seen.push(...open.seen);
      if (last) return seen;
    }
  }
  const broken = {
    owner: readBroken(owner.key, steady.owner),
    colleague: readBroken(colleague.key, steady.colleague),
  };

  const made: string[] = [];
  const pick = () => made[randomInt(made.length)]!;
  const steps = [
    async () => void made.push(await library.add(owner.caller, randomInt(2) ? { scope: 'org' } : {})),
    () => ready(pick()),
    () => fail(pick()),
    () => call(owner, 'PATCH', `/api/video/${pick()}`, { folder_id: [shared.id, own.id, null][randomInt(3)] }),
    () => call(owner, 'PATCH', `/api/video/${pick()}`, { tags: [`t${randomInt(9)}`] }),
    () => call(owner, 'DELETE', `/api/video/${pick()}`),
    () => call(owner, 'POST', `/api/video/${pick()}/restore`, {}),
    // A change that is rolled back is not reported.
    () =>
      library.database
        .transaction(async (trx) => {
          await trx.updateTable('videos').set({ name: 'never' }).where('id', '=', pick()).execute();
          await sleep(randomInt(20));
          throw new Error('no');
        })
        .catch(() => {}),
    // A transaction that stays open while others commit.
    () =>
      library.database.transaction(async (trx) => {
        await trx.updateTable('videos').set({ name: newId() }).where('id', '=', pick()).execute();
        await sleep(randomInt(150));
      }),
  ];
  await steps[0]!();
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let i = 0; i < 40; i++) await steps[randomInt(steps.length)]!();
    }),
  );
  await settle(owner, steady.owner, steady.colleague);
  done = true;
  const all = { owner: await broken.owner, colleague: await broken.colleague };

  const rows = await library.database.db
    .selectFrom('videos')
    .selectAll()
    .where('orgId', '=', owner.caller.orgId)
    .execute();
  const recorded = await library.database.db
    .selectFrom('activity')
    .selectAll()
    .where('orgId', '=', owner.caller.orgId)
    .orderBy('id')
    .execute();
  // Positions have no gaps.
  expect(recorded.map(({ id }) => id)).toEqual(recorded.map((_, i) => recorded[0]!.id! + i));
  for (const name of ['owner', 'colleague'] as const) {
    const [, ...unbroken] = steady[name].seen;
    expect(all[name].map(({ id }) => id)).toEqual(unbroken.map(({ id }) => id));
    expect(all[name]).toEqual(unbroken);
    // All events together give the state that the caller can see.
    const state = new Map<unknown, object>();
    for (const { data } of unbroken) {
      if (['removed', 'trashed', 'deleted'].includes(String(data.change))) state.delete(data.id);
      else state.set(data.id, { status: data.status, folder: data.folder_id });
    }
    const statuses = { PREPARE_IN_PROGRESS: 'processing', UPLOADED: 'uploaded', UPLOADING_FAILED: 'uploading_failed' };
    const visible = rows.filter((row) => row.deletedAt === null && (name === 'owner' || row.scope === 'org'));
    expect(Object.fromEntries(state)).toEqual(
      Object.fromEntries(
        visible.map(({ id, status, folderId }) => [
          id,
          { status: statuses[status as keyof typeof statuses], folder: folderId },
        ]),
      ),
    );
  }
  expect(made.length).toBeGreaterThan(5);
  await Promise.all(Object.values(steady).map((each) => each.leave()));
});
