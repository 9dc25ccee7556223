import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startFaultyProxy } from '#test/servers/faulty-proxy';
import { createS3TestClient } from '#test/servers/s3-client';
import { type S3Server, startS3Server } from '#test/servers/s3-server';
import type { DomainEvents } from '../events/index.ts';
import { createVideo, type ImportService, openImportService, s3Keys } from './test-service.fixture.ts';

const { s3Server } = inject('programs');

describe.skipIf(!s3Server)('an import', () => {
  let server: S3Server;
  let proxy: Awaited<ReturnType<typeof startFaultyProxy>>;
  let filler: ReturnType<typeof createS3TestClient>;
  let service: ImportService;
  let integration: string;
  const ended: DomainEvents['import.ended'][] = [];

  beforeAll(async () => {
    server = await startS3Server(s3Server!);
    proxy = await startFaultyProxy(server.endpoint);
    filler = createS3TestClient(server.endpoint);
    service = await openImportService();
    service.library.events.subscribe('import.ended', async (_, event) => void ended.push(event));
    await filler.makeBucket('fleet');
    for (const name of ['a/one.mp4', 'a/two.mp4', 'a/deep/three.mp4', 'b/four.mp4']) {
      await filler.put('fleet', name, await createVideo(name));
    }
    await filler.put('fleet', 'a/one.json', JSON.stringify({ fields: [{ name: 'speed', unit: 'mph' }], data: [] }));
    await filler.put('fleet', 'a/one.srt', '1\n00:00:00,000 --> 00:00:01,000\nGood morning.\n');
    await filler.put('fleet', 'a/two.vtt', 'WEBVTT\n\n00:00.000 --> 00:01.000\nTurn left.\n');
    await filler.put('fleet', 'a/notes.txt', 'not a video');
    await filler.put('fleet', 'a/broken.mp4', 'not a video either');
    await filler.put('fleet', 'a/empty.mp4', Buffer.alloc(0));
    integration = await service.save('s3', s3Keys(server.endpoint, 'fleet'));
  });
  afterAll(async () => {
    await service.close();
    filler.close();
    await proxy.stop();
    await server.stop();
  });

  const start = (body: object) =>
    service.call('POST', '/api/s3/upload', { collection: 'videos', folder_id: null, ...body });
  const idOf = (answer: Awaited<ReturnType<typeof start>>) => {
    expect(answer.status, answer.text).toBe(200);
    return String(answer.json.import_job_id);
  };

  test('of named objects returns the ids of their videos immediately', async () => {
    const answer = await start({ keys: ['a/one.mp4', 's3://fleet/b/four.mp4', 'a/one.mp4'], bucket: 'fleet' });
    const id = idOf(answer);
    expect(id).toMatch(/^ij_[0-9a-f]{12}$/);
    const ids = answer.json.uploaded_video_ids as string[];
    expect(ids).toHaveLength(2);
    expect(answer.json).toMatchObject({ status: 'importing', total: 2 });
    const job = (await service.call('GET', `/api/import-jobs/${answer.json.import_job_id}`)).json;
    expect(job.poll_after_seconds).toEqual(job.terminal ? null : 2);
    // Clients request the status of each video before it is imported.
    expect((await service.call('GET', `/api/video/${ids[0]}/status`)).status).toBe(200);
    expect(await service.ended(id)).toMatchObject({
      id,
      import_job_id: id,
      job_id: id,
      status: 'completed',
      source: 's3',
      bucket: 'fleet',
      terminal: true,
      poll_after_seconds: null,
      integration_id: integration,
      total: 2,
      uploaded: 2,
      failed: 0,
      folder_name: null,
    });
    expect(await service.rows(id)).toMatchObject([
      { video_id: ids[0], status: 'UPLOADED', import_source_uri: 's3://fleet/a/one.mp4', size_bytes: 40_000 },
      { video_id: ids[1], status: 'UPLOADED', import_source_uri: 's3://fleet/b/four.mp4' },
    ]);
    const { json } = await service.call('GET', `/api/video/${ids[1]}/status`);
    expect(json).toMatchObject({
      status: 'uploaded',
      video_name: 'four.mp4',
      metadata: { source: 's3', source_uri: 's3://fleet/b/four.mp4', size_bytes: 40_000 },
    });
    const used = await service.call('GET', `/api/cloud-integrations/${integration}`);
    expect(used.json.last_used).not.toBeNull();
  });

  test('reports each object that fails, with the reason', async () => {
    const id = idOf(
      await start({ keys: ['a/two.mp4', 'a/none.mp4', 'a/broken.mp4', 'a/empty.mp4'], integration_id: integration }),
    );
    const firstRows = await service.rows(id);
    expect(firstRows[1]).toMatchObject({ status: 'UPLOADING_FAILED', error: 'object_not_found' });
    expect(await service.ended(id)).toMatchObject({ status: 'partial', total: 4, uploaded: 1, failed: 3 });
    const [two, none, broken, empty] = await service.rows(id);
    expect(two).toMatchObject({ status: 'UPLOADED', error: null });
    expect(none).toMatchObject({ message: 'The bucket "fleet" has no object "a/none.mp4".' });
    expect(broken).toMatchObject({ status: 'UPLOADING_FAILED', error: 'media_unreadable' });
    expect(empty).toMatchObject({ status: 'UPLOADING_FAILED', error: 'media_empty', size_bytes: 0 });
    const status = await service.call('GET', `/api/video/${none!.video_id}/status`);
    expect(status.json).toMatchObject({ status: 'uploading_failed', error: 'object_not_found' });
  });

  test.each([
    ['of objects that do not exist', { keys: ['a/none.mp4', 'b/none.mp4'] }, 'import_invalid', /None of the 2 objects/],
    ['of one object that does not exist', { keys: ['a/none.mp4'] }, 'object_not_found', /a\/none\.mp4/],
    ['without objects', {}, 'import_invalid', /one way/],
    ['with both keys and a prefix', { keys: ['a/one.mp4'], prefix: 'a/' }, 'import_invalid', /one way/],
    ['from another bucket', { keys: ['s3://other/a.mp4'] }, 'import_invalid', /is not in the bucket/],
    [
      'of another bucket than the integration’s',
      { keys: ['a/one.mp4'], bucket: 'other' },
      'import_invalid',
      /for the bucket/,
    ],
    ['of a prefix without objects', { prefix: 'none/' }, 'import_nothing_found', /none\//],
    ['of a set without a front view', { sets: [{ views: { left: 'a/one.mp4' } }] }, 'import_invalid', /`front`/],
    [
      'of a set with a role twice',
      { sets: [{ views: { front: 'a/one.mp4', left: 'a/one.mp4', LEFT: 'a/two.mp4' } }] },
      'import_invalid',
      /"left".*occurs once/,
    ],
    [
      'of a set with an invalid role',
      { sets: [{ views: { front: 'a/one.mp4', 'left side': 'a/two.mp4' } }] },
      'import_invalid',
      /"left side" is not a valid/,
    ],
  ])('%s is rejected', async (_, body, error, message) => {
    const answer = await start({ integration_id: integration, ...body });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error, message: expect.stringMatching(message) });
  });

  test('of the greatest number of objects is within the body limit', async () => {
    const keys = Array.from({ length: 10_000 }, (_, i) => `drives/${i}`.padEnd(1_000, 'é'));
    expect((await start({ keys, integration_id: 'none' })).json).toMatchObject({ error: 'integration_not_found' });
  });

  test('without an integration for its bucket is rejected', async () => {
    const answer = await start({ keys: ['a.mp4'], bucket: 'unknown' });
    expect(answer.json).toMatchObject({ error: 'integration_missing' });
  });

  test('of a selection imports the matching objects with their sidecars, as its preview lists them', async () => {
    const selection = { integration_id: integration, prefix: 'a/', include: ['**/*.mp4'], exclude: ['**/broken*'] };
    const preview = await service.call('POST', '/api/import-jobs/preview', selection);
    const keys = ['a/deep/three.mp4', 'a/one.mp4', 'a/two.mp4'];
    expect((preview.json.objects as { key: string }[]).map(({ key }) => key)).toEqual(keys);
    expect(preview.json).toMatchObject({ passed_over: 6, has_more: false, next_cursor: null });
    const folder = await service.call('POST', '/api/folders', { name: 'Imported', scope: 'org' });
    const id = idOf(await start({ ...selection, sidecars: true, folder_id: folder.json.id }));
    expect(await service.ended(id)).toMatchObject({
      status: 'completed',
      total: 3,
      uploaded: 3,
      folder_name: 'Imported',
      prefix: 'a/',
    });
    const rows = await service.rows(id);
    expect(rows.map((row) => row.import_source_uri)).toEqual(keys.map((key) => `s3://fleet/${key}`));
    const { json } = await service.call('GET', `/api/video/${rows[1]!.video_id}/status`);
    expect(json).toMatchObject({ scope: 'org', folder_name: 'Imported' });
    expect(json.metadata).toMatchObject({
      sidecar: { filename: 'one.json', fields: [{ name: 'speed', unit: 'mph' }] },
      subtitles: { filename: 'one.srt', format: 'srt', captions: 1 },
    });
    const two = await service.call('GET', `/api/video/${rows[2]!.video_id}/status`);
    expect(two.json.metadata).toMatchObject({ subtitles: { filename: 'two.vtt', captions: 1 } });
    expect(two.json.metadata).not.toHaveProperty('sidecar');
    expect(String(await service.library.storage.readAll(`videos/${rows[2]!.video_id}/subtitles`))).toContain(
      'Turn left.',
    );
  });

  test('of sets has a row per set, and publishes each set once all views are imported', async () => {
    const published: unknown[] = [];
    service.library.events.subscribe('views.linked', async (_, { primaryVideoId, views }) => {
      published.push([primaryVideoId, ...views.map(({ role, videoId }) => `${role} ${videoId}`)]);
    });
    const views = (front: string, left: string) => ({
      views: { left: `s3://fleet/${left}`, front: `s3://fleet/${front}` },
    });
    const sets = [views('a/one.mp4', 'a/two.mp4'), views('b/four.mp4', 'a/none.mp4')];
    const answer = await start({ sets });
    const id = idOf(answer);
    expect(await service.ended(id)).toMatchObject({ status: 'partial', total: 2, objects: 4, uploaded: 3, failed: 1 });
    const rows = await service.rows(id);
    expect(rows.map(({ video_id }) => video_id)).toEqual(answer.json.uploaded_video_ids);
    expect(rows).toMatchObject([
      {
        status: 'UPLOADED',
        import_source_uri: 's3://fleet/a/one.mp4',
        views: { front: {}, left: { status: 'UPLOADED' } },
      },
      { status: 'UPLOADING_FAILED', error: 'object_not_found', import_source_uri: 's3://fleet/b/four.mp4' },
    ]);
    const { front, left } = rows[0]!.views as Record<string, { video_id: string }>;
    expect(published).toEqual([[front!.video_id, `front ${front!.video_id}`, `left ${left!.video_id}`]]);
    const offset = await service.call('GET', `/api/import-jobs/${id}/videos?offset=0`);
    expect(offset.json).toMatchObject({ error: 'import_invalid' });
  });

  test('can be canceled and retried', async () => {
    proxy.inject({ hits: ({ method }) => method === 'GET', kind: 'slow', bytesPerS: 10_000 });
    const slow = await service.save('s3', s3Keys(proxy.endpoint, 'fleet'));
    const keys = ['a/one.mp4', 'a/two.mp4', 'a/deep/three.mp4'];
    const id = idOf(await start({ keys, integration_id: slow }));
    const cancel = () => service.call('POST', `/api/import-jobs/${id}/cancel`);
    expect(await cancel()).toMatchObject({ status: 200, json: { status: 'cancelled' } });
    expect(await service.ended(id)).toMatchObject({ status: 'cancelled', uploaded: 0, failed: 3 });
    expect((await service.rows(id)).map(({ error }) => error)).toEqual(keys.map(() => 'import_cancelled'));
    expect(await cancel()).toMatchObject({ status: 409, json: { error: 'import_not_running' } });
    proxy.heal();
    expect((await service.call('POST', `/api/import-jobs/${id}/retry`)).json).toMatchObject({ status: 'importing' });
    expect(await service.ended(id)).toMatchObject({ status: 'completed', uploaded: 3, failed: 0 });
    expect((await service.call('POST', `/api/import-jobs/${id}/retry`)).json).toMatchObject({
      error: 'import_nothing_failed',
    });
  });

  test('retries a failed object under the same id', async () => {
    const id = idOf(await start({ keys: ['b/four.mp4', 'later.mp4'], integration_id: integration }));
    await service.ended(id);
    const before = await service.rows(id);
    await filler.put('fleet', 'later.mp4', await createVideo('later'));
    await service.call('POST', `/api/import-jobs/${id}/retry`);
    expect(await service.ended(id)).toMatchObject({ status: 'completed', uploaded: 2, failed: 0 });
    const after = await service.rows(id);
    expect(after.map(({ video_id }) => video_id)).toEqual(before.map(({ video_id }) => video_id));
    expect(after[1]).toMatchObject({ status: 'UPLOADED', error: null });
    await filler.remove('fleet', 'later.mp4');
  });

  test('retries only the named rows', async () => {
    const id = idOf(await start({ keys: ['b/four.mp4', 'later.mp4', 'never.mp4'], integration_id: integration }));
    await service.ended(id);
    const [four, later, never] = await service.rows(id);
    await filler.put('fleet', 'later.mp4', await createVideo('later'));
    await filler.put('fleet', 'never.mp4', await createVideo('never'));
    const retry = (video_ids: unknown) => service.call('POST', `/api/import-jobs/${id}/retry`, { video_ids });
    expect(await retry([later!.video_id, four!.video_id])).toMatchObject({
      status: 409,
      json: {
        error: 'import_row_not_failed',
        message: `The video ${four!.video_id} is not a failed row of this import.`,
      },
    });
    await retry([later!.video_id]);
    expect(await service.ended(id)).toMatchObject({ status: 'partial', uploaded: 2, failed: 1 });
    expect(await service.rows(id)).toMatchObject([
      { video_id: four!.video_id, status: 'UPLOADED' },
      { video_id: later!.video_id, status: 'UPLOADED' },
      { video_id: never!.video_id, status: 'UPLOADING_FAILED' },
    ]);
    await retry(null);
    expect(await service.ended(id)).toMatchObject({ status: 'completed', uploaded: 3, failed: 0 });
    for (const key of ['later.mp4', 'never.mp4']) await filler.remove('fleet', key);
  });

  test('fails the row of a video that is deleted before its transfer', async () => {
    const id = idOf(await start({ keys: ['b/four.mp4', 'a/none.mp4'], integration_id: integration }));
    const [, none] = await service.rows(id);
    await service.ended(id);
    await service.call('DELETE', `/api/video/${none!.video_id}`);
    await service.call('POST', `/api/import-jobs/${id}/retry`);
    expect(await service.ended(id)).toMatchObject({ uploaded: 1, failed: 1 });
    expect((await service.rows(id))[1]).toMatchObject({ status: 'UPLOADING_FAILED', error: 'import_deleted' });
  });

  test('prevents the deletion of its integration while it runs', async () => {
    const other = await service.save('s3', s3Keys(server.endpoint, 'fleet'));
    const { db } = service.library.database;
    const id = idOf(await start({ keys: ['a/one.mp4'], integration_id: other }));
    await service.ended(id);
    await db.updateTable('importJobs').set({ status: 'importing' }).where('id', '=', id).execute();
    const refused = await service.call('DELETE', `/api/cloud-integrations/${other}`);
    expect(refused.json).toMatchObject({ error: 'integration_in_use' });
    await db.updateTable('importJobs').set({ status: 'completed' }).where('id', '=', id).execute();
    expect((await service.call('DELETE', `/api/cloud-integrations/${other}`)).status).toBe(200);
    expect((await service.call('GET', `/api/import-jobs/${id}`)).json).toMatchObject({ integration_id: null });
  });

  test('on a schedule imports new objects, and none twice', async () => {
    await filler.makeBucket('growing');
    await filler.put('growing', 'in/1.mp4', await createVideo('1'));
    const growing = await service.save('s3', s3Keys(server.endpoint, 'growing'));
    const made = await service.call('POST', '/api/import-syncs', {
      integration_id: growing,
      prefix: 'in/',
      every_minutes: 1_000,
    });
    expect(made.json, made.text).toMatchObject({ prefix: 'in/', every_minutes: 1_000, last_import_job_id: null });
    let last = '';
    /** URIs that a run imported. A run without new objects leaves no job; the previous job is still listed. */
    const run = async () => {
      await service.call('POST', `/api/import-syncs/${made.json.id}/run`);
      const before = last;
      const hasEnded = async () => {
        const { json } = await service.call('GET', `/api/import-syncs/${made.json.id}`);
        last = String(json.last_import_job_id);
        const job = await service.call('GET', `/api/import-jobs/${last}`);
        return Date.parse(String(json.next_run_at)) > Date.now() && Boolean(job.json.completed_at);
      };
      await expect.poll(hasEnded).toBe(true);
      return last === before ? [] : (await service.rows(last)).map((row) => row.import_source_uri);
    };
    expect(await run()).toEqual(['s3://growing/in/1.mp4']);
    expect(await run()).toEqual([]);
    await filler.put('growing', 'in/2.mp4', await createVideo('2'));
    await filler.put('growing', 'in/1.mp4', await createVideo('1, another one'));
    await filler.put('growing', 'out/3.mp4', await createVideo('3'));
    expect(await run()).toEqual(['s3://growing/in/1.mp4', 's3://growing/in/2.mp4']);
    expect(await run()).toEqual([]);
    expect((await service.call('GET', '/api/import-syncs')).json.syncs).toHaveLength(1);
    expect((await service.call('DELETE', `/api/import-syncs/${made.json.id}`)).json).toMatchObject({
      status: 'deleted',
    });
    expect((await service.call('GET', `/api/import-syncs/${made.json.id}`)).status).toBe(404);
  });

  test('publishes its end once, with its counts; a canceled one has none', async () => {
    const named = idOf(await start({ keys: ['a/one.mp4', 'a/none.mp4'], integration_id: integration, force: true }));
    const selected = idOf(await start({ prefix: 'a/deep/', integration_id: integration, force: true }));
    const nothing = idOf(await start({ keys: ['a/broken.mp4'], integration_id: integration }));
    for (const id of [named, selected, nothing]) await service.ended(id);
    const endsOf = (id: string) => ended.filter(({ importId }) => importId === id);
    const counts = { folderId: null, skipped: 0, code: null, message: null };
    expect(endsOf(named)).toMatchObject([{ ...counts, status: 'partial', total: 2, uploaded: 1, failed: 1 }]);
    expect(endsOf(selected)).toMatchObject([{ ...counts, status: 'completed', total: 1, uploaded: 1, failed: 0 }]);
    expect(endsOf(nothing)).toMatchObject([{ ...counts, status: 'failed', total: 1, uploaded: 0, failed: 1 }]);
    // All imports of this file.
    const jobs = await service.library.database.db.selectFrom('importJobs').select(['id', 'status']).execute();
    const last = new Map(ended.map(({ importId, status }) => [importId, status as string]));
    const over = jobs.filter(({ status }) => !['cancelled', 'importing'].includes(status));
    expect([...last].sort()).toEqual(over.map(({ id, status }) => [id, status]).sort());
  });

  test('lists its rows page by page, each once, in a stable order', async () => {
    const id = idOf(
      await start({ keys: ['a/one.mp4', 'a/two.mp4', 'b/four.mp4', 'a/none.mp4'], integration_id: integration }),
    );
    const other = idOf(await start({ keys: ['a/one.mp4'], integration_id: integration, force: true }));
    await service.ended(id);
    const page = (query: string, job = id) => service.call('GET', `/api/import-jobs/${job}/videos${query}`);
    const all = (await page('')).json.videos as { video_id: string }[];
    const seen: unknown[] = [];
    let cursor: string | null = null;
    do {
      const { json }: { json: Record<string, unknown> } = await page(`?limit=3${cursor ? `&cursor=${cursor}` : ''}`);
      const videos = json.videos as { video_id: string }[];
      expect(json).toMatchObject({ import_job_id: id, total: 4, video_count: videos.length, limit: 3, cursor });
      expect(json.has_more).toBe(json.next_cursor !== null);
      seen.push(...videos);
      cursor = json.next_cursor as string | null;
      if (cursor) expect(cursor).toBe(videos.at(-1)!.video_id);
    } while (cursor);
    expect(seen).toEqual(all);
    expect((await page('?offset=2&limit=1')).json.videos).toEqual([all[2]]);
    expect((await page('?offset=4')).json).toMatchObject({ videos: [], video_count: 0, has_more: false });
    const foreign = ((await page('', other)).json.videos as { video_id: string }[])[0]!.video_id;
    for (const query of [
      '?limit=0',
      '?limit=1001',
      '?limit=x',
      '?offset=-1',
      '?cursor=made-up',
      `?cursor=${foreign}`,
      `?cursor=${all[0]!.video_id}&offset=1`,
    ]) {
      expect((await page(query)).status, query).toBe(400);
    }
    expect((await page('', 'ij_000000000000')).json).toMatchObject({ error: 'import_not_found' });
    const stranger = await service.library.keyOf(await service.library.addUser(), ['read', 'write']);
    const colleague = await service.library.keyOf(await service.library.addUser(service.library.owner.orgId), [
      'read',
      'write',
    ]);
    for (const { key } of [stranger, colleague]) {
      const { status, json } = await service.call('GET', `/api/import-jobs/${id}/videos`, undefined, key);
      expect([status, json.error]).toEqual([403, 'import_forbidden']);
      expect((await service.call('GET', '/api/import-jobs', undefined, key)).json.import_jobs).not.toContainEqual(
        expect.objectContaining({ id }),
      );
    }
    const listed = await service.call('GET', '/api/import-jobs?limit=1');
    expect(listed.json).toMatchObject({ import_jobs: [{ id: other }], has_more: true, next_cursor: other });
    const next = await service.call('GET', `/api/import-jobs?limit=1&cursor=${other}`);
    expect(next.json).toMatchObject({ import_jobs: [{ id }] });
  });
});
