import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '#platform/ids';
import { type ForeignIds, walkFolderLimit, walkOtherOrganization, walkUnknownIds } from './api/folder-walk.ts';
import { fetchDocument } from './api/operations.ts';
import { startTestApp, type TestApp } from './app.ts';
import type { ApiResponse } from './http.ts';
import { sceneClip } from './media/clips.ts';
import { startHuggingFaceHub } from './servers/hugging-face-hub.ts';

/** Keys that are limited to one folder, on the complete app. */
let app: TestApp;
let whole: string;
let limited: string;
let here: { folderId: string; videoId: string };
let elsewhere: ForeignIds;
let hub: Awaited<ReturnType<typeof startHuggingFaceHub>>;

const call = (method: string, path: string, key: string, json?: object) => app.api.call(method, path, { key, json });

beforeAll(async () => {
  hub = await startHuggingFaceHub({ token: 'hf_example' });
  hub.put('ns/drives', 'one.mp4', await readFile(await sceneClip()));
  app = await startTestApp({ SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.1/32' });
  const { keys, accounts } = app.sightline;
  const owner = (await accounts.owner())!;
  whole = (await keys.create({ ...owner, name: 'whole', scopes: ['read', 'write'] })).key;
  const [folderId, otherId] = await Promise.all(['Here', 'Elsewhere'].map(folderOf));
  limited = (await keys.create({ ...owner, name: 'limited', folderId: folderId! })).key;
  here = { folderId: folderId!, videoId: idOf(await upload(whole, { folder_id: folderId! })) };
  const videoId = idOf(await upload(whole, { folder_id: otherId! }));
  const query = await call('POST', '/api/router/v2/query/start', whole, { query: 'a cut', video_id: videoId });
  const batch = await call('GET', `/api/batch/${query.json.batch_id}/status`, whole);
  const tus = await app.api.call('POST', '/api/uploads', {
    key: whole,
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': '9',
      'upload-metadata': `folder_id ${Buffer.from(otherId!).toString('base64')}`,
    },
  });
  const search = await call('POST', '/api/search-sessions/start', whole, {
    query: 'a cut',
    folder_name: 'Elsewhere',
    scope: 'org',
  });
  const ingest = await call('POST', '/api/mcap/create-ingest', whole, {
    filename: 'drive.mcap',
    size_bytes: 9,
    folder_id: otherId,
  });
  const integration = await call('POST', '/api/cloud-integrations/hf-bucket', whole, {
    name: 'Drives',
    token: 'hf_example',
    bucket: 'ns/drives',
    endpoint_url: hub.endpoint,
  });
  const bucket = { integration_id: integration.json.id, folder_id: otherId };
  const imported = await call('POST', '/api/hf-buckets/upload', whole, { ...bucket, files: ['one.mp4'] });
  const sync = await call('POST', '/api/import-syncs', whole, { ...bucket, every_minutes: 44_640 });
  const logs = await call('POST', '/api/mcap/cloud-ingest/s3', whole, { ...bucket, files: [{ key: 'one.mp4' }] });
  const live = await call('POST', '/api/live/start-session', whole, {
    source_url: 'rtsp://127.0.0.1:9/stream',
    name: 'Gate',
    folder_id: otherId,
  });
  const exported = await call('POST', '/api/exports', whole, { format: 'csv', folder_id: otherId });
  const selected = await call('POST', '/api/exports/dataset', whole, { video_ids: [videoId] });
  const dataset = await call('POST', '/api/data-curation/datasets', whole, { name: 'a', video_ids: [videoId] });
  await call('POST', `/api/datasets/${dataset.json.id}/versions`, whole, {});
  const taxonomy = await call('POST', `/api/marketplace/datasets/${dataset.json.id}/taxonomy`, whole, {
    fields: [{ name: 'dark', type: 'boolean' }],
  });
  const saved = await call('POST', '/api/saved-questions', whole, { name: 'Cuts', query: 'a cut', folder_id: otherId });
  const points = [
    { x: 0, y: 0.5 },
    { x: 1, y: 0.5 },
  ];
  const zone = await call('POST', '/api/zones', whole, { name: 'A', points, video_id: videoId });
  const camera = await call('POST', '/api/cameras', whole, {
    source_url: 'rtsp://127.0.0.1:9/stream',
    name: 'Gate',
    folder_id: otherId,
    enabled: false,
  });
  const observed = await call('POST', '/api/observations', whole, { observers: ['signals'], video_ids: [videoId] });
  const admin = (await keys.create({ ...owner, name: 'admin', scopes: ['admin'] })).key;
  const webhook = await call('POST', '/api/webhooks', admin, { url: hub.endpoint, folder_id: otherId });
  const ping = await call('POST', `/api/webhooks/${webhook.json.webhook_id}/ping`, admin);
  elsewhere = {
    video_id: videoId,
    analysis_id: (batch.json.videos as [{ analysis_id: string }])[0].analysis_id,
    event_id: `${(batch.json.videos as [{ analysis_id: string }])[0].analysis_id}-0`,
    batch_id: String(query.json.batch_id),
    stream_id: String(query.json.stream_id),
    upload_id: tus.headers.get('location')!.split('/').at(-1)!,
    session_id: String(search.json.session_id),
    owner_uid: String(search.json.owner_uid),
    ingest_id: String(ingest.json.mcap_ingest_id),
    integration_id: String(integration.json.id),
    job_id: String(imported.json.import_job_id),
    sync_id: String(sync.json.id),
    mcap_import_job_id: String(logs.json.mcap_import_job_id),
    folder_id: otherId!,
    folder_name: 'Elsewhere',
    export_id: String(exported.json.export_id),
    dataset_export_id: String(selected.json.export_id),
    dataset_id: String(dataset.json.id),
    run_id: (taxonomy.json.fast_taxonomy as { sub_batch_id: string }).sub_batch_id,
    saved_question_id: String(saved.json.saved_question_id),
    webhook_id: String(webhook.json.webhook_id),
    delivery_id: String(ping.json.delivery_id),
    zone_id: String(zone.json.zone_id),
    camera_id: String(camera.json.camera_id),
    observation_id: String(observed.json.observation_id),
    live_session_id: String(live.json.session_id),
    live_stream_id: String(live.json.stream_id),
  };
});
afterAll(async () => {
  await app?.close();
  await hub?.stop();
});

const folderOf = async (name: string) =>
  String((await call('POST', '/api/folders', whole, { name, scope: 'org' })).json.id);

async function upload(key: string, fields: Record<string, string> = {}): Promise<ApiResponse> {
  const body = new FormData();
  for (const [name, value] of Object.entries({ source: 'file', ...fields })) body.set(name, value);
  body.set('file', new Blob([await readFile(await sceneClip())]), 'scene.mp4');
  return app.api.call('POST', '/api/upload-video', { key, body });
}
function idOf({ status, json, text }: ApiResponse): string {
  expect(status, text).toBe(200);
  return String(json.video_id);
}

test('no operation gives such a key access to another folder', async () => {
  const document = await fetchDocument(app.api);
  const { wrong, open } = await walkFolderLimit(app.api, document, limited, elsewhere);
  expect(wrong).toEqual([]);
  expect(open.length).toBeGreaterThan(25);
});

test('no operation gives a key of another organization data, or changes anything', async () => {
  const { database, keys } = app.sightline;
  const [orgId, userId] = [newId(), newId()];
  await database.db.insertInto('organizations').values({ id: orgId, name: 'Another' }).execute();
  const user = { id: userId, orgId, email: 'other@localhost', name: 'Other', role: 'owner' };
  await database.db.insertInto('users').values(user).execute();
  const { key } = await keys.create({ orgId, userId, name: 'other', scopes: ['admin'] });
  const document = await fetchDocument(app.api);
  const before = await call('GET', `/api/video/${elsewhere.video_id}/status`, whole);
  const found = new Set(Object.values(elsewhere));
  expect(found.size, JSON.stringify(elsewhere)).toBe(Object.keys(elsewhere).length);
  expect(await walkOtherOrganization(app.api, document, key, elsewhere)).toEqual([]);
  expect((await call('GET', `/api/video/${elsewhere.video_id}/status`, whole)).json).toEqual(before.json);
  const folder = await call('GET', `/api/folders/${elsewhere.folder_id}`, whole);
  expect(folder.json).toMatchObject({ name: 'Elsewhere', retention_days: null });
  for (const path of [
    `video/${elsewhere.upload_id}/status`,
    `cloud-integrations/${elsewhere.integration_id}`,
    `import-jobs/${elsewhere.job_id}/videos`,
    `import-syncs/${elsewhere.sync_id}`,
    `mcap/import-jobs/${elsewhere.mcap_import_job_id}`,
    `mcap/${elsewhere.ingest_id}`,
  ]) {
    const answer = await call('GET', `/api/${path}`, whole);
    expect([path, answer.status]).toEqual([path, 200]);
  }
  const saved = await call('GET', `/api/cloud-integrations/${elsewhere.integration_id}`, whole);
  expect(saved.json).toMatchObject({ name: 'Drives', bucket: 'ns/drives' });
});

test('foreign and unknown ids get equal responses, except for the specified 403 and 404', async () => {
  const { database, keys } = app.sightline;
  const [orgId, userId] = [newId(), newId()];
  await database.db.insertInto('organizations').values({ id: orgId, name: 'Third' }).execute();
  const user = { id: userId, orgId, email: 'third@localhost', name: 'Third', role: 'owner' };
  await database.db.insertInto('users').values(user).execute();
  const { key } = await keys.create({ orgId, userId, name: 'third', scopes: ['admin'] });
  const document = await fetchDocument(app.api);
  const outcomes = await walkUnknownIds(app.api, document, key, elsewhere);
  const wrong = [...outcomes].filter(([, { foreign, unknown }]) => {
    const alike = foreign.status === unknown?.status && foreign.error === unknown?.error;
    const specified =
      foreign.status === 403 &&
      unknown?.status === 404 &&
      /_forbidden$/.test(String(foreign.error)) &&
      /_(not_found|unknown)$/.test(String(unknown.error));
    return !alike && !specified;
  });
  expect(wrong).toEqual([]);
  expect(outcomes.size).toBeGreaterThan(100);
});

test('it works in its own folder, which its uploads go to', async () => {
  const uploaded = await upload(limited);
  expect(uploaded.json).toMatchObject({ status: 'uploaded', folder_id: here.folderId, scope: 'org' });
  const videoId = idOf(uploaded);
  const tus = await app.api.call('POST', '/api/uploads', {
    key: limited,
    headers: { 'tus-resumable': '1.0.0', 'upload-length': '9' },
  });
  const uploadId = tus.headers.get('location')!.split('/').at(-1)!;
  expect((await call('GET', `/api/video/${uploadId}/status`, limited)).json.folder_id).toBe(here.folderId);

  const changed = await call('PATCH', `/api/video/${videoId}`, limited, { name: 'mine', tags: ['seen'] });
  expect(changed.json).toMatchObject({ video_name: 'mine', tags: ['seen'] });
  expect((await call('POST', `/api/video/${videoId}/signed-url`, limited, {})).status).toBe(200);
  const folder = await call('POST', '/api/folders/create-or-get', limited, { name: 'Here', scope: 'org' });
  expect(folder.json.id).toBe(here.folderId);

  const query = await call('POST', '/api/router/v2/query/start', limited, { query: 'a cut', video_id: videoId });
  const batchId = query.json.batch_id;
  await vi.waitFor(
    async () => {
      const { json } = await call('GET', `/api/batch/${batchId}/status?include_videos=true`, limited);
      expect(json.status).toBe('completed');
    },
    { timeout: 60_000, interval: 500 },
  );
  const bulk = await call('POST', `/api/batch/${batchId}/analyses/bulk`, limited, { video_ids: [videoId] });
  expect(bulk.json.analyses).toHaveLength(1);
  expect((await call('DELETE', `/api/video/${videoId}`, limited)).json.status).toBe('deleted');
  expect((await call('POST', `/api/video/${videoId}/restore`, limited)).status).toBe(200);
});

test('lists contain only videos of its folder', async () => {
  for (const [path, name] of [
    ['/api/my-videos', 'videos'],
    ['/api/videos', 'videos'],
    ['/api/folders', 'folders'],
  ] as const) {
    const { text, json } = await call('GET', path, limited);
    expect(text).not.toContain(elsewhere.video_id);
    const ids = (json[name] as { folder_id?: string; id?: string }[]).map((each) => each.folder_id ?? each.id);
    expect(new Set(ids)).toEqual(new Set([here.folderId]));
  }
});

test('it loses access to a video that is moved out, and cannot move any out', async () => {
  const id = idOf(await upload(limited));
  for (const to of [null, elsewhere.folder_id]) {
    const refused = await call('PATCH', `/api/video/${id}`, limited, { folder_id: to });
    expect([refused.status, refused.json.error]).toEqual([403, 'key_limited']);
  }
  expect((await call('PATCH', `/api/video/${id}`, whole, { folder_id: elsewhere.folder_id })).status).toBe(200);
  expect((await call('GET', `/api/video/${id}/status`, limited)).json.error).toBe('key_limited');
});

test('it cannot find out whether another folder exists', async () => {
  for (const name of ['Elsewhere', 'Nowhere']) {
    for (const [method, path, json] of [
      ['GET', `/api/folders/get?name=${name}`],
      ['POST', '/api/folders/create-or-get', { name, scope: 'org' }],
      ['GET', `/api/my-videos?folder=${name}`],
    ] as const) {
      const answer = await call(method, path, limited, json);
      expect([name, path, answer.status, answer.json.error]).toEqual([name, path, 403, 'key_limited']);
    }
  }
  for (const id of [elsewhere.folder_id, '0'.repeat(32)]) {
    const answer = await call('GET', `/api/folders/${id}`, limited);
    expect([answer.status, answer.json.error]).toEqual([403, 'key_limited']);
  }
});

test('its verification reports the folder, and only callers who see the folder can create it', async () => {
  expect((await call('POST', '/api/keys/verify', limited)).json.folder_id).toBe(here.folderId);
  expect((await call('POST', '/api/keys/verify', whole)).json.folder_id).toBeNull();
  const { keys, accounts } = app.sightline;
  const admin = (await keys.create({ ...(await accounts.owner())!, name: 'admin', scopes: ['admin'] })).key;
  const made = await call('POST', '/api/keys', admin, { name: 'robot', folder_id: here.folderId });
  expect(made.json).toMatchObject({ folder_id: here.folderId, scopes: ['read', 'write'] });
  const nowhere = await call('POST', '/api/keys', admin, { name: 'robot', folder_id: '0'.repeat(32) });
  expect([nowhere.status, nowhere.json.error]).toEqual([404, 'key_folder_unknown']);
  const wide = await call('POST', '/api/keys', admin, { name: 'r', scopes: ['admin'], folder_id: here.folderId });
  expect([wide.status, wide.json.error]).toEqual([400, 'key_request_invalid']);
});

test('it has no access once its folder is deleted', async () => {
  const folderId = await folderOf('Passing');
  const owner = (await app.sightline.accounts.owner())!;
  const { key } = await app.sightline.keys.create({ ...owner, name: 'passing', folderId });
  const id = idOf(await upload(key));
  await call('DELETE', `/api/folders/${folderId}?videos=move_to_root`, whole);
  expect((await call('GET', `/api/video/${id}/status`, key)).status).toBe(403);
  expect((await call('GET', '/api/my-videos', key)).json.error).toBe('folder_not_found');
  expect((await upload(key)).json.error).toBe('folder_not_found');
});
