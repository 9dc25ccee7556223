import { randomBytes } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Database } from '#platform/db/index';
import type { DB } from '#platform/db/schema.generated';
import { newId } from '#platform/ids';
import type { ForeignIds } from './folder-walk.ts';

export type OwnedRows = ForeignIds & { user_id: string; key_id: string; invitation_id: string };

/** Encrypted with a root secret that is not configured. */
const SECRET_OF_OTHERS = JSON.stringify({ master: '00000000', key: '', data: '' });

let created = 0;

type Owner = { orgId: string; userId: string };
type Scope = 'user' | 'org';
/** Rows by their table, in the order of insertion. */
type Rows = { [Table in keyof DB]?: Insertable<DB[Table]>[] };

/**
 * Inserts `count` sets of rows, each with one row of every resource, of this owner and scope, all about one video in
 * one folder; `user_id` is a new member. Inserts them as rows: what a caller may do with them does not depend on how
 * they were created.
 */
export async function insertOwnedRows(
  database: Database,
  owner: Owner,
  scope: Scope,
  count: number,
): Promise<OwnedRows[]> {
  const sets = Array.from({ length: count }, () => createOwnedRows(owner, scope));
  const tables = Object.keys(sets[0]!.rows) as (keyof DB)[];
  await database.transaction(async (trx) => {
    for (const table of tables) {
      const rows = sets.flatMap((set): object[] => set.rows[table]!);
      // `Rows` has checked that they belong to this table.
      await trx
        .insertInto(table)
        .values(rows as never)
        .execute();
    }
  });
  return sets.map(({ ids }) => ids);
}

