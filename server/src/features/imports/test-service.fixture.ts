import { readFile } from 'node:fs/promises';
import type { Env } from '#test/app';
import { type LibraryOptions, openLibrary } from '#test/library';
import { flatClip } from '#test/media/clips';

/** Retries at once. */
export const QUICK = { importRetryDelayS: 0.2 };

export type ImportService = Awaited<ReturnType<typeof openImportService>>;

/** The service with a running worker, unless there is to be none, and a key of its owner. Close it. */
export async function openImportService(env: Env = {}, { worker = true, overrides }: LibraryOptions = {}) {
  const library = await openLibrary(env, { worker, overrides: { ...QUICK, ...overrides } });
  const { api, imports, integrations, media } = library;
  const me = await library.keyOf(library.owner, ['read', 'write']);

  const call = (method: string, path: string, json?: unknown, key = me.key) => api.call(method, path, { key, json });
  const rows = async (jobId: string): Promise<Record<string, unknown>[]> =>
    (await call('GET', `/api/import-jobs/${jobId}/videos?limit=1000`)).json.videos as Record<string, unknown>[];
  return {
    library,
    media,
    integrations,
    imports,
    me,
    call,
    rows,
    /** Saves an integration; returns its id. */
    async save(kind: string, body: object): Promise<string> {
      const { json, text } = await call('POST', `/api/cloud-integrations/${kind}`, { name: 'Test', ...body });
      if (typeof json.id !== 'string') throw new Error(text);
      return json.id;
    },
    /** Waits until a job has ended and returns it. */
    async ended(jobId: string, withinMs = 60_000): Promise<Record<string, unknown>> {
      const deadline = Date.now() + withinMs;
      for (;;) {
        const { json } = await call('GET', `/api/import-jobs/${jobId}`);
        if (json.completed_at && Number(json.uploaded) + Number(json.failed) === Number(json.objects)) return json;
        if (Date.now() > deadline) {
          throw new Error(`the import has not ended: ${JSON.stringify(json)} ${JSON.stringify(await rows(jobId))}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    close: library.close,
  };
}

let clip: Promise<Buffer> | null = null;

/** Creates a video of exactly this size; a `free` box after its frames makes it unique to the name. */
export async function createVideo(name: string, bytes = 40_000): Promise<Buffer> {
  clip ??= flatClip({ times: [0, 0.5], endS: 1 }).then((path) => readFile(path));
  const video = await clip;
  const rest = Buffer.alloc(bytes - video.length, `${name} `);
  rest.writeUInt32BE(rest.length, 0);
  rest.write('free', 4);
  return Buffer.concat([video, rest]);
}

/** Body of a test integration for S3. */
export const s3Keys = (endpoint_url: string, bucket: string) => ({
  type: 's3',
  access_key_id: 'AKIATEST',
  secret_access_key: 'secret',
  session_token: null,
  prefix: null,
  endpoint_url,
  bucket,
});
