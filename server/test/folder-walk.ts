import type { Client } from './http.ts';

type Operation = {
  operationId: string;
  'x-scope': string;
  'x-folder-keys'?: boolean;
  requestBody?: { content: Record<string, { example?: object; examples?: Record<string, { value: object }> }> };
};
type Document = { paths: Record<string, Record<string, Operation>> };

/** What lies in another folder than the key's: the ids by the names that paths and bodies have for them. */
export type Elsewhere = {
  video_id: string;
  analysis_id: string;
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
  /** What `session_id` and `stream_id` mean where livestreams are spoken of. */
  live_session_id: string;
  live_stream_id: string;
};

/** Requests that cannot be made up from the document alone. */
type Special = (elsewhere: Elsewhere) => { query?: string; headers?: Record<string, string>; body?: FormData | string };
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
  getFolder: ({ folder_name }) => ({ query: `?name=${folder_name}` }),
  listVideos: ({ folder_name }) => ({ query: `?folder=${folder_name}` }),
  searchVideos: ({ folder_id }) => ({ query: `?folder_id=${folder_id}` }),
};

/** Operations that answer all the same: with nothing of elsewhere in it, or, of many, with a 403 for each. */
const ANSWERS = [
  'verifyKey',
  'listFolders',
  'getSystem',
  'deleteVideos',
  'restoreVideos',
  'signVideoUrls',
  'listLiveSessions',
];
/** On local disk these say that there is no such thing, whoever asks. */
const UNAVAILABLE = /DirectUpload$|^signUploadParts$/;

/** Calls every operation of the OpenAPI document about what lies elsewhere. Requests are made up of the document's examples: a new operation is walked too. */
async function* walk(client: Client, document: Document, key: string, all: Elsewhere) {
  const live = { ...all, session_id: all.live_session_id, stream_id: all.live_stream_id };
  for (const [path, operations] of Object.entries(document.paths)) {
    const elsewhere = path.startsWith('/api/live/') ? live : all;
    const url = path.replace(/\{(\w+)\}/g, (_, name: string) => elsewhere[name as keyof Elsewhere] ?? '0'.repeat(32));
    for (const [method, operation] of Object.entries(operations)) {
      if (operation['x-scope'] === 'public') continue;
      const { operationId } = operation;
      const special = SPECIAL[operationId]?.(elsewhere);
      const body = operation.requestBody?.content['application/json'];
      const example = body?.example ?? Object.values(body?.examples ?? {})[0]?.value ?? { video_ids: [] };
      const json = special || !body ? undefined : about({ ...example, folder_id: elsewhere.folder_id }, elsewhere);
      const { query = '', ...options } = special ?? {};
      const answer = await client.call(method.toUpperCase(), url + query, { key, json, ...options });
      yield { operation, answer, told: `${operationId}: ${answer.status} ${answer.text.slice(0, 300)}` };
    }
  }
}

/** Walks with a key of another organisation. Says, in sentences, which operations tell it anything of elsewhere, or fail. */
export async function walkOtherOrganisation(client: Client, document: Document, key: string, elsewhere: Elsewhere) {
  const wrong: string[] = [];
  // A folder of the same name they may have too.
  const { folder_name: _, ...ids } = elsewhere;
  for await (const { operation, answer, told } of walk(client, document, key, elsewhere)) {
    const unavailable = answer.status === 501 || UNAVAILABLE.test(operation.operationId);
    const failed = answer.status >= 500 && !unavailable;
    if (failed || (answer.status < 300 && saysMore(answer.text, ids))) wrong.push(told);
  }
  return wrong;
}

/** What an operation answers, as far as ids could be probed by it. */
type Outcome = { status: number; error: unknown };

/** What each operation answers of ids of another organisation, and of ids that nothing has. */
export async function walkUnknownIds(client: Client, document: Document, key: string, elsewhere: Elsewhere) {
  const unknown = Object.fromEntries(
    Object.keys(elsewhere).map((name, i) => [name, `${i}`.padStart(32, '0')]),
  ) as Elsewhere;
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

/** Walks with a key that is limited to another folder of the same organisation. Says, in sentences, where the answer is not 403. */
export async function walkFolderLimit(client: Client, document: Document, key: string, elsewhere: Elsewhere) {
  const wrong: string[] = [];
  const open: string[] = [];
  for await (const { operation, answer, told } of walk(client, document, key, elsewhere)) {
    const { operationId } = operation;
    if (operation['x-folder-keys']) open.push(operationId);
    if (!operation['x-folder-keys'] || !(ANSWERS.includes(operationId) || UNAVAILABLE.test(operationId))) {
      // What is not offered at all reaches nowhere.
      if (![403, 501].includes(answer.status)) wrong.push(told);
    } else if (UNAVAILABLE.test(operationId)) {
      if (answer.json.error !== 'direct_upload_unavailable') wrong.push(told);
    } else if (answer.status !== 200 || saysMore(answer.text, elsewhere)) wrong.push(told);
  }
  return { wrong, open };
}

/** The example with the ids of what lies elsewhere. */
function about(example: object, elsewhere: Elsewhere): unknown {
  const ids: Record<string, unknown> = {
    ...elsewhere,
    name: elsewhere.folder_name,
    video_ids: [elsewhere.video_id],
    primary_view_id: elsewhere.video_id,
    views: { front: elsewhere.video_id, rear: elsewhere.upload_id },
    batch_ids: [elsewhere.batch_id],
  };
  return JSON.parse(JSON.stringify(example), (name, value) => (name in ids ? ids[name] : value));
}

/** Whether an answer has anything of elsewhere in it but ids that were asked for, each refused. */
function saysMore(text: string, elsewhere: Omit<Elsewhere, 'folder_name'>): boolean {
  const refused = text.includes('"ok":false') && text.includes('"status":403') && !text.includes('"ok":true');
  // Whose key it is, it may say.
  const { owner_uid: _, ...ids } = elsewhere;
  return !refused && Object.values(ids).some((id) => text.includes(id));
}
