import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { loadConfig } from '#platform/config/index';
import { createLog } from '#platform/log';
import { compose } from '../src/compose/index.ts';
import { createApiClient } from './http.ts';
import { sceneClip } from './media/clips.ts';

const command = promisify(execFile);
const MB = 2 ** 20;

/** The whole service with its database and files on one small disk, which something else fills to the last byte. */
test('a full disk: /ready reports it, writes are 507, nothing acknowledged is lost, and it recovers with space', {
  timeout: 240_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline full disk '));
  const disk = join(folder, 'disk');
  await mkdir(disk);
  const mounted = await command('mount', ['-t', 'tmpfs', '-o', 'size=800m', 'tmpfs', disk]).catch(
    (error: Error) => error,
  );
  if (mounted instanceof Error) {
    // Only a privileged user can make a small disk; CI does.
    expect(mounted.message).toMatch(/superuser|permission|permitted|denied/i);
    return;
  }
  const given = { SIGHTLINE_PORT: '0', SIGHTLINE_DATA_DIR: join(disk, 'data'), SIGHTLINE_MODELS_DOWNLOAD: 'false' };
  const config = loadConfig(given, availableParallelism());
  const sightline = await compose(config, createLog('silent'), { roles: { api: true, worker: true } });
  try {
    const api = createApiClient((await sightline.start())!);
    const key = sightline.firstKey!;
    const clip = await readFile(await sceneClip());
    const upload = () => {
      const body = new FormData();
      body.set('source', 'file');
      body.set('file', new Blob([clip]), 'scene.mp4');
      return api.call('POST', '/api/upload-video', { key, body });
    };
    const createFolder = (name: string) => api.call('POST', '/api/folders', { key, json: { name } });
    const storedId = String((await upload()).json.video_id);
    clip[clip.length - 1]! ^= 1;
    const [erasedId, deletedId] = [String((await upload()).json.video_id), String((await upload()).json.video_id)];
    const fileOf = (id: string) => stat(join(disk, 'data/files/contents', id, 'source')).then(Boolean, () => false);
    expect(await fileOf(erasedId)).toBe(true);
    // Space for deletions is set aside in the background.
    await expect
      .poll(() =>
        stat(join(disk, 'data/set-aside')).then(
          ({ size }) => size,
          () => 0,
        ),
      )
      .toBe(32 * MB);
    const acknowledged = ['Kept 0'];
    expect((await createFolder('Kept 0')).status).toBe(200);
    expect((await api.call('GET', '/ready')).json.checks).toEqual({ database: 'ok', storage: 'ok', disk: 'ok' });

    const ballast = join(disk, 'ballast');
    await writeFile(ballast, Buffer.alloc(800 * MB)).catch((error) => expect(error.code).toBe('ENOSPC'));
    const refused = (answer: Awaited<ReturnType<typeof upload>>) =>
      expect(answer, answer.text).toMatchObject({
        status: 507,
        json: { error: expect.stringMatching(/_full$/), detail: expect.stringMatching(/full/) },
      });
    await expect.poll(async () => (await createFolder('Lost')).status).toBe(507);
    const ready = await api.call('GET', '/ready');
    expect([ready.status, ready.json.error], ready.text).toEqual([503, 'not_ready']);
    expect(ready.json.message).toContain('disk full');
    for (let round = 0; round < 5; round++) {
      refused(await upload());
      refused(await createFolder('Lost'));
      refused(
        await api.call('POST', '/api/router/v2/query/start', { key, json: { query: 'a cut', video_id: storedId } }),
      );
      refused(await api.call('POST', '/api/keys', { key, json: { name: 'Lost' } }));
    }

    // Deletions free space, also where none is left.
    expect(await api.call('DELETE', `/api/video/${erasedId}?erase=true`, { key })).toMatchObject({ status: 200 });
    const many = await api.call('POST', '/api/videos/delete', { key, json: { video_ids: [deletedId], erase: true } });
    expect([many.status, many.text]).toEqual([200, expect.stringContaining('"ok":true')]);
    await expect.poll(() => fileOf(erasedId), { timeout: 30_000 }).toBe(false);

    // Something else takes what they freed.
    const more = join(disk, 'more ballast');
    await writeFile(more, Buffer.alloc(800 * MB)).catch((error) => expect(error.code).toBe('ENOSPC'));

    // Work in the background writes on until the database itself runs out of space, and may go down over it.
    const grow = sql`create temporary table ballast as
      select repeat(md5(i::text || random()), 500) as text from generate_series(1, 20000) as i`;
    await expect(grow.execute(sightline.database.db)).rejects.toThrow();
    refused(await createFolder('Lost'));

    await Promise.all([ballast, more].map((file) => rm(file)));
    let tries = 0;
    await expect
      .poll(
        async () => {
          const name = `Kept again ${tries++}`;
          const { status } = await createFolder(name);
          if (status === 200) acknowledged.push(name);
          return status;
        },
        { timeout: 90_000, interval: 500 },
      )
      .toBe(200);
    expect((await api.call('GET', '/ready')).status).toBe(200);
    expect((await upload()).status).toBe(200);
    await expect
      .poll(() =>
        stat(join(disk, 'data/set-aside')).then(
          ({ size }) => size,
          () => 0,
        ),
      )
      .toBe(32 * MB);
    const { folders } = (await api.call('GET', '/api/folders', { key })).json as { folders: { name: string }[] };
    const names = folders.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(acknowledged));
    expect(names).not.toContain('Lost');
    expect((await api.call('GET', `/api/video/${storedId}/status`, { key })).json.status).toBe('uploaded');
  } finally {
    await sightline.close();
    await command('umount', [disk]);
    await rm(folder, { recursive: true });
  }
});
