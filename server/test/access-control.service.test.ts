import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#platform/ids';
import { ACCESS_TABLE } from './api/access-table.ts';
import { createCallers, walkAccess } from './api/access-walk.ts';
import { createWalkKeys, createWalkSessions, walkAuthentication } from './api/auth-walk.ts';
import { fetchDocument } from './api/operations.ts';
import { startTestApp, type TestApp } from './app.ts';
import { sceneClip } from './media/clips.ts';

/** Access control of the complete app: every kind of key on every route, and a second organization. */
let app: TestApp;
beforeAll(async () => {
  // Nothing here waits for a job, and the walk starts hundreds.
  app = await startTestApp({}, { roles: { api: true, worker: false } });
});
afterAll(() => app.close());

test('each operation checks every kind of key and session', async () => {
  const { database, keys, accounts, people } = app.sightline;
  const owner = (await accounts.owner())!;
  const walkKeys = await createWalkKeys(database, keys, owner);
  const walkSessions = createWalkSessions(database, people, owner);
  const document = await fetchDocument(app.api);
  const { wrong, walked } = await walkAuthentication(app.api, document, walkKeys, walkSessions);
  expect(wrong).toEqual([]);
  expect(walked).toBeGreaterThan(15);
});

test('each operation gives every caller the access that the table states, to personal and to shared rows', async () => {
  const { database, keys } = app.sightline;
  const callers = await createCallers(database, keys);
  const document = await fetchDocument(app.api);
  const outcomes = await walkAccess(app.api, database, document, callers);
  expect(outcomes).toEqual(ACCESS_TABLE);
}, 900_000);

/** Operations that do not find what another organization has, because it is named, and not by an id. */
const NAMED: Readonly<Record<string, string>> = {
  getFolder: 'a folder by its name',
  startSearch: 'a folder by its name',
  downloadModel: 'models are those of all organizations, and none has this name',
  cancelModelDownload: 'models are those of all organizations, and none has this name',
  removeModel: 'models are those of all organizations, and none has this name',
  provideModelFile: 'models are those of all organizations, and none has this name',
};

test('an id of another organization is 403 on every operation', () => {
  const missing = Object.entries(ACCESS_TABLE).filter(([, { user, org }]) =>
    [user.stranger, org.stranger].some((outcome) => /_(not_found|unknown|missing)$/.test(outcome)),
  );
  expect(missing.map(([id]) => id).sort()).toEqual(Object.keys(NAMED).sort());
});

test('videos, analyses, batches and streams of another organization are not accessible', async () => {
  const { keys, accounts } = app.sightline;
  const mine = (await keys.create({ ...(await accounts.owner())!, name: 'mine', scopes: ['read', 'write'] })).key;
  const theirs = (await keys.create({ ...(await secondOrganization()), name: 'theirs', scopes: ['admin'] })).key;
  const call = (method: string, path: string, key: string, json?: object) => app.api.call(method, path, { key, json });

  const body = new FormData();
  body.set('source', 'file');
  body.set('scope', 'org');
  body.set('file', new Blob([await readFile(await sceneClip())]), 'mine.mp4');
  const { json: uploaded } = await app.api.call('POST', '/api/upload-video', { key: mine, body });
  const videoId = String(uploaded.video_id);
  const { json: query } = await call('POST', '/api/router/v2/query/start', mine, { query: 'a cut', video_id: videoId });
  const batch = await call('GET', `/api/batch/${query.batch_id}/status`, mine);
  const [{ analysis_id }] = batch.json.videos as [{ analysis_id: string }];

  const attempts: [string, string, string, object?][] = [
    ['GET', `/api/video/${videoId}/status`, 'video_forbidden'],
    ['DELETE', `/api/video/${videoId}`, 'video_forbidden'],
    ['POST', `/api/video/${videoId}/signed-url`, 'video_forbidden', {}],
    ['POST', '/api/router/v2/query/start', 'video_forbidden', { query: 'a cut', video_id: videoId }],
    ['POST', '/api/router/v2/query/stream', 'video_forbidden', { query: 'a cut', video_id: videoId }],
    ['POST', '/api/router/query', 'video_forbidden', { query: 'a cut', video_ids: [videoId] }],
    ['GET', `/api/videos/${videoId}/analyses/${analysis_id}`, 'analysis_forbidden'],
    ['GET', `/api/videos/${videoId}/analyses/${analysis_id}/status`, 'analysis_forbidden'],
    ['GET', `/api/batch/${query.batch_id}/status`, 'batch_forbidden'],
    ['POST', `/api/batch/${query.batch_id}/analyses/bulk`, 'batch_forbidden', { video_ids: [videoId] }],
    ['GET', `/api/router/v2/query/events/${query.stream_id}`, 'stream_forbidden'],
  ];
  for (const [method, path, error, json] of attempts) {
    const answer = await call(method, path, theirs, json);
    expect([path, answer.status, answer.json.error]).toEqual([path, 403, error]);
    expect(answer.json.detail).toMatch(/belongs to (someone else|another user)/);
  }
  expect((await call('GET', '/api/my-videos', theirs)).json.videos).toEqual([]);
  expect((await call('GET', `/api/video/${videoId}/status`, mine)).status).toBe(200);
});

async function secondOrganization(): Promise<{ orgId: string; userId: string }> {
  const { db } = app.sightline.database;
  const [orgId, userId] = [newId(), newId()];
  await db.insertInto('organizations').values({ id: orgId, name: 'Another' }).execute();
  const user = { id: userId, orgId, email: 'other@localhost', name: 'Other', role: 'owner' };
  await db.insertInto('users').values(user).execute();
  return { orgId, userId };
}
