/**
 * Tables of the operations of the API that write, export data or issue a signed URL: how the audit log records each, or
 * why it does not. `operations.test.ts` compares them with the OpenAPI document.
 */

type Fields = Readonly<Record<string, unknown>>;

/** A request and its response, in the form of the API. */
export type AuditedExchange = {
  params: Fields;
  query: Fields;
  body: Fields;
  /** The response; for a request that is recorded in the transaction of its first step, what that step created. */
  answer: unknown;
};

export type AuditRule = {
  action: string;
  /**
   * Ids of the objects, one entry for each; null if the room writes the entries itself, because only it knows what
   * changed.
   */
  subjects: ((exchange: AuditedExchange) => string[]) | null;
  /** Fields of the request, or else of the response, that an entry contains. */
  detail: readonly string[];
  /** True if an entry names the fields that the request changes. Their values may be secrets. */
  namesFields: boolean;
};

type Place = (exchange: AuditedExchange) => unknown;

const inPath =
  (name: string): Place =>
  ({ params }) =>
    params[name];
const inBody =
  (name: string): Place =>
  ({ body }) =>
    body[name];
const inAnswer =
  (name: string): Place =>
  ({ answer }) =>
    (answer as Fields)[name];
/** The host of a source that is no camera yet. */
const testedHost: Place = ({ answer }) => URL.parse((answer as { source_url: string }).source_url)?.hostname;
/** The id that the first step of an upload saves. */
const asAnswer: Place = ({ answer }) => answer;
/** Those of several videos with which the request succeeded. */
const succeeded: Place = ({ answer }) =>
  (answer as { results: { video_id: string; ok: boolean }[] }).results.flatMap(({ video_id, ok }) =>
    ok ? [video_id] : [],
  );
const signed: Place = ({ body, answer }) => {
  const { results } = answer as { results: Record<string, { ok: boolean }> };
  const requests = body.requests as { request_id: string; video_id: string }[];
  return requests.flatMap(({ request_id, video_id }) => (results[request_id]?.ok ? [video_id] : []));
};
const viewsOf: Place = ({ answer }) =>
  (answer as { views: { video_id: string }[] }).views.map(({ video_id }) => video_id);

/** The request of an operation is recorded as `action` on the objects at `place`. */
const record = (action: string, place: Place, ...detail: string[]): AuditRule => ({
  action,
  subjects: (exchange) => [...new Set([place(exchange)].flat() as string[])],
  detail,
  namesFields: false,
});
const change = (action: string, place: Place, ...detail: string[]): AuditRule => ({
  ...record(action, place, ...detail),
  namesFields: true,
});
const byRoom = (action: string): AuditRule => ({ action, subjects: null, detail: [], namesFields: false });

const analysis = record(
  'analysis.started',
  inAnswer('batch_id'),
  'query',
  'question',
  'prompt',
  'video_id',
  'video_ids',
);
const importing = record(
  'import.started',
  inAnswer('import_job_id'),
  'integration_id',
  'bucket',
  'prefix',
  'folder_id',
  'total',
);
const playback = ['kind', 'expires_in', 'start', 'end'];

