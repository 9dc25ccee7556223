// A camera that pushes to one process, and is recorded by others.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '#platform/net/index';
import { nextMessage } from '#test/child-messages';
import { H264_OPTIONS, startFfmpeg, testPattern } from '#test/servers/live-sources';
import { isOver, openStudio, type Studio } from '../live/live.fixture.ts';

const { ffmpeg } = inject('programs');

describe.runIf(ffmpeg)('workers', () => {
  let studio: Studio;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    studio = await openStudio({ SIGHTLINE_RTMP_LISTEN: `127.0.0.1:${port}` }, { worker: false });
  });
  afterAll(async () => studio?.close());

  /** A process that records, and does not listen. */
  async function spawnWorker(): Promise<ChildProcess> {
    const { SIGHTLINE_RTMP_LISTEN: _, ...env } = studio.library.env;
    const fixture = new URL('../live/recording/worker.fixture.ts', import.meta.url);
    const child = fork(fixture, [JSON.stringify(env)], { execArgv: [] });
    await nextMessage(child);
    return child;
  }

  test('that are killed leave what is published to another one, and the encoder stays', async () => {
    const call = async (method: string, path: string, json?: object) =>
      (await studio.api.call(method, `/api/cameras${path}`, { key: studio.key, ...(json && { json }) })).json;
    const { camera_id } = await call('POST', '', { name: 'Crane', source: 'push' });
    const { push_key } = await call('POST', `/${camera_id}/key`);
    const workers = [await spawnWorker()];
    const address = `rtmp://127.0.0.1:${port}/live/${push_key}`;
    const encoder = startFfmpeg(ffmpeg!, [...testPattern({ sound: false }), ...H264_OPTIONS, '-f', 'flv', address]);
    try {
      await expect
        .poll(async () => (await call('GET', `/${camera_id}`)).state, { timeout: 60_000, interval: 200 })
        .toBe('live');
      const session = {
        session_id: String((await call('GET', `/${camera_id}`)).session_id),
        stream_id: String(camera_id),
      };
      await studio.until(session, ({ chunk_count }) => chunk_count >= 2);
      const { connected_at } = (await call('GET', `/${camera_id}`)).push as Record<string, unknown>;
      workers.push(await spawnWorker());
      workers[0]!.kill('SIGKILL');
      await once(workers[0]!, 'exit');
      const { chunk_count: before } = await studio.read(session);
      const after = await studio.until(session, ({ chunk_count }) => chunk_count >= before + 2);
      expect(after.gaps).toHaveLength(1);
      expect(after.gaps[0]!.reason).toMatch(/service was interrupted/);
      expect((await call('GET', `/${camera_id}`)).push).toMatchObject({ publishing: true, connected_at });
      await call('PATCH', `/${camera_id}`, { enabled: false });
      expect(await studio.until(session, isOver)).toMatchObject({ status: 'FINISHED', video_ids: [after.video_id] });
    } finally {
      await encoder.stop();
      for (const worker of workers) worker.kill('SIGKILL');
    }
  }, 200_000);
});
