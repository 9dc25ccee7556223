import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Caller } from '#platform/http/index';
import { openLibrary, PROBE, type TestLibrary } from '#test/library';
import type { NewVideo } from './types.ts';

/** A library whose deleted videos are restorable, served over HTTP. */

export const HOUR_S = 3600;

export let library: TestLibrary;
/** The owner, a colleague, an administrator's key of the same organization, and someone of another one. */
export let me: { key: string; caller: Caller };
export let colleague: typeof me;
export let admin: typeof me;
export let stranger: typeof me;
export const buried: string[] = [];

/** Opens the library before the tests of a file, and closes it after them. */
export function useLibrary(): void {
  beforeAll(async () => {
    buried.length = 0;
    library = await openLibrary({ SIGHTLINE_RESTORE_HOURS: '1' }, { worker: true });
    const { owner } = library;
    me = await library.keyOf(owner, ['read', 'write']);
    colleague = await library.keyOf(await library.addUser(owner.orgId), ['read', 'write']);
    admin = await library.keyOf(await library.addUser(owner.orgId), ['admin']);
    stranger = await library.keyOf(await library.addUser(), ['read', 'write']);
    library.events.subscribe('video.deleted', async (_trx, { videoId }) => void buried.push(videoId));
  });
  afterAll(() => library?.close());
}

/** A stored video, with a file. */
export async function add(who = me, more: Partial<NewVideo> = {}): Promise<string> {
  const id = await library.add(who.caller, more);
  await library.storage.write(`contents/${id}/source`, Buffer.from('film'));
  const facts = { probe: PROBE, sizeBytes: 1000, sha256: id.padEnd(64, '0') };
  await library.database.transaction((trx) => library.videos.markReady(trx, id, facts));
  return id;
}
export const call = (method: string, path: string, json?: unknown, { key } = me) =>
  library.api.call(method, path, { key, json });
export const folderOf = async (name: string, scope: 'user' | 'org' = 'user', who = me) =>
  (await library.folders.create(who.caller, { name, scope })).id;
export const count = async (id: string) => (await library.folders.require(me.caller, id)).videoCount;
export const found = async (query: string, who = me) => {
  const { status, json } = await call('GET', `/api/videos${query}`, undefined, who);
  expect(status, JSON.stringify(json)).toBe(200);
  return (json.videos as { video_id: string }[]).map((video) => video.video_id);
};
export const results = (json: Record<string, unknown>) =>
  (json.results as { video_id: string; ok: boolean; error?: string }[]).map((r) => [r.video_id, r.error ?? r.ok]);
export const change = (id: string, json: unknown, who = me) => call('PATCH', `/api/video/${id}`, json, who);
export const row = (id: string) =>
  library.database.db.selectFrom('videos').selectAll().where('id', '=', id).executeTakeFirst();
export const hasFile = (id: string) =>
  access(join(library.filesDir, 'contents', id, 'source')).then(
    () => true,
    () => false,
  );
export const age = (id: string, days: number) =>
  library.database.db
    .updateTable('videos')
    .set({ createdAt: sql<Date>`now() - make_interval(days => ${days}::int)` })
    .where('id', '=', id)
    .execute();
