import type { ApiClient, CallOptions } from '../http.ts';

export type WalkedOperation = {
  operationId: string;
  'x-scope': string;
  'x-folder-keys'?: boolean;
  requestBody?: { content: Record<string, { example?: object; examples?: Record<string, { value: object }> }> };
};
export type WalkedDocument = { paths: Record<string, Record<string, WalkedOperation>> };

/** Ids of objects outside the folder of the key, by their names in paths and bodies. */
export type ForeignIds = {
  video_id: string;
  analysis_id: string;
  event_id: string;
  batch_id: string;
  stream_id: string;
  upload_id: string;
  session_id: string;
  owner_uid: string;
  ingest_id: string;
  integration_id: string;
  job_id: string;
  sync_id: string;
  mcap_import_job_id: string;
  folder_id: string;
  folder_name: string;
  export_id: string;
  dataset_export_id: string;
  dataset_id: string;
  run_id: string;
  saved_question_id: string;
  webhook_id: string;
  delivery_id: string;
  zone_id: string;
  camera_id: string;
  observation_id: string;
  /** Values of `session_id` and `stream_id` for livestreams. */
  live_session_id: string;
  live_stream_id: string;
};

/** Requests that cannot be generated from the document. */
type Special = (elsewhere: ForeignIds) => {
  query?: string;
  headers?: Record<string, string>;
  body?: FormData | string;
};
const base64 = (text: string) => Buffer.from(text).toString('base64');
const TUS = { 'tus-resumable': '1.0.0' };
const SPECIAL: Record<string, Special> = {
  uploadVideo: ({ folder_id }) => {
    const body = new FormData();
    body.set('source', 'file');
    body.set('folder_id', folder_id);
    body.set('file', new Blob(['x']), 'x.mp4');
    return { body };
  },
  createResumableUpload: ({ folder_id }) => ({
    headers: { ...TUS, 'upload-length': '9', 'upload-metadata': `folder_id ${base64(folder_id)}` },
  }),
  getResumableUpload: () => ({ headers: TUS }),
  continueResumableUpload: () => ({
    headers: { ...TUS, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
  }),
  endResumableUpload: () => ({ headers: TUS }),
  putMetadataFile: () => ({ body: '[]' }),
  putSubtitles: () => ({ body: '1\n00:00:01,000 --> 00:00:02,000\nStop\n' }),
  getFolder: ({ folder_name }) => ({ query: `?name=${folder_name}` }),
  listVideos: ({ folder_name }) => ({ query: `?folder=${folder_name}` }),
  countVideos: ({ folder_id }) => ({ query: `?folder_id=${folder_id}` }),
  searchVideos: ({ folder_id }) => ({ query: `?folder_id=${folder_id}` }),
  listViewSets: ({ video_id }) => ({ query: `?video_id=${video_id}` }),
  getReviewScores: ({ folder_id }) => ({ query: `?folder_id=${folder_id}` }),
  drawReviewSamples: ({ folder_id }) => ({ query: `?folder_id=${folder_id}` }),
  createZone: ({ video_id }) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'B',
      points: [
        { x: 0, y: 0.5 },
        { x: 1, y: 0.5 },
      ],
      video_id,
    }),
  }),
  listZones: ({ video_id }) => ({ query: `?video_id=${video_id}` }),
  listEvents: ({ folder_id }) => ({ query: `?folder_id=${folder_id}&facets=true` }),
  listPassages: ({ folder_id }) => ({ query: `?folder_id=${folder_id}` }),
};

/** Operations that succeed without data of other folders, or with a 403 per item. */
const ANSWERS = [
  'verifyKey',
  'listFolders',
  'listMcapIngests',
  'listExports',
  'getSystem',
  'deleteVideos',
  'restoreVideos',
  'setVideoClocks',
  'signVideoUrls',
  'listLiveSessions',
  'listRecentLiveEvents',
  'listCameras',
  'followActivity',
  'inferOutputSchema',
  'callMcp',
];
/** Operations that are unavailable with local storage. */
const UNAVAILABLE = /DirectUpload$|^signUploadParts$/;

/** A request for an operation about these ids, built from the example in its description. */
export function buildRequest(path: string, operation: WalkedOperation, all: ForeignIds): CallOptions & { url: string } {
  const ids = path.startsWith('/api/live/')
    ? { ...all, session_id: all.live_session_id, stream_id: all.live_stream_id }
    : all;
  const { query = '', ...special } = SPECIAL[operation.operationId]?.(ids) ?? {};
  // Rows have the first version.
  const url =
    path
      .replace('{version}', '1')
      .replace(/\{(\w+)\}/g, (_, name: string) => ids[name as keyof ForeignIds] ?? '0'.repeat(32)) + query;
  const body = operation.requestBody?.content['application/json'];
  if (operation.operationId in SPECIAL || !body) return { url, ...special };
  const example = body.example ?? Object.values(body.examples ?? {})[0]?.value ?? { video_ids: [] };
  return { url, json: about({ ...example, folder_id: ids.folder_id }, ids) };
}

