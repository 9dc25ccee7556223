import { copyFile, readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { Database } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import type { Env } from '#test/app';
import type { ApiClient, ApiResponse } from '#test/http';
import { type LibraryOptions, openLibrary } from '#test/library';
import { sceneClip } from '#test/media/clips';

export type UploadsFixture = Awaited<ReturnType<typeof openUploads>>;

/** The service with a running worker, unless there is to be none, and a key of its owner. */
export async function openUploads(env: Env = {}, { worker = true, overrides }: LibraryOptions = {}) {
  const renderSample = async (_: string, path: string) => copyFile(await sceneClip(), path);
  const library = await openLibrary(env, { worker, overrides: { renderSample, ...overrides } });
  const { api, database, media, uploads, videos } = library;
  const me = await library.keyOf(library.owner, ['read', 'write']);

  return {
    library,
    media,
    uploads,
    api,
    me,
    upload: (fields: FormField[], key = me.key, headers: Record<string, string> = {}) =>
      upload(api, fields, key, headers),
    /** Number of records, of videos with files, and of partial files, after duplicates are deleted. */
    async remains(caller: Caller = me.caller) {
      if (worker)
        await vi.waitFor(async () => expect(await countPendingContentDeletions(database)).toBe(0), { timeout: 30_000 });
      const { videos: rows } = await videos.list(caller, { limit: 100 });
      const list = (...path: string[]) => readdir(join(library.filesDir, ...path)).catch(() => []);
      const files = [...(await list('videos')), ...(await list('contents'))];
      return { rows: rows.length, files: new Set(files).size, partial: (await list('.partial')).length };
    },
    close: library.close,
  };
}

/** Number of duplicate files that are still to be deleted. */
async function countPendingContentDeletions({ db }: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from pgboss.job where name = 'videos.delete-content' and state < 'completed'`.execute(db);
  return rows[0]!.count;
}

/** A field or a file of a form: name, value or bytes, file name. */
export type FormField = [name: string, value: string] | [name: string, bytes: Uint8Array | string, filename: string];

export function toFormData(fields: FormField[]): FormData {
  const form = new FormData();
  for (const [name, value, filename] of fields) {
    if (filename === undefined) form.append(name, value as string);
    else form.append(name, new File([value as Uint8Array<ArrayBuffer> | string], filename));
  }
  return form;
}

const upload = (
  api: ApiClient,
  fields: FormField[],
  key: string,
  headers: Record<string, string>,
): Promise<ApiResponse> => api.call('POST', '/api/upload-video', { key, headers, body: toFormData(fields) });

const BOUNDARY = 'xxBOUNDARYxx';

/** A multipart upload whose bytes the test sends with `write`. */
export function slowUpload(
  base: string,
  key: string,
  { fields = [['source', 'file']], filename = 'slow.mp4', headers = {} }: SlowOptions = {},
) {
  const {
    promise: answered,
    resolve,
    reject,
  } = Promise.withResolvers<{ status: number; json: Record<string, unknown> }>();
  const request = httpRequest(`${base}/api/upload-video`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, ...headers },
  });
  request.on('response', async (response) => {
    const text = Buffer.concat(await response.toArray()).toString();
    resolve({ status: response.statusCode ?? 0, json: JSON.parse(text) });
  });
  request.on('error', reject);
  answered.catch(() => {});
  for (const [name, value] of fields) {
    request.write(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
  }
  request.write(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  );
  return {
    answered,
    request,
    write: (bytes: Uint8Array) => new Promise<void>((done) => request.write(bytes, () => done())),
    /** Ends the file and starts an unknown part. */
    next: () =>
      request.write(`\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="more"; filename="more.bin"\r\n\r\n`),
    end: () => request.end(`\r\n--${BOUNDARY}--\r\n`),
  };
}

type SlowOptions = { fields?: [string, string][]; filename?: string; headers?: Record<string, string> };

/** A minimal tus client, one request at a time. */
export function createTusClient(api: ApiClient, key: string) {
  const version = { 'tus-resumable': '1.0.0' };
  const headers = { ...version, 'content-type': 'application/offset+octet-stream' };
  const call = (method: string, id: string) => api.call(method, `/api/uploads/${id}`, { key, headers: version });
  return {
    headers,
    call,
    async begin(length: number, metadata: Record<string, string> = {}) {
      const pairs = Object.entries(metadata).map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`);
      const answer = await api.call('POST', '/api/uploads', {
        key,
        headers: { ...version, 'upload-length': String(length), 'upload-metadata': pairs.join() },
      });
      if (answer.status !== 201) throw new Error(answer.text);
      return { id: answer.headers.get('location')!.split('/').at(-1)!, expires: answer.headers.get('upload-expires')! };
    },
    async offset(id: string): Promise<number> {
      const answer = await call('HEAD', id);
      if (answer.status !== 200) throw new Error(`HEAD says ${answer.status}`);
      return Number(answer.headers.get('upload-offset'));
    },
    send: (id: string, offset: number, bytes: Uint8Array, more: Record<string, string> = {}): Promise<ApiResponse> =>
      api.call('PATCH', `/api/uploads/${id}`, {
        key,
        headers: { ...headers, 'upload-offset': String(offset), ...more },
        body: bytes as Uint8Array<ArrayBuffer>,
      }),
  };
}