/** Recorded operations, in the order of the rooms. */
export const RECORDED: Readonly<Record<string, AuditRule>> = {
  signIn: byRoom('session.created'),
  signOut: byRoom('session.ended'),
  signOutEverywhere: byRoom('session.ended'),
  endSession: byRoom('session.ended'),
  acceptLink: byRoom('member.joined'),
  changePassword: byRoom('password.changed'),
  changeProfile: change('profile.changed', inAnswer('user_id')),
  confirmSecondFactor: byRoom('second_factor.set'),
  turnOffSecondFactor: byRoom('second_factor.turned_off'),
  replaceRecoveryCodes: byRoom('recovery_codes.replaced'),
  createInvitation: byRoom('invitation.created'),
  revokeInvitation: byRoom('invitation.revoked'),
  changeRole: byRoom('member.role_changed'),
  removeMember: byRoom('member.removed'),
  resetSecondFactor: byRoom('second_factor.reset'),
  renameOrganization: byRoom('organization.renamed'),
  transferOwnership: byRoom('member.role_changed'),
  createKey: byRoom('key.created'),
  revokeKey: byRoom('key.revoked'),
  exportAuditEvents: record('audit.exported', ({ query }) => query.format ?? 'ndjson'),

  createFolder: record('folder.created', inAnswer('id'), 'name', 'scope'),
  createOrGetFolder: record('folder.created_or_found', inAnswer('id'), 'name', 'scope'),
  changeFolder: change('folder.changed', inPath('folder_id')),
  deleteFolder: record('folder.deleted', inPath('folder_id'), 'videos', 'video_count'),

  uploadVideo: record('upload.started', asAnswer, 'folder_id', 'source'),
  createResumableUpload: record('upload.started', asAnswer),
  endResumableUpload: record('upload.ended', inPath('upload_id')),
  createDirectUpload: record('upload.started', asAnswer, 'folder_id', 'filename', 'size_bytes'),
  endDirectUpload: record('upload.ended', inPath('upload_id')),

  changeVideo: change('video.changed', inPath('video_id')),
  putMetadataFile: record('video.metadata_file_set', inPath('video_id')),
  putSubtitles: record('video.subtitles_set', inPath('video_id')),
  deleteSubtitles: record('video.subtitles_deleted', inPath('video_id')),
  moveVideos: record('video.moved', succeeded, 'folder_id'),
  setVideoClocks: record('video.clock_set', succeeded, 'time_zone', 'shift_s'),
  setFolderClock: record('folder.clock_set', inPath('folder_id'), 'time_zone', 'shift_s'),
  deleteVideo: record('video.deleted', inPath('video_id'), 'erase', 'reason', 'restorable_until'),
  deleteVideos: record('video.deleted', succeeded, 'erase', 'reason'),
  restoreVideo: record('video.restored', inPath('video_id')),
  restoreVideos: record('video.restored', succeeded),
  holdVideos: record('video.held', succeeded, 'reason'),
  releaseVideos: record('video.released', succeeded),
  signVideoUrl: record('video.url_issued', inPath('video_id'), ...playback),
  signVideoUrls: record('video.url_issued', signed),
  stitchViews: record('views.linked', inAnswer('primary_view_id')),
  unlinkViews: record('views.unlinked', inPath('video_id')),
  signViews: record('video.url_issued', viewsOf, ...playback),

  createZone: byRoom('zone.created'),
  changeZone: byRoom('zone.changed'),
  deleteZone: byRoom('zone.deleted'),

  createGcsIntegration: byRoom('integration.created'),
  createHuggingFaceIntegration: byRoom('integration.created'),
  createRoleIntegration: byRoom('integration.created'),
  createS3Integration: byRoom('integration.created'),
  changeIntegration: byRoom('integration.changed'),
  deleteIntegration: byRoom('integration.deleted'),
  testIntegration: byRoom('integration.tested'),
  importFromGcs: importing,
  importFromHuggingFace: importing,
  importFromS3: importing,
  importRecordings: importing,
  cancelImportJob: record('import.canceled', inPath('job_id')),
  retryImportJob: record('import.retried', inPath('job_id')),
  createImportSync: byRoom('import_sync.created'),
  runImportSync: byRoom('import_sync.run'),
  deleteImportSync: byRoom('import_sync.deleted'),
  createMcapIngest: record(
    'recording.upload_started',
    inAnswer('mcap_ingest_id'),
    'filename',
    'folder_id',
    'size_bytes',
  ),
  processMcapIngest: record('recording.processed', inPath('ingest_id')),
  stitchMcapViews: record('recording.views_linked', inPath('ingest_id')),
  startMcapCloudIngest: record(
    'recording.import_started',
    inAnswer('mcap_import_job_id'),
    'integration_id',
    'folder_id',
  ),

  startQuery: analysis,
  startFastQuery: analysis,
  streamQuery: analysis,
  queryViews: analysis,
  retryBatch: analysis,
  startComparison: analysis,
  askVideo: analysis,
  analyzeVideo: analysis,
  analyzeVideoEdge: analysis,
  createBatch: analysis,
  indexVideos: record('analysis.started', ({ answer, body }) => (answer as Fields).batch_id ?? body.video_ids),
  cancelBatch: record('batch.canceled', inPath('batch_id')),
  annotateBatch: record('batch.annotated', inPath('batch_id')),
  deleteAnalysis: byRoom('analysis.deleted'),
  startObservation: record('observation.started', inAnswer('observation_id'), 'observers', 'video_ids', 'folder_id'),
  cancelObservation: record('observation.canceled', inPath('observation_id')),
  startSearch: record('search.started', inAnswer('session_id'), 'query', 'folder_name', 'scope'),
  runSearch: record('search.run', inBody('session_id')),

  reviewEvent: byRoom('event.reviewed'),
  reviewEvents: byRoom('event.reviewed'),
  decideIncident: record('incident.decided', inPath('event_id'), 'event_ids', 'same'),
  addEvent: byRoom('event.added'),
  reviewSample: byRoom('sample.reviewed'),
  undoReview: byRoom('review.undone'),
  setFolderReview: byRoom('review.required'),
  assignEvents: record('event.assigned', inBody('event_ids'), 'user_id', 'seconds'),
  releaseEvents: record('event.released', inBody('event_ids')),
  importLabels: record('labels.imported', inBody('batch_id'), 'name', 'dry_run', 'labels', 'added', 'confirmed'),

  createSavedQuestion: byRoom('saved_question.created'),
  changeSavedQuestion: byRoom('saved_question.changed'),
  deleteSavedQuestion: byRoom('saved_question.deleted'),
  runSavedQuestion: byRoom('saved_question.run'),
  decideSavedQuestionReading: byRoom('saved_question.reading_decided'),

  createExport: record('export.created', inAnswer('export_id'), 'format', 'folder_id', 'batch_id', 'video_ids'),
  deleteExport: record('export.deleted', inPath('export_id')),
  createDatasetExport: record('export.created', inAnswer('export_id'), 'dataset_id', 'video_ids'),
  refreshDatasetExport: record('export.url_issued', inPath('dataset_export_id')),
  createDataset: record('dataset.created', inAnswer('id'), 'name', 'scope'),
  createStudioDataset: record('dataset.created', inAnswer('id'), 'title', 'scope'),
  changeDataset: change('dataset.changed', inPath('dataset_id')),
  deleteDataset: record('dataset.deleted', inPath('dataset_id')),
  downloadDataset: record('dataset.url_issued', inPath('dataset_id')),
  createDatasetVersion: record('dataset.version_created', inPath('dataset_id'), 'number', 'name'),
  deleteDatasetVersion: record('dataset.version_deleted', inPath('dataset_id'), 'number'),
  downloadDatasetVersion: record('dataset.url_issued', inPath('dataset_id'), 'version'),
  addStudioTaxonomy: record('dataset.taxonomy_added', inPath('dataset_id'), 'label'),

  attachLiveStream: record('livestream.attached', inBody('stream_id'), 'stream_name'),
  startLiveSession: record('livestream.started', inAnswer('session_id'), 'name', 'folder_id', 'video_id'),
  endLiveSession: record('livestream.ended', inBody('session_id'), 'stream_id'),
  askLiveSession: record('livestream.question_set', inPath('session_id'), 'rapid_review_query'),
  signLiveManifest: record('livestream.url_issued', inPath('session_id')),

  createCamera: byRoom('camera.created'),
  changeCamera: byRoom('camera.changed'),
  createCameraKey: byRoom('camera.key_created'),
  deleteCamera: byRoom('camera.deleted'),
  testCamera: record('camera.tested', inPath('camera_id'), 'ok', 'error'),
  testCameraSource: record('camera.source_tested', testedHost, 'ok', 'error'),

  createWebhook: byRoom('webhook.created'),
  changeWebhook: byRoom('webhook.changed'),
  deleteWebhook: byRoom('webhook.deleted'),
  rotateWebhookSecret: byRoom('webhook.secret_rotated'),
  answerMailRecipient: byRoom('mail_recipient.confirmed'),
  pingWebhook: record('webhook.pinged', inPath('webhook_id')),
  resendWebhookDelivery: record('webhook.delivery_resent', inPath('webhook_id'), 'delivery_id'),

  downloadModel: byRoom('model.download_started'),
  cancelModelDownload: byRoom('model.download_canceled'),
  provideModelFile: byRoom('model.provided'),
  removeModel: byRoom('model.removed'),
};

