import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { insertUserOnce } from '#features/accounts/store';
import { newId } from '#platform/ids';
import type { TestApp } from '../app.ts';
import type { CallOptions } from '../http.ts';

/** Objects for the operations: a service, a key of its owner, a video, and three buckets. */
export type OperationContext = {
  app: TestApp;
  key: string;
  owner: { orgId: string; userId: string };
  videoId: string;
  clip: Buffer;
  s3: string;
  account: object;
  /** Puts a video into each bucket; returns its key. */
  put(extension?: string): Promise<string>;
  /** A URL of a video. */
  url: string;
};

/** One request: values of its path parameters in order, and its body and headers. */
export type PreparedRequest = CallOptions & { params?: string[]; query?: string };

type Prepare = (ground: OperationContext) => PreparedRequest | Promise<PreparedRequest>;

const TUS = { 'tus-resumable': '1.0.0' };
/** Of a type that no operation here causes, so that it gets no deliveries of theirs. */
const WEBHOOK = { url: 'http://127.0.0.1:9/hook', event_types: ['limit.reached'] };
/** A prompt that needs no model: one of which no part can be searched for is not saved. */
const DARK = 'the picture gets dark';
const SOURCE = 'rtsp://camera.example/stream1';
/** Returns a new name. */
const name = () => `n${randomBytes(6).toString('hex')}`;

async function call({ app, key }: OperationContext, method: string, path: string, options: CallOptions | object = {}) {
  const carried = 'headers' in options || 'body' in options ? options : method === 'GET' ? {} : { json: options };
  const answer = await app.api.call(method, path, { key, ...carried });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer;
}
const post = async (ground: OperationContext, path: string, body: object) =>
  (await call(ground, 'POST', path, body)).json as Record<string, string>;

/** A copy of the ground's video. */
async function video({ app, videoId }: OperationContext): Promise<string> {
  const id = newId();
  await sql`insert into videos select (jsonb_populate_record(v, jsonb_build_object('id', ${id}::text))).*
    from videos v where id = ${videoId}`.execute(app.sightline.database.db);
  return id;
}
async function deletedVideo(ground: OperationContext): Promise<string> {
  const id = await video(ground);
  await call(ground, 'DELETE', `/api/video/${id}`);
  return id;
}
async function heldVideo(ground: OperationContext): Promise<string> {
  const id = await video(ground);
  await post(ground, '/api/videos/hold', { video_ids: [id], reason: 'Claim 4711' });
  return id;
}
async function member({ app, owner }: OperationContext): Promise<string> {
  const id = newId();
  const row = { id, orgId: owner.orgId, email: `${id}@example.com`, name: 'Grace', role: 'member' } as const;
  await app.sightline.database.transaction((trx) => insertUserOnce(trx, row));
  return id;
}
const folder = async (ground: OperationContext, scope = 'user') => {
  const json = { name: name(), scope };
  return { id: (await post(ground, '/api/folders', json)).id!, ...json };
};
const question = async (ground: OperationContext) => ({ query: 'a person walks', video_id: await video(ground) });
const batch = async (ground: OperationContext) =>
  (await post(ground, '/api/router/v2/query/start', await question(ground))).batch_id!;
