import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { VideoEvent } from '#engine/index';
import { createEvent } from '#test/events';
import { PUBLIC_URL } from '#test/library';
import { sceneClip } from '#test/media/clips';
import { type AnalysesWorld, openAnalyses } from '../analyses/analyses.fixture.ts';

/** For work in hooks, where `expect.poll` is not available. */
// All formats are exported at once, and each is polled: more often, the polls delay what they wait for.
const WAIT = { timeout: 280_000, interval: 200 };
/** Would be a formula, markup, a cue, two lines and an entity. */
/** When the video of the events was recorded. */
const RECORDED_AT = '2026-11-20T21:04:10.000Z';
export const HOSTILE = '=cmd()|"x" <b>\n--> & \u2028"quoted"';

export type Json = Record<string, unknown>;
export type ExportsWorld = Awaited<ReturnType<typeof openExports>>;

/**
 * The service with a video of three events, and a folder for exported files. One event is approved, one rejected; one
 * has a position, and one a hostile label. Close it.
 */
export async function openExports() {
  const folder = await mkdtemp(join(tmpdir(), 'exports-'));
  const world: AnalysesWorld = await openAnalyses({}, { media: true });

  async function analyze(events: readonly VideoEvent[]): Promise<[videoId: string, analysisId: string]> {
    world.engine.events = events;
    const video = await world.addVideo({ scope: 'org' });
    const { storageKey } = (await world.library.videos.find(video))!;
    await world.library.storage.write(storageKey, await readFile(await sceneClip()));
    const analysis = await world.start(video);
    const status = async () => (await world.call(video, analysis, '/status')).json.status;
    await vi.waitFor(async () => expect(await status()).toBe('COMPLETED'), WAIT);
    return [video, analysis];
  }

  async function call(method: string, path: string, json?: object, key = world.key): Promise<Json> {
    const answer = await world.api.call(method, path, json ? { key, json } : { key });
    expect(answer.status, answer.text).toBe(200);
    return answer.json;
  }

  const position = { gps_lat: { start: 52.5, end: 52.6 }, gps_lon: { start: 13.4, end: 13.5 } };
  // In another order than that of their times.
  const events = [eventAt(2, { overlay: position }), eventAt(0), eventAt(1, { label: HOSTILE })];
  const [videoId, analysisId] = await analyze(events);
  await call('PATCH', `/api/video/${videoId}`, { recorded_at: RECORDED_AT, time_zone: 'Europe/Berlin' });
  await call('PATCH', `/api/events/${analysisId}-0`, { approval: 'rejected', reason: 'wrong thing' });
  await call('PATCH', `/api/events/${analysisId}-1`, { approval: 'approved' });

  return {
    ...world,
    folder,
    videoId,
    analysisId,
    /** Calls the API and expects success. */
    request: call,

    /** Exports and downloads a file. */
    async exportAs(format: string, filter: object = {}, key = world.key): Promise<Json & { bytes: Buffer }> {
      const { export_id } = await call('POST', '/api/exports', { format, ...filter }, key);
      const get = () => call('GET', `/api/exports/${export_id}`, undefined, key);
      await vi.waitFor(async () => expect((await get()).status).not.toBe('processing'), WAIT);
      const done = await get();
      expect(done.status, JSON.stringify(done)).toBe('completed');
      const response = await fetch(String(done.download_url).replace(PUBLIC_URL, world.api.base));
      expect(response.status).toBe(200);
      expect(response.headers.get('content-disposition')).toContain(String(done.filename));
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(bytes.length).toBe(done.size_bytes);
      return { ...done, bytes };
    },

    async close(): Promise<void> {
      await world.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** An event with a box of a car. Each lasts 1.16 s and starts two seconds after the one before. */
function eventAt(index: number, more: Partial<VideoEvent> = {}): VideoEvent {
  const boxes = [{ x: 0.25, y: 0.5, width: 0.1, height: 0.2, label: 'car' }];
  return { ...createEvent(index, { frames: [{ role: 'best', timeS: 2 * index + 1, pts: 0, boxes }] }), ...more };
}
