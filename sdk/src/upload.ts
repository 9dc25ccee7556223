import { bodyOf, SightlineError } from './errors.ts';
import { sha256Base64, sleep, textBase64 } from './platform.ts';
import { mayPass, pauseMs } from './requests.ts';

/** Size of a chunk in bytes: the most that a broken connection loses. */
const CHUNK_BYTES = 8 * 1024 * 1024;
const TRIES = 8;
const TUS = { 'tus-resumable': '1.0.0' };
/** Wrong offset, concurrent writer, or corrupted chunk: the upload continues after reading the offset. */
const OUT_OF_SYNC = new Set([409, 423, 460]);

export type UploadOptions = {
  /** Name of the video. */
  name?: string;
  folderId?: string;
  scope?: 'user' | 'org';
  /** SHA-256 of the file as hex; a file with another digest is refused. */
  sha256?: string;
  /** Id of an unfinished upload of the same file, to resume it. */
  resume?: string;
  /** Called when the upload has started, with its id, which is also the id of the video. */
  onStarted?: (uploadId: string) => void | Promise<void>;
  /** Called after each chunk with the number of bytes that the server has. */
  onProgress?: (sent: number, total: number) => void;
  signal?: AbortSignal;
};

type Send = (path: string, init: RequestInit) => Promise<Response>;

/**
 * Uploads a file in chunks by the tus protocol and resumes after disconnects. `sendWithRetries` retries transient
 * failures, `send` does not. Returns the id of the video. Throws a `SightlineError` for permanent failures, such as a
 * file that is not a video.
 */
export async function uploadInChunks(
  file: Blob,
  options: UploadOptions,
  send: Send,
  sendWithRetries: Send,
): Promise<string> {
  const { signal, onProgress, onStarted, resume } = options;
  const id = resume ?? (await begin(file, options, sendWithRetries));
  const path = `/api/uploads/${encodeURIComponent(id)}`;
  if (!resume) await onStarted?.(id);

  const offsetOf = async () => {
    const answer = await sendWithRetries(path, { method: 'HEAD', headers: TUS, signal });
    if (!answer.ok) throw await refusalOf(answer, 'This upload has ended. Start a new one.');
    return Number(answer.headers.get('upload-offset'));
  };
  /** Sends the chunk at `offset`. Returns the new offset. */
  const sendChunk = async (offset: number) => {
    const chunk = new Uint8Array(await file.slice(offset, offset + CHUNK_BYTES).arrayBuffer());
    const digest = await sha256Base64(chunk);
    const answer = await send(path, {
      method: 'PATCH',
      headers: {
        ...TUS,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(offset),
        ...(digest ? { 'upload-checksum': `sha256 ${digest}` } : {}),
      },
      body: chunk,
      signal,
    });
    if (!answer.ok) throw await refusalOf(answer);
    return Number(answer.headers.get('upload-offset'));
  };
  // Null: unknown, so the offset is requested before the next chunk.
  let offset = resume ? null : 0;
  if (!resume) onProgress?.(0, file.size);
  for (let n = 1; offset === null || offset < file.size; ) {
    try {
      if (offset === null) offset = await offsetOf();
      else {
        offset = await sendChunk(offset);
        n = 1;
      }
    } catch (error) {
      const final = error instanceof SightlineError && !mayPass(error.status) && !OUT_OF_SYNC.has(error.status);
      if (final || signal?.aborted || n === TRIES) throw error;
      await sleep(pauseMs(n++), signal);
      offset = null;
    }
    if (offset !== null) onProgress?.(offset, file.size);
  }
  return id;
}

async function begin(file: Blob, options: UploadOptions, sendWithRetries: Send): Promise<string> {
  const { name = 'video.mp4', folderId, scope, sha256, signal } = options;
  const fields = { filename: name, folder_id: folderId, scope, sha256 };
  const metadata = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key} ${textBase64(value)}`],
  );
  const headers = { ...TUS, 'upload-length': String(file.size), 'upload-metadata': metadata.join(',') };
  const answer = await sendWithRetries('/api/uploads', { method: 'POST', headers, signal });
  if (!answer.ok) throw await refusalOf(answer);
  return answer.headers.get('location')!.split('/').at(-1)!;
}

/** Error of a refused request. HEAD responses have no body, so `sentence` is used instead. */
async function refusalOf(answer: Response, sentence?: string): Promise<SightlineError> {
  const body = await bodyOf(answer);
  return new SightlineError(answer.status, body === '' && sentence ? { message: sentence } : body);
}
