import { afterAll, beforeAll, expect } from 'vitest';
import type { Caller, Scope } from '#platform/http/index';
import { type AnalysesWorld, openAnalyses } from '../analyses/analyses.fixture.ts';

/** Two reviewers of one organization and their requests, for each test file that imports this. */

export type Person = { key: string; caller: Caller };
export type Json = Record<string, unknown>;
export type Event = Json & { event_id: string; approval: string; label: string; review: Json | null };

export let world: AnalysesWorld;
export let ada: Person;
export let grace: Person;

/** Opens the world before the tests of a file. */
export function useReviews(): void {
  beforeAll(async () => {
    world = await openAnalyses();
    ada = { key: world.key, caller: world.caller };
    grace = await colleague();
  });
  afterAll(() => world?.close());
}

export const colleague = async (scopes: Scope[] = ['read', 'write']) =>
  world.library.keyOf(await world.library.addUser(world.caller.orgId), scopes);

export async function send(method: string, path: string, json?: object, { key }: Pick<Person, 'key'> = ada) {
  return world.api.call(method, path, json ? { key, json } : { key });
}
export async function done<T = Json>(...request: Parameters<typeof send>): Promise<T> {
  const { status, json } = await send(...request);
  expect(status, JSON.stringify(json)).toBe(200);
  return json as T;
}
export const review = (id: string, json: object, by: Pick<Person, 'key'> = ada) =>
  done<Event>('PATCH', `/api/events/${id}`, json, by);
export const list = async (query = '', by: Pick<Person, 'key'> = ada) =>
  done<{ events: Event[]; facets: { approvals: Json[] } }>('GET', `/api/events?${query}`, undefined, by);

/** A shared video with one analysis of three events; ids of its events. */
export async function analyzed(more: { folderId?: string } = {}, query?: string) {
  const videoId = await world.addVideo({ scope: 'org', ...more });
  const analysisId = await world.start(videoId, undefined, query);
  const status = async () => (await world.call(videoId, analysisId, '/status')).json.status;
  await expect.poll(status).toBe('COMPLETED');
  const document = async () =>
    (await world.call(videoId, analysisId)).json as unknown as {
      analysis: { events: Event[] };
      events: Event[];
    };
  return { videoId, analysisId, document, ids: [0, 1, 2].map((n) => `${analysisId}-${n}`) as [string, string, string] };
}