const reads = 'It reads only: its request has a body because it is long.';
const stream = 'It reads only: the response is a stream or text of what the caller may read anyway.';
const images = 'Its URLs are of small images of what the response describes, for the caller who may read it.';
const file = 'It serves a file to the holder of a signed URL; the entry is that of the operation that issued the URL.';
const ownExport = 'Only its owner reads an export. The entry is that of its creation, which the URL belongs to.';
const otherUrls = 'Its URLs are addresses that users configured or that documentation names, without a signature.';
const upload = 'It continues an upload, whose entry is that of its start.';
const personal = 'It changes what the list of alerts shows to the user, and nothing for others.';
const notOffered = 'It is refused, always: this service does not offer it.';

/** Operations that write, export or return URLs and are not recorded, with the reason. */
export const EXEMPT: Readonly<Record<string, string>> = {
  requestPasswordReset:
    'It does not look up whose account it is; the job that mails a link writes `password_link.created`.',
  beginSecondFactor: 'It has no effect; `confirmSecondFactor` writes the entry.',
  beginSso: 'It sends the browser to the provider; `finishSso` writes the entry.',
  finishSso: 'It is requested by a browser that follows a link; the room writes the entry of the sign-in.',
  linkSso: 'It returns the address of the provider; `finishSso` writes the entry `sso.linked`.',
  verifyKey: reads,
  callMcp: 'Its tools call operations of this table, which write their entries.',
  followActivity: stream,
  markAlertsRead: personal,
  muteSavedQuestion: personal,
  unmuteSavedQuestion: personal,
  saveWallLayout: 'It changes how the console shows streams to the user, and nothing for others.',

  continueResumableUpload: upload,
  completeDirectUpload: upload,
  getDirectUpload: upload,
  signUploadParts: upload,
  uploadMcapFile: 'It is authorized by a signed URL; the entry is that of `createMcapIngest`, which issued it.',

  getVideoStatus: otherUrls,
  searchVideos: images,
  resolveIndexVideos: reads,
  getIndexStatus: reads,
  getVideoIndexVtt: stream,
  getObservations: stream,
  getTelemetry: stream,
  playVideo: file,
  getCaptions: file,
  getCaptionsSrt: file,
  getClip: file,
  getFrame: file,
  getPlaylist: file,
  getSegment: file,
  getPoster: file,
  getStoryboard: file,
  getStoryboardPicture: file,

  planQuery: reads,
  inferOutputSchema: reads,
  followQuery: stream,
  getBatchAnalyses: reads,
  filterBatch: reads,
  sortBatch: reads,
  fuseViews: reads,
  searchFrames: images,
  getComparison: images,
  getAnalysis: images,
  getAnalysisStatus: images,
  getAnalysisThumbnails: images,
  getLatestAnalysis: images,
  getEvidencePicture: file,
  listEvents: images,
  getEvent: images,

  listIntegrations: otherUrls,
  getIntegration: otherUrls,
  previewImport: reads,
  listImportJobVideos: otherUrls,
  listMcapIngests: otherUrls,
  getMcapIngest: otherUrls,

  getExport: ownExport,
  listExports: ownExport,
  getExportFile: file,
  getDatasetExport: ownExport,
  getDatasetExportFile: file,
  getDatasetExportManifest: file,
  listDatasets: reads,
  getDatasetFile: file,
  getDatasetVersionFile: file,
  filterStudioDataset: reads,
  searchStudioDataset: reads,
  resolveStudioCriteria: reads,
  publishStudioTaxonomy: reads,

  getLiveSession: otherUrls,
  listLiveSessions: otherUrls,
  listRecentLiveEvents: images,
  followLiveSession: stream,
  getLiveManifest: file,
  getLivePlaylist: file,
  getLivePart: file,
  getLiveEvidence: file,

  getCamera: images,
  listCameras: images,
  getCameraSnapshot: file,

  showMailRecipient: 'It shows a page to the holder of a signed link and changes nothing.',
  getWebhook: otherUrls,
  listWebhooks: otherUrls,
  getSystem: otherUrls,
  listModels: otherUrls,

  createAgent: notOffered,
  updateAgent: notOffered,
  listAgents: notOffered,
  askStructured: notOffered,
  trainSegmenter: notOffered,
  uploadSegmenterData: notOffered,
  getSampleUrl: notOffered,
};