async function analysis(ground: OperationContext): Promise<{ params: string[]; batchId: string }> {
  const prompt = await question(ground);
  const { batch_id } = await post(ground, '/api/router/v2/query/start', prompt);
  const { videos } = (await call(ground, 'GET', `/api/batch/${batch_id}/status`)).json as {
    videos: { analysis_id: string }[];
  };
  return { params: [prompt.video_id, videos[0]!.analysis_id], batchId: batch_id! };
}
/** An analysis with an event. */
async function analyzed(
  ground: OperationContext,
): Promise<{ params: [string, string]; eventId: string; batchId: string }> {
  const { params, batchId } = await analysis(ground);
  const [videoId, analysisId] = params as [string, string];
  const stored = { description: 'A cut', severity: 'low', start_s: 0, end_s: 1, type: 'cut' };
  const data = { confidence: 0.8, start_pts: 0, end_pts: 1, time_base: [1, 1] };
  const document = { analysis: { events: [{ ...stored, data }] }, events: [{}] };
  const { db } = ground.app.sightline.database;
  await sql`update analyses set status = 'COMPLETED', document = ${JSON.stringify(document)} where id = ${analysisId}`.execute(
    db,
  );
  await sql`insert into analysis_events (analysis_id, position, org_id, owner_id, scope, video_id, type, label, severity,
      confidence, start_s, end_s, created_at, words)
    select id, 0, org_id, owner_id, scope, video_id, 'cut', 'A cut', 'low', 0.8, 0, 1, now(), '' from analyses
    where id = ${analysisId}`.execute(db);
  return { params: [videoId, analysisId], eventId: `${analysisId}-0`, batchId };
}
const reviewed = async (ground: OperationContext) => {
  const { eventId } = await analyzed(ground);
  await call(ground, 'PATCH', `/api/events/${eventId}`, { approval: 'approved' });
  return eventId;
};
async function failedBatch(ground: OperationContext): Promise<string> {
  const id = await batch(ground);
  await sql`update analyses set status = 'FAILED', problem_code = 'analysis_failed' where batch_id = ${id}`.execute(
    ground.app.sightline.database.db,
  );
  return id;
}
const linked = async (ground: OperationContext) => {
  const [front, rear] = [await video(ground), await video(ground)];
  const json = { primary_view_id: front, views: { front, rear } };
  await post(ground, '/api/multi-view/stitch', json);
  return front;
};

const integrations = {
  s3: ({ s3 }: OperationContext) => ({
    name: name(),
    type: 's3',
    access_key_id: 'AKIATEST',
    secret_access_key: 'secret',
    bucket: 'fleet',
    endpoint_url: s3,
    region: 'us-east-1',
  }),
  gcs: ({ account }: OperationContext) => ({ name: name(), type: 'gcs', service_account: account, bucket: 'fleet' }),
  'hf-bucket': () => ({ name: name(), type: 'hf_bucket', token: 'hf_test', bucket: 'ns/fleet' }),
  's3-storage-transfer': () => ({
    name: name(),
    bucket: 'partner',
    role_arn: 'arn:aws:iam::123456789012:role/reader',
    region: 'us-east-1',
  }),
};
type Kind = keyof typeof integrations;
const integration = async (ground: OperationContext, kind: Kind = 's3') =>
  (await post(ground, `/api/cloud-integrations/${kind}?verify=false`, integrations[kind](ground))).id!;
const newIntegration =
  (kind: Kind): Prepare =>
  (ground) => ({ json: integrations[kind](ground), query: '?verify=false' });
const importOf =
  (kind: Kind, field: 'keys' | 'files'): Prepare =>
  async (ground) => ({
    json: { integration_id: await integration(ground, kind), [field]: [await ground.put(), await ground.put()] },
  });
async function importJob(ground: OperationContext): Promise<string> {
  const json = { integration_id: await integration(ground), keys: [await ground.put()] };
  return (await post(ground, '/api/s3/upload', json)).import_job_id!;
}
async function failedImport(ground: OperationContext): Promise<string> {
  const id = await importJob(ground);
  const { db } = ground.app.sightline.database;
  await sql`update import_rows set status = 'UPLOADING_FAILED', problem_code = 'object_not_found', problem_message = 'Gone.'
    where job_id = ${id}`.execute(db);
  await sql`update import_jobs set status = 'failed', failed = 1 where id = ${id}`.execute(db);
  return id;
}
const sync = async (ground: OperationContext) => ({
  integration_id: await integration(ground),
  prefix: 'a/',
  every_minutes: 60,
});
async function ingest(ground: OperationContext): Promise<string> {
  const json = { filename: 'drive.mcap', size_bytes: 1_000 };
  const id = (await post(ground, '/api/mcap/create-ingest', json)).mcap_ingest_id!;
  await sql`update mcap_ingests set status = 'uploaded', storage_key = ${id} where id = ${id}`.execute(
    ground.app.sightline.database.db,
  );
  return id;
}
const live = () => ({ source_url: SOURCE, name: name(), stream_id: name() });
const session = async (ground: OperationContext) => post(ground, '/api/live/start-session', live());
const resumable = async (ground: OperationContext) =>
  (await call(ground, 'POST', '/api/uploads', { headers: { ...TUS, 'upload-length': '9' } })).headers
    .get('location')!
    .split('/')
    .at(-1)!;
