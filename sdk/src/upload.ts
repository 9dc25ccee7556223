import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { bodyOf, SightlineError } from './errors.ts';
import { mayPass, pauseMs } from './requests.ts';

/** Bytes sent at once: what a broken connection costs at most. */
const PIECE = 8 * 1024 * 1024;
const TRIES = 8;
const TUS = { 'tus-resumable': '1.0.0' };
/** The pieces do not fit together, somebody else is writing, or bytes changed on the way: asking how far it is helps. */
const OUT_OF_STEP = new Set([409, 423, 460]);

export type UploadOptions = {
  /** What the video is called; it says the name of the file too. */
  name?: string;
  folderId?: string;
  scope?: 'user' | 'org';
  /** SHA-256 of the file as hex: what arrives otherwise is refused. */
  sha256?: string;
  /** The id of an upload that was begun before with the same file: it goes on where it is. */
  resume?: string;
  /** Called once the upload is begun, with the id to resume it by: the id of the video to be. */
  onBegun?: (uploadId: string) => void | Promise<void>;
  /** Called after each piece with the bytes that the server has. */
  onProgress?: (sent: number, total: number) => void;
  signal?: AbortSignal;
};

type Send = (path: string, init: RequestInit) => Promise<Response>;

/**
 * Sends a file in pieces by the tus protocol and goes on where it was after every break. `calm` repeats what may pass by itself; `send` is one
 * try. Returns the id of the video. Throws a `SightlineError` for what will not pass, such as a file that is no video.
 */
export async function uploadInPieces(file: Blob, options: UploadOptions, send: Send, calm: Send): Promise<string> {
  const { signal, onProgress, onBegun, resume } = options;
  const id = resume ?? (await begin(file, options, calm));
  const path = `/api/uploads/${encodeURIComponent(id)}`;
  if (!resume) await onBegun?.(id);

  const offsetOf = async () => {
    const answer = await calm(path, { method: 'HEAD', headers: TUS, signal });
    if (!answer.ok) throw await refusalOf(answer, 'This upload is not there any more: begin it anew.');
    return Number(answer.headers.get('upload-offset'));
  };
  /** Sends what comes at `offset`; returns how much the server has then. */
  const sendPiece = async (offset: number) => {
    const piece = new Uint8Array(await file.slice(offset, offset + PIECE).arrayBuffer());
    const answer = await send(path, {
      method: 'PATCH',
      headers: {
        ...TUS,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(offset),
        'upload-checksum': `sha256 ${createHash('sha256').update(piece).digest('base64')}`,
      },
      body: piece,
      signal,
    });
    if (!answer.ok) throw await refusalOf(answer);
    return Number(answer.headers.get('upload-offset'));
  };
  // Null: how far it is has to be asked, which takes a service that answers, as sending does.
  let offset = resume ? null : 0;
  if (!resume) onProgress?.(0, file.size);
  for (let n = 1; offset === null || offset < file.size; ) {
    try {
      if (offset === null) offset = await offsetOf();
      else {
        offset = await sendPiece(offset);
        n = 1;
      }
    } catch (error) {
      const final = error instanceof SightlineError && !mayPass(error.status) && !OUT_OF_STEP.has(error.status);
      if (final || signal?.aborted || n === TRIES) throw error;
      await sleep(pauseMs(n++), undefined, { signal });
      offset = null;
    }
    if (offset !== null) onProgress?.(offset, file.size);
  }
  return id;
}

async function begin(file: Blob, options: UploadOptions, calm: Send): Promise<string> {
  const { name = 'video.mp4', folderId, scope, sha256, signal } = options;
  const said = { filename: name, folder_id: folderId, scope, sha256 };
  const metadata = Object.entries(said).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key} ${Buffer.from(value).toString('base64')}`],
  );
  const headers = { ...TUS, 'upload-length': String(file.size), 'upload-metadata': metadata.join(',') };
  const answer = await calm('/api/uploads', { method: 'POST', headers, signal });
  if (!answer.ok) throw await refusalOf(answer);
  return answer.headers.get('location')!.split('/').at(-1)!;
}

/** A HEAD has no body: it says what its status means here. */
async function refusalOf(answer: Response, sentence?: string): Promise<SightlineError> {
  const body = await bodyOf(answer);
  return new SightlineError(answer.status, body === '' && sentence ? { message: sentence } : body);
}
