import { expect, vi } from 'vitest';
import { createEvent } from '#test/events';
import { PUBLIC_URL } from '#test/library';
import type { AnalysesWorld } from '../analyses/analyses.fixture.ts';

type Json = Record<string, unknown>;

const WAIT = { timeout: 60_000, interval: 20 };

/** Requests of the tests of datasets, to a world that exists when they are sent. */
export function requestsTo(world: () => AnalysesWorld) {
  /** Sends a request with the key of the owner, or with another one. */
  const call = (method: string, path: string, json?: object, key = world().key) =>
    world().api.call(method, path, json ? { key, json } : { key });

  /** The response of a request that has to succeed. */
  async function done<T = Json>(...request: Parameters<typeof call>): Promise<T> {
    const answer = await call(...request);
    expect(answer.status, answer.text).toBe(200);
    return answer.json as T;
  }

  return {
    call,
    done,
    /** A completed batch on these videos, with `count` events each. */
    async addBatch(videoIds: string[], count: number, query = 'a car'): Promise<string> {
      world().engine.events = Array.from({ length: count }, (_, index) => createEvent(index));
      const { batch_id } = await done('POST', '/api/router/v2/query/start', { query, video_ids: videoIds });
      const status = async () => (await done('GET', `/api/batch/${batch_id}/status`)).status;
      await vi.waitFor(async () => expect(await status()).toBe('completed'), WAIT);
      return String(batch_id);
    },
    /** The response of a signed URL, without a key. */
    async fetchSigned(url: unknown): Promise<Response> {
      const response = await fetch(String(url).replace(PUBLIC_URL, world().api.base));
      expect(response.status).toBe(200);
      return response;
    },
  };
}