async function direct(ground: OperationContext) {
  const { json } = await call(ground, 'POST', '/api/direct-uploads', { size_bytes: ground.clip.length });
  const [part] = json.part_urls as { url: string }[];
  return { id: String(json.upload_id), url: part!.url };
}
async function arrived(ground: OperationContext): Promise<string> {
  const { id, url } = await direct(ground);
  const put = await fetch(url, { method: 'PUT', body: ground.clip as Uint8Array<ArrayBuffer> });
  if (!put.ok) throw new Error(await put.text());
  return id;
}
const dataset = async (ground: OperationContext) =>
  (await post(ground, '/api/data-curation/datasets', { name: name(), batch_ids: [await batch(ground)] })).id!;
/** A dataset whose batches have ended: it has none. */
const videoDataset = async (ground: OperationContext) =>
  (await post(ground, '/api/data-curation/datasets', { name: name(), video_ids: [ground.videoId] })).id!;
const DARK_FIELD = { label: 'Light', fields: [{ name: 'dark', type: 'boolean', description: DARK }] };
const savedQuestion = async (ground: OperationContext) => {
  const json = { name: name(), query: DARK, folder_id: (await folder(ground)).id, enabled: false };
  return { ...json, id: (await post(ground, '/api/saved-questions', json)).saved_question_id! };
};
/** One whose stored reading is another one than that of its words. */
async function differingQuestion(ground: OperationContext) {
  const { id } = await savedQuestion(ground);
  await sql`update saved_questions set plan = replace(plan::text, '"signal":"dark"', '"signal":"bright"')::json
    where id = ${id}`.execute(ground.app.sightline.database.db);
  const { json } = await call(ground, 'GET', `/api/saved-questions/${id}`);
  return { id, readingId: (json.reading as { proposed: { reading_id: string } }).proposed.reading_id };
}
const observation = async (ground: OperationContext) =>
  (await post(ground, '/api/observations', { observers: ['signals'], video_ids: [await video(ground)] }))
    .observation_id!;
/** One with a video that it has not run on. */
async function runnableQuestion(ground: OperationContext): Promise<string> {
  const { id, folder_id } = await savedQuestion(ground);
  await post(ground, '/api/videos/move', { video_ids: [await video(ground)], folder_id });
  return id;
}
const POINTS = [
  { x: 0, y: 0.5 },
  { x: 1, y: 0.5 },
];
const zone = async (ground: OperationContext) =>
  (await post(ground, '/api/zones', { name: name(), points: POINTS, video_id: ground.videoId })).zone_id!;
const camera = async (ground: OperationContext) =>
  (await post(ground, '/api/cameras', { name: name(), source_url: SOURCE, enabled: false })).camera_id!;
const pushCamera = async (ground: OperationContext) =>
  (await post(ground, '/api/cameras', { name: name(), source: 'push', enabled: false })).camera_id!;
const webhook = async (ground: OperationContext) => (await post(ground, '/api/webhooks', WEBHOOK)).webhook_id!;
const params = (...all: string[]): PreparedRequest => ({ params: all });
const ROLES = { front_channel: '/camera/front', channel_roles: {}, channel_labels: {} };

