import { SightlineError } from '@sightline/sdk';
import type { DetailedError, HttpRequest } from 'tus-js-client';
import { loadModule } from '#api/load-module.ts';
import { newKey } from './upload-keys.ts';
import type { UploadItem } from './upload-types.ts';

const ENDPOINT = '/api/uploads';
/** The most that a broken connection sends again. */
const CHUNK_BYTES = 8 * 2 ** 20;
/** Pauses between attempts while the service or the network is away: for a day. */
const RETRY_PAUSES_MS = [500, 1_000, 2_000, ...Array<number>(17_280).fill(5_000)];
/** Wrong offset, concurrent writer, corrupted chunk: the upload continues after it has read the offset. */
const OUT_OF_SYNC = new Set([409, 423, 460]);

export type TusEvents = {
  onStarted: (url: string) => void;
  /** Bytes sent, including those that the service has not confirmed yet. */
  onProgress: (sent: number) => void;
  /** True while the service or the network is away. */
  onStalled: (stalled: boolean) => void;
  onDone: (url: string) => void;
  onFailed: (error: SightlineError) => void;
};

export type RunningUpload = { pause: () => Promise<void> };

/** Uploads a file by the tus protocol, or resumes the upload at `item.url`. */
export async function startTusUpload(item: UploadItem, file: File, events: TusEvents): Promise<RunningUpload> {
  const { Upload } = await loadModule(() => import('tus-js-client'));
  const metadata: Record<string, string> = { filename: item.name };
  if (item.folderId) metadata.folder_id = item.folderId;
  if (item.scope) metadata.scope = item.scope;
  // An upload that no longer exists is created again, which is not a repeat.
  const creationKey = item.url ? newKey() : item.creationKey;
  const upload = new Upload(file, {
    endpoint: ENDPOINT,
    uploadUrl: item.url,
    metadata,
    chunkSize: CHUNK_BYTES,
    retryDelays: RETRY_PAUSES_MS,
    storeFingerprintForResuming: false,
    onBeforeRequest: async (request) => {
      if (request.getMethod() === 'POST') request.setHeader('idempotency-key', creationKey);
      if (request.getMethod() === 'PATCH') await addChecksum(request, file);
    },
    onShouldRetry: (error) => {
      const status = (error as DetailedError).originalResponse?.getStatus() ?? 0;
      const passing = status === 0 || status === 429 || status >= 500 || OUT_OF_SYNC.has(status);
      if (passing && !OUT_OF_SYNC.has(status)) events.onStalled(true);
      return passing && status !== 507;
    },
    onUploadUrlAvailable: () => events.onStarted(upload.url!),
    onProgress: (sent) => {
      events.onStalled(false);
      events.onProgress(sent);
    },
    onSuccess: () => events.onDone(upload.url!),
    onError: (error) => events.onFailed(toProblem(error)),
  });
  upload.start();
  return { pause: () => upload.abort() };
}

/** Ends an upload and removes what the service has of it. */
export async function endTusUpload(url: string): Promise<void> {
  const { Upload } = await loadModule(() => import('tus-js-client'));
  await Upload.terminate(url, { retryDelays: RETRY_PAUSES_MS.slice(0, 3) });
}

/** The service then refuses a chunk that was changed on its way. Needs a secure context, as browsers have it. */
async function addChecksum(request: HttpRequest, file: File): Promise<void> {
  const offset = Number(request.getHeader('Upload-Offset'));
  if (!globalThis.crypto?.subtle || Number.isNaN(offset)) return;
  const digest = await crypto.subtle.digest('SHA-256', await file.slice(offset, offset + CHUNK_BYTES).arrayBuffer());
  request.setHeader('Upload-Checksum', `sha256 ${btoa(String.fromCharCode(...new Uint8Array(digest)))}`);
}

/** The error of the API; without a response, why the file could not be read. */
function toProblem(error: Error): SightlineError {
  const response = (error as Partial<DetailedError>).originalResponse;
  const body = response?.getBody() ?? '';
  try {
    return new SightlineError(response?.getStatus() ?? 0, JSON.parse(body));
  } catch {
    return new SightlineError(response?.getStatus() ?? 0, body || error.message);
  }
}
