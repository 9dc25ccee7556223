import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { StoredFacts, Videos } from '#features/videos/index';
import type { Media } from '#platform/media/index';
import type { Storage, StoredFile } from '#platform/storage/index';
import { problems } from './problems.ts';

const HEARTBEAT_MS = 5_000;
const STALL_MS = 60_000;

/** The connection that brings an upload. */
export type Connection = {
  /** Aborts when the client goes away. */
  gone: AbortSignal;
  /** How many bytes have come so far. */
  bytesRead(): number;
  /** How many it will bring, where that is known beforehand. */
  length?: number;
};

/**
 * Keeps a video alive while its connection brings it: a heartbeat every few seconds, which also hears of a deletion. `signal` aborts with
 * `upload_deleted`, or with `upload_stalled` when nothing comes for a minute, until `received` says that all bytes are here.
 */
export function keepAlive(
  videos: Pick<Videos, 'touch'>,
  videoId: string,
  connection: Connection,
  { heartbeatMs = HEARTBEAT_MS, stallMs = STALL_MS } = {},
) {
  const controller = new AbortController();
  let receiving = true;
  let seen = connection.bytesRead();
  let quietSince = Date.now();
  const timer = setInterval(() => {
    videos.touch(videoId).then(
      (alive) => alive || controller.abort(problems.upload_deleted()),
      // The next one may get through; a minute of silence ends the upload.
      () => {},
    );
    if (connection.bytesRead() !== seen) {
      seen = connection.bytesRead();
      quietSince = Date.now();
    } else if (receiving && Date.now() - quietSince > stallMs) controller.abort(problems.upload_stalled());
  }, heartbeatMs);
  return {
    signal: controller.signal,
    received: () => {
      receiving = false;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/**
 * Reads what was stored as a video; without `stored`, its size and digest are taken from the file.
 * Throws a `media_…` problem (400) that says what is wrong with it, or `upload_digest_mismatch` when it is not what was `promised`.
 */
export async function examine(
  { storage, media }: { storage: Storage; media: Pick<Media, 'probe'> },
  storageKey: string,
  stored: StoredFile | null,
  signal: AbortSignal,
  promised: string | null = null,
): Promise<StoredFacts> {
  await using file = await storage.local(storageKey, signal);
  const { size, sha256 } = stored ?? (await digestOf(file.path, signal));
  if (promised !== null && promised !== sha256) throw problems.upload_digest_mismatch();
  return { probe: await media.probe(file.path, { signal }), sizeBytes: size, sha256 };
}

async function digestOf(path: string, signal: AbortSignal): Promise<StoredFile> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(path, { signal, highWaterMark: 1 << 20 })) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex') };
}