function createOwnedRows({ orgId, userId: ownerId }: Owner, scope: Scope): { ids: OwnedRows; rows: Rows } {
  const ids = {
    video_id: newId(),
    analysis_id: newId(),
    batch_id: newId(),
    stream_id: newId(),
    upload_id: newId(),
    session_id: newId(),
    owner_uid: ownerId,
    ingest_id: newId(),
    integration_id: newId(),
    job_id: newId(),
    sync_id: newId(),
    mcap_import_job_id: newId(),
    folder_id: newId(),
    // The first one in lists by name, which have pages.
    folder_name: `Folder ${String(1e6 - created++)}`,
    live_session_id: newId(),
    live_stream_id: newId(),
    user_id: newId(),
    key_id: newId(),
    invitation_id: newId(),
    export_id: newId(),
    dataset_export_id: newId(),
    dataset_id: newId(),
    run_id: newId(),
    saved_question_id: newId(),
    webhook_id: newId(),
    delivery_id: newId(),
    zone_id: newId(),
    camera_id: newId(),
    observation_id: newId(),
  };
  const event_id = `${ids.analysis_id}-0`;
  const owner = { orgId, ownerId };
  const owned = { ...owner, scope };
  const inFolder = { ...owned, folderId: ids.folder_id };
  const video = { ...inFolder, source: 'file', name: 'drive.mp4', storageKey: `videos/${ids.video_id}` };
  const bucket = { integrationId: ids.integration_id, sidecars: false };
  const user = { orgId, name: 'New', role: 'member', email: `${ids.user_id}@example.com` };
  const expiresAt = new Date(Date.now() + 86_400_000);
  const folder = { orgId, scope, createdBy: ownerId, name: ids.folder_name };
  const liveVideo = { ...video, id: ids.live_session_id, source: 'live', storageKey: ids.live_session_id };
  const upload = { ...video, id: ids.upload_id, storageKey: ids.upload_id };
  const draft = JSON.stringify({ size: 0, multipart: null });
  const query = { query: 'a cut', mode: 'fast' };
  const event = { event_id, description: 'A cut', severity: 'low', start_s: 0, end_s: 1 };
  const evidence = { frames: [], tracks: [], signals: [] };
  const exact = { confidence: 0.8, start_pts: 0, end_pts: 1, time_base: [1, 1] };
  const stored = { ...event, type: 'cut', data: { ...exact, evidence } };
  const readable = { ...event, ...exact, category: 'cut', label: 'A cut' };
  const analysis = { status: 'COMPLETED', answer: '', message: '', events: [stored] };
  const result = { video_id: ids.video_id, analysis_id: ids.analysis_id, analysis, events: [readable] };
  const times = { startS: 0, endS: 1, createdAt: new Date() };
  const observed = { videoId: ids.video_id, kind: 'subtitles', version: 'subtitles-1' };
  const passage = { hidden: false, startS: 0, endS: 1, text: 'Stop', words: '' };
  const exported = { format: 'csv', filter: '{}', status: 'processing', asAdmin: false, expiresAt };
  const selection = { videoIds: [ids.video_id], eventIds: [], status: 'queued', asAdmin: false, expiresAt };
  const dataset = { name: 'Crossings', searchDescription: '', analysisType: 'ask', batchIds: [ids.batch_id] };
  const filter = JSON.stringify({ approval: null, labels: null, types: null, minConfidence: null });
  const version = { number: 1, name: 'Spring', filter, status: 'processing' };
  const rule = JSON.stringify({ labels: [], minConfidence: null, cooldownS: 0, quietHours: null });
  const saved = { ...query, name: 'Cuts', minConfidence: 0.5, verify: 'auto', enabled: false, rule };
  const raised = { orgId, position: 0, otherEvents: 0 };
  const points = JSON.stringify([
    { x: 0, y: 0.5 },
    { x: 1, y: 0.5 },
  ]);
  // Disabled: otherwise each event is delivered, again and again, to hundreds of webhooks that do not respond.
  const hook = { url: 'http://127.0.0.1:9/hook', description: '', eventTypes: [], encryptedSecret: '{}' };
  const webhook = { ...hook, enabled: false };
  const stream = { orgId, name: 'Gate', sourceUrl: 'rtsp://127.0.0.1:9/stream' };

  const rows: Rows = {
    folders: [{ ...folder, id: ids.folder_id, ownerId: scope === 'org' ? null : ownerId, videoCount: 3 }],
    videos: [
      { ...video, id: ids.video_id, status: 'UPLOADED', sizeBytes: 9, durationS: 1 },
      { ...upload, status: 'PREPARE_IN_PROGRESS', heartbeatAt: new Date() },
      { ...liveVideo, status: 'PREPARE_IN_PROGRESS' },
    ],
    resumableUploads: [{ videoId: ids.upload_id, length: 9, draft, expiresAt }],
    streams: [
      { id: ids.stream_id, ...owner },
      { id: ids.live_session_id, ...owner },
    ],
    batches: [
      {
        ...owned,
        id: ids.batch_id,
        streamId: ids.stream_id,
        query: query.query,
        config: JSON.stringify({ ...query, prompts: [query.query] }),
        status: 'completed',
        total: 1,
      },
    ],
    analyses: [
      {
        ...owned,
        ...query,
        id: ids.analysis_id,
        videoId: ids.video_id,
        batchId: ids.batch_id,
        position: 0,
        status: 'COMPLETED',
        document: JSON.stringify(result),
      },
    ],
    analysisEvents: [
      {
        ...inFolder,
        ...times,
        analysisId: ids.analysis_id,
        position: 0,
        videoId: ids.video_id,
        batchId: ids.batch_id,
        type: 'cut',
        label: 'A cut',
        severity: 'low',
        confidence: 0.8,
        words: '',
      },
    ],
    observations: [{ ...observed, status: 'ready', storageKey: 'none' }],
    videoPassages: [{ ...inFolder, ...observed, ...passage, position: 0 }],
    exports: [{ ...owner, ...exported, id: ids.export_id }],
    datasetExports: [{ ...owner, ...selection, id: ids.dataset_export_id }],
    datasets: [{ ...owned, ...dataset, id: ids.dataset_id, videoIds: [], lastVersion: 1 }],
    datasetVersions: [{ ...version, id: newId(), datasetId: ids.dataset_id, createdBy: ownerId }],
    datasetTaxonomies: [{ id: ids.run_id, datasetId: ids.dataset_id, label: 'Kind', fields: '[]', status: 'done' }],
    savedQuestions: [{ ...inFolder, ...saved, id: ids.saved_question_id }],
    alerts: [{ ...raised, id: newId(), questionId: ids.saved_question_id, analysisId: ids.analysis_id }],
    observationRuns: [{ ...owned, id: ids.observation_id, observers: ['signals'] }],
    observationRunVideos: [{ runId: ids.observation_id, videoId: ids.video_id, position: 0 }],
    zones: [{ orgId, createdBy: ownerId, videoId: ids.video_id, name: 'A', points, id: ids.zone_id }],
    webhookEndpoints: [{ ...webhook, orgId, createdBy: ownerId, id: ids.webhook_id, folderId: ids.folder_id }],
    webhookMessages: [{ orgId, id: ids.delivery_id, type: 'video.ready', subject: 'video/0', data: '{}' }],
    webhookDeliveries: [{ id: ids.delivery_id, endpointId: ids.webhook_id, messageId: ids.delivery_id }],
    searchSessions: [
      {
        ...owner,
        id: ids.session_id,
        query: query.query,
        folderId: ids.folder_id,
        folderName: ids.folder_name,
      },
    ],
    integrations: [
      {
        orgId,
        scope,
        createdBy: ownerId,
        id: ids.integration_id,
        name: 'Drives',
        type: 'hf_bucket',
        bucket: 'ns/drives',
      },
    ],
    importJobs: [
      {
        ...inFolder,
        ...bucket,
        id: ids.job_id,
        provider: 'hf_bucket',
        bucket: 'ns/drives',
        public: false,
        multiView: false,
        status: 'importing',
      },
    ],
    importSyncs: [
      {
        ...inFolder,
        ...bucket,
        id: ids.sync_id,
        selection: '{"prefix":"","include":[],"exclude":[]}',
        everyMinutes: 60,
        nextRunAt: expiresAt,
      },
    ],
    mcapImports: [{ ...owner, id: ids.mcap_import_job_id, integrationId: ids.integration_id }],
    mcapIngests: [
      {
        ...inFolder,
        id: ids.ingest_id,
        importId: ids.mcap_import_job_id,
        filename: 'a.mcap',
        sourceUri: 'mcap://a',
        status: 'created',
      },
    ],
    cameras: [
      {
        ...inFolder,
        id: ids.camera_id,
        name: 'Gate',
        sourceUrl: stream.sourceUrl,
        sourceSecret: SECRET_OF_OTHERS,
        hasCredentials: false,
        enabled: false,
      },
    ],
    liveStreams: [{ ...stream, ownerId, id: ids.live_stream_id }],
    liveSessions: [
      {
        ...inFolder,
        ...stream,
        id: ids.live_session_id,
        streamId: ids.live_stream_id,
        videoId: ids.live_session_id,
        status: 'ACTIVE',
      },
    ],
    liveEvents: [
      {
        id: newId(),
        sessionId: ids.live_session_id,
        position: 0,
        chunkIndex: 0,
        streamS: 0,
        capturedAt: new Date(),
        data: JSON.stringify({ ...readable, evidence }),
      },
    ],
    views: [
      { orgId, primaryVideoId: ids.video_id, role: 'front', videoId: ids.video_id, offsetS: 0 },
      { orgId, primaryVideoId: ids.video_id, role: 'rear', videoId: ids.live_session_id, offsetS: 0 },
    ],
    users: [{ ...user, id: ids.user_id }],
    accountLinks: [
      {
        orgId,
        id: ids.invitation_id,
        kind: 'invitation',
        email: user.email,
        role: 'member',
        hash: randomBytes(32),
        createdBy: ownerId,
        expiresAt,
      },
    ],
    apiKeys: [
      {
        orgId,
        userId: ownerId,
        id: ids.key_id,
        name: 'k',
        prefix: 'sk_00000',
        hash: randomBytes(32),
        scopes: ['read'],
        expiresAt,
      },
    ],
  };
  return { ids: { ...ids, event_id }, rows };
}
