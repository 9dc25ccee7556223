// A service with analyzed videos, for tests of the rows of events and of lists over them.
import { expect } from 'vitest';
import type { VideoEvent } from '#engine/index';
import type { Caller } from '#platform/http/index';
import { openAnalyses } from '../analyses.fixture.ts';

export type Person = { key: string; caller: Caller };
type Listed = { event_id: string; video_id: string; label: string; [field: string]: unknown };
export type Page = {
  events: Listed[];
  facets: { total: number; [field: string]: unknown };
  has_more: boolean;
  next_cursor: string | null;
};

export type EventWorld = Awaited<ReturnType<typeof openEventWorld>>;

/** Opens a service whose engine finds the events that `addAnalyzed` is given. */
export async function openEventWorld() {
  const world = await openAnalyses({ SIGHTLINE_RESTORE_HOURS: '1' });

  const person = async (scopes: ('read' | 'write' | 'admin')[], orgId?: string): Promise<Person> =>
    world.library.keyOf(await world.library.addUser(orgId), scopes);

  async function analyze(videoId: string, by: Caller = world.caller, query?: string): Promise<string> {
    const analysisId = await world.start(videoId, by, query);
    const { db } = world.library.database;
    const status = () =>
      db.selectFrom('analyses').select('status').where('id', '=', analysisId).executeTakeFirstOrThrow();
    await expect.poll(async () => (await status()).status).toBe('COMPLETED');
    return analysisId;
  }

  /** A video of this person, analyzed once, with these events. */
  async function addAnalyzed(by: Person, events: readonly VideoEvent[], more: object = {}, query?: string) {
    const videoId = await world.library.add(by.caller, more);
    const { storageKey } = (await world.library.videos.find(videoId))!;
    await world.library.storage.write(storageKey, Buffer.from('video'));
    await world.markReady(videoId);
    world.engine.events = events;
    return { videoId, analysisId: await analyze(videoId, by.caller, query) };
  }

  async function list(query = '', { key }: Pick<Person, 'key'> = world): Promise<Page> {
    const { status, json } = await world.api.call('GET', `/api/events${query}`, { key });
    expect(status, JSON.stringify(json)).toBe(200);
    return json as unknown as Page;
  }
  return { ...world, person, analyze, addAnalyzed, list };
}