/** Calls every operation of the OpenAPI document with ids of another folder. Requests are built from its examples. */
async function* walk(client: ApiClient, document: WalkedDocument, key: string, all: ForeignIds) {
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (operation['x-scope'] === 'public') continue;
      const { url, ...options } = buildRequest(path, operation, all);
      const answer = await client.call(method.toUpperCase(), url, { key, ...options, headOfStream: true });
      yield {
        operation,
        answer,
        message: `${operation.operationId}: ${answer.status} ${answer.text.slice(0, 300)}`,
      };
    }
  }
}

/** Calls all operations with a key of another organization. Returns a message for each that leaks data or fails. */
export async function walkOtherOrganization(
  client: ApiClient,
  document: WalkedDocument,
  key: string,
  elsewhere: ForeignIds,
) {
  const wrong: string[] = [];
  // The other organization may have a folder of the same name.
  const { folder_name: _, ...ids } = elsewhere;
  for await (const { operation, answer, message } of walk(client, document, key, elsewhere)) {
    const unavailable = answer.status === 501 || UNAVAILABLE.test(operation.operationId);
    const failed = answer.status >= 500 && ![502, 504].includes(answer.status) && !unavailable;
    if (failed || (answer.status < 300 && saysMore(answer.text, ids))) wrong.push(message);
  }
  return wrong;
}

/** Part of a response that could reveal whether an id exists. */
type Outcome = { status: number; error: unknown };

/** Responses of each operation to ids of another organization and to unknown ids. */
export async function walkUnknownIds(client: ApiClient, document: WalkedDocument, key: string, elsewhere: ForeignIds) {
  const unknown = Object.fromEntries(
    Object.keys(elsewhere).map((name, i) => [name, `${i}`.padStart(32, '0')]),
  ) as ForeignIds;
  const outcomes = new Map<string, { foreign: Outcome; unknown: Outcome | null }>();
  for await (const { operation, answer } of walk(client, document, key, elsewhere)) {
    outcomes.set(operation.operationId, {
      foreign: { status: answer.status, error: answer.json.error },
      unknown: null,
    });
  }
  for await (const { operation, answer } of walk(client, document, key, unknown)) {
    outcomes.get(operation.operationId)!.unknown = { status: answer.status, error: answer.json.error };
  }
  return outcomes;
}

/**
 * Calls all operations with a key of another folder of the organization. Returns a message for each that is not 403.
 */
export async function walkFolderLimit(client: ApiClient, document: WalkedDocument, key: string, elsewhere: ForeignIds) {
  const wrong: string[] = [];
  const open: string[] = [];
  for await (const { operation, answer, message } of walk(client, document, key, elsewhere)) {
    const { operationId } = operation;
    if (operation['x-folder-keys']) open.push(operationId);
    if (!operation['x-folder-keys'] || !(ANSWERS.includes(operationId) || UNAVAILABLE.test(operationId))) {
      // Operations that are not offered have no data.
      if (![403, 501].includes(answer.status)) wrong.push(message);
    } else if (UNAVAILABLE.test(operationId)) {
      if (answer.json.error !== 'direct_upload_unavailable') wrong.push(message);
    } else if (answer.status !== 200 || saysMore(answer.text, elsewhere)) wrong.push(message);
  }
  return { wrong, open };
}

/** Replaces the ids in the example by foreign ones. */
function about(example: object, elsewhere: ForeignIds): unknown {
  const ids: Record<string, unknown> = {
    ...elsewhere,
    name: elsewhere.folder_name,
    video_ids: [elsewhere.video_id],
    primary_view_id: elsewhere.video_id,
    views: { front: elsewhere.video_id, rear: elsewhere.upload_id },
    batch_ids: [elsewhere.batch_id],
    event_ids: [elsewhere.event_id],
  };
  return JSON.parse(JSON.stringify(example), (name, value) => (name in ids ? ids[name] : value));
}

/** True if a response contains foreign ids other than requested ids that are each refused. */
function saysMore(text: string, elsewhere: Omit<ForeignIds, 'folder_name'>): boolean {
  const refused =
    (text.includes('"ok":false') && text.includes('"status":403') && !text.includes('"ok":true')) ||
    (text.includes('"error_code":"video_not_found"') && !text.includes('"status":"completed"'));
  // The owner of the key is not foreign.
  const { owner_uid: _, ...ids } = elsewhere;
  return !refused && Object.values(ids).some((id) => text.includes(id));
}