/** Actions that no operation stands for: of the command line, of jobs, and further ones of rooms. */
const OTHER_ACTIONS = [
  'session.refused',
  'password.set',
  'password_link.created',
  'sso.linked',
  'organization.second_factor',
  'video.erased',
  'quota.changed',
  'audit.erased',
  'webhook.disabled',
  'mail_recipient.declined',
  'camera.started',
  'camera.stopped',
];

/** All actions, in the order of the tables. */
export const ACTIONS: readonly string[] = [
  ...new Set([...Object.values(RECORDED).map(({ action }) => action), ...OTHER_ACTIONS]),
];

const MAX_TEXT = 200;
const MAX_ITEMS = 20;

/** The details of an entry: the fields of the request or the response that its rule names, shortened. */
export function detailOf({ detail, namesFields }: AuditRule, { params, query, body, answer }: AuditedExchange): Fields {
  const answered = typeof answer === 'object' && answer !== null ? (answer as Fields) : {};
  const values = detail.map((name): [string, unknown] => [
    name,
    body[name] ?? query[name] ?? params[name] ?? answered[name],
  ]);
  if (namesFields) values.push(['fields', Object.keys(body)]);
  return Object.fromEntries(
    values.flatMap(([name, value]) => (value === undefined || value === null ? [] : [[name, shorten(value)]])),
  );
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
  if (!Array.isArray(value)) return value;
  const shown = value.slice(0, MAX_ITEMS).map(shorten);
  return value.length > MAX_ITEMS ? [...shown, `… ${value.length - MAX_ITEMS} more`] : shown;
}