/** For each operation with an `Idempotency-Key`: prepares its preconditions and returns a request that changes data. */
export const KEYED_OPERATIONS: Record<string, Prepare> = {
  analyzeVideo: async (g) => ({ ...params(await video(g)), json: { edge_case_category: 'Vehicle Turns' } }),
  analyzeVideoEdge: async (g) => ({ ...params(await video(g)), json: { edge_case_category: 'Vehicle Turns' } }),
  askVideo: async (g) => ({ json: { question: 'a person walks', video_id: await video(g) } }),
  createBatch: async (g) => ({ json: { video_ids: [await video(g)], prompt: 'a person walks' } }),
  startQuery: async (g) => ({ json: await question(g) }),
  startFastQuery: async (g) => ({ json: await question(g) }),
  streamQuery: async (g) => ({ json: await question(g) }),
  indexVideos: async (g) => ({ json: { video_ids: [await video(g)] } }),
  annotateBatch: async (g) => ({ ...params(await batch(g)), json: { metadata: '{"round": 2}' } }),
  cancelBatch: async (g) => params(await batch(g)),
  retryBatch: async (g) => params(await failedBatch(g)),

  createS3Integration: newIntegration('s3'),
  createGcsIntegration: newIntegration('gcs'),
  createHuggingFaceIntegration: newIntegration('hf-bucket'),
  createRoleIntegration: newIntegration('s3-storage-transfer'),
  changeIntegration: async (g) => ({ ...params(await integration(g)), json: { name: name() }, query: '?verify=false' }),
  deleteIntegration: async (g) => params(await integration(g)),
  importFromS3: importOf('s3', 'keys'),
  importFromGcs: importOf('gcs', 'files'),
  importFromHuggingFace: importOf('hf-bucket', 'files'),
  importRecordings: async (g) => {
    await integration(g);
    const key = await g.put('mcap');
    return {
      json: { source_format: 'mcap', inputs: [{ source_uri: `s3://fleet/${key.slice(0, key.lastIndexOf('/'))}` }] },
    };
  },
  cancelImportJob: async (g) => params(await importJob(g)),
  retryImportJob: async (g) => params(await failedImport(g)),
  createImportSync: async (g) => ({ json: await sync(g) }),
  runImportSync: async (g) => params((await post(g, '/api/import-syncs', await sync(g))).id!),
  deleteImportSync: async (g) => params((await post(g, '/api/import-syncs', await sync(g))).id!),

  createFolder: () => ({ json: { name: name() } }),
  createOrGetFolder: () => ({ json: { name: name() } }),
  changeFolder: async (g) => ({ ...params((await folder(g)).id), json: { name: name() } }),
  deleteFolder: async (g) => params((await folder(g)).id),

  createInvitation: () => ({ json: { email: `${name()}@example.com`, role: 'member' } }),
  revokeInvitation: async (g) => {
    const made = await call(g, 'POST', '/api/invitations', { email: `${name()}@example.com`, role: 'member' });
    return params(String(made.json.invitation_id));
  },
  createKey: () => ({ json: { name: name() } }),
  revokeKey: async (g) => params((await g.app.sightline.keys.create({ ...g.owner, name: name() })).record.keyId),
  changeRole: async (g) => ({ ...params(await member(g)), json: { role: 'admin' } }),
  removeMember: async (g) => params(await member(g)),
  resetSecondFactor: async (g) => {
    const userId = await member(g);
    await sql`insert into second_factors (user_id, encrypted_key, confirmed_at) values (${userId}, '{}', now())`.execute(
      g.app.sightline.database.db,
    );
    return params(userId);
  },
  renameOrganization: () => ({ json: { name: name() } }),
  transferOwnership: async (g) => {
    // The last test's new owner; the key is of the first one.
    await sql`update users set role = 'owner' where id = ${g.owner.userId}`.execute(g.app.sightline.database.db);
    return { json: { user_id: await member(g) } };
  },

  attachLiveStream: () => ({ json: { stream_id: name(), stream_name: 'Gate', source_url: SOURCE } }),
  startLiveSession: () => ({ json: live() }),
  endLiveSession: async (g) => {
    const { stream_id, session_id } = await session(g);
    return { json: { stream_id, session_id } };
  },
  askLiveSession: async (g) => ({ ...params((await session(g)).session_id!), json: { rapid_review_query: 'a truck' } }),

  createMcapIngest: () => ({ json: { filename: 'drive.mcap', size_bytes: 1_000 } }),
  processMcapIngest: async (g) => ({ ...params(await ingest(g)), json: ROLES }),
  stitchMcapViews: async (g) => ({ ...params(await ingest(g)), json: ROLES }),
  startMcapCloudIngest: async (g) => ({
    json: { integration_id: await integration(g), files: [{ key: 'a/drive.mcap', filename: 'drive.mcap' }] },
  }),

  stitchViews: async (g) => {
    const [front, rear] = [await video(g), await video(g)];
    return { json: { primary_view_id: front, views: { front, rear } } };
  },
  unlinkViews: async (g) => params(await linked(g)),
  queryViews: async (g) => ({ ...params(await linked(g)), json: { query: 'a person walks' } }),

  startSearch: async (g) => ({ json: { query: 'red car', folder_name: (await folder(g, 'org')).name, scope: 'org' } }),
  runSearch: async (g) => {
    const json = { query: 'red car', folder_name: (await folder(g, 'org')).name, scope: 'org' };
    return { json: { session_id: (await post(g, '/api/search-sessions/start', json)).session_id } };
  },

  uploadVideo: (g) => {
    const body = new FormData();
    body.set('source', 'file');
    body.set('file', new Blob([g.clip as Uint8Array<ArrayBuffer>]), 'ride.mp4');
    return { body };
  },
  createResumableUpload: () => ({ headers: { ...TUS, 'upload-length': '9' } }),
  endResumableUpload: async (g) => ({ ...params(await resumable(g)), headers: TUS }),
  createDirectUpload: (g) => ({ json: { size_bytes: g.clip.length } }),
  endDirectUpload: async (g) => params((await direct(g)).id),
  completeDirectUpload: async (g) => params(await arrived(g)),

  changeVideo: async (g) => ({ ...params(await video(g)), json: { name: name(), tags: ['night'] } }),
  deleteVideo: async (g) => params(await video(g)),
  createExport: () => ({ json: { format: 'csv' } }),
  deleteExport: async (g) => params(String((await post(g, '/api/exports', { format: 'csv' })).export_id)),
  createDatasetExport: (g) => ({ json: { video_ids: [g.videoId], event_ids: [] } }),
  createStudioDataset: async (g) => ({ json: { title: name(), batch_ids: [await batch(g)] } }),
  addStudioTaxonomy: async (g) => ({ ...params(await dataset(g)), json: DARK_FIELD }),
  createDatasetVersion: async (g) => ({ ...params(await videoDataset(g)), json: { name: name() } }),
  deleteDatasetVersion: async (g) => {
    const datasetId = await videoDataset(g);
    await post(g, `/api/datasets/${datasetId}/versions`, {});
    return { params: [datasetId, '1'] };
  },
  createDataset: async (g) => ({ json: { name: name(), batch_ids: [await batch(g)] } }),
  changeDataset: async (g) => ({ ...params(await dataset(g)), json: { add_batch_ids: [await batch(g)] } }),
  deleteDataset: async (g) => params(await dataset(g)),
  startObservation: (g) => ({ json: { observers: ['signals'], video_ids: [g.videoId] } }),
  cancelObservation: async (g) => params(await observation(g)),
  createSavedQuestion: () => ({ json: { name: name(), query: DARK, enabled: false } }),
  changeSavedQuestion: async (g) => ({ ...params((await savedQuestion(g)).id), json: { name: name() } }),
  deleteSavedQuestion: async (g) => params((await savedQuestion(g)).id),
  decideSavedQuestionReading: async (g) => {
    const { id, readingId } = await differingQuestion(g);
    return { ...params(id), json: { reading_id: readingId, decision: 'accept' } };
  },
  runSavedQuestion: async (g) => ({ ...params(await runnableQuestion(g)), json: {} }),
  createZone: (g) => ({ json: { name: name(), points: POINTS, video_id: g.videoId } }),
  changeZone: async (g) => ({ ...params(await zone(g)), json: { name: name() } }),
  deleteZone: async (g) => params(await zone(g)),
  createCamera: () => ({ json: { name: name(), source_url: SOURCE } }),
  changeCamera: async (g) => ({ ...params(await camera(g)), json: { name: name() } }),
  createCameraKey: async (g) => params(await pushCamera(g)),
  deleteCamera: async (g) => params(await camera(g)),
  createWebhook: () => ({ json: WEBHOOK }),
  changeWebhook: async (g) => ({ ...params(await webhook(g)), json: { description: name() } }),
  deleteWebhook: async (g) => params(await webhook(g)),
  rotateWebhookSecret: async (g) => ({ ...params(await webhook(g)), json: { overlap_hours: 1 } }),
  pingWebhook: async (g) => params(await webhook(g)),
  resendWebhookDelivery: async (g) => {
    const id = await webhook(g);
    return params(id, (await post(g, `/api/webhooks/${id}/ping`, {})).delivery_id!);
  },
  deleteAnalysis: analysis,
  reviewEvent: async (g) => ({ ...params((await analyzed(g)).eventId), json: { approval: 'approved' } }),
  reviewEvents: async (g) => ({ json: { event_ids: [(await analyzed(g)).eventId], approval: 'rejected' } }),
  reviewSample: async (g) => ({
    params: (await analyzed(g)).params,
    json: { start_s: 0, end_s: 1, verdict: 'missed', event: { label: 'A car', start_s: 0, end_s: 1 } },
  }),
  addEvent: async (g) => ({ params: (await analyzed(g)).params, json: { label: 'A car', start_s: 0, end_s: 1 } }),
  importLabels: async (g) => ({
    json: { batch_id: (await analyzed(g)).batchId, content: 'label,start_s,end_s\nA car,0.2,0.4\n' },
  }),
  startComparison: async (g) => {
    await reviewed(g);
    return { json: { query: 'a person runs', baseline_query: 'a person walks', max_videos: 1 } };
  },
  undoReview: async (g) => {
    await reviewed(g);
    return {};
  },
  decideIncident: async (g) => {
    const { eventId } = await analyzed(g);
    return { ...params(eventId), json: { event_ids: [eventId], same: true } };
  },
  assignEvents: async (g) => ({ json: { event_ids: [(await analyzed(g)).eventId] } }),
  releaseEvents: async (g) => ({ json: { event_ids: [(await analyzed(g)).eventId] } }),
  setFolderReview: async (g) => ({ ...params((await folder(g)).id), json: { reviewers: 2 } }),
  restoreVideo: async (g) => params(await deletedVideo(g)),
  putMetadataFile: async (g) => ({
    ...params(await video(g)),
    body: 'time_s,speed_kmh\n0,1\n1,2\n',
    headers: { 'content-type': 'text/csv' },
  }),
  putSubtitles: async (g) => ({
    ...params(await video(g)),
    body: '1\n00:00:01,000 --> 00:00:02,000\nStop\n',
    headers: { 'content-type': 'text/plain' },
  }),
  deleteSubtitles: async (g) => params(await video(g)),
  deleteVideos: async (g) => ({ json: { video_ids: [await video(g), await video(g)] } }),
  restoreVideos: async (g) => ({ json: { video_ids: [await deletedVideo(g), await deletedVideo(g)] } }),
  holdVideos: async (g) => ({ json: { video_ids: [await video(g), await video(g)], reason: 'Claim 4711' } }),
  releaseVideos: async (g) => ({ json: { video_ids: [await heldVideo(g), await heldVideo(g)] } }),
  moveVideos: async (g) => ({
    json: { video_ids: [await video(g), await video(g)], folder_id: (await folder(g)).id },
  }),
  setVideoClocks: async (g) => ({ json: { video_ids: [await video(g), await video(g)], shift_s: 60 } }),
  setFolderClock: async (g) => ({ ...params((await folder(g)).id), json: { shift_s: 60 } }),
};

/** Further forms of operations. */
export const KEYED_VARIANTS: { id: string; form: string; prepare: Prepare }[] = [
  {
    id: 'uploadVideo',
    form: 'url',
    prepare: ({ url }) => ({ json: { source: 'video_url', video_url: url } }),
  },
  {
    id: 'importFromS3',
    form: 'prefix',
    prepare: async (g) => ({ json: { prefix: await g.put(), integration_id: await integration(g) } }),
  },
];
