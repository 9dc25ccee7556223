import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '#platform/log';

/** Weights of the object detector: a file in the models folder, downloaded on first use if allowed. */
export type Weights = {
  path: string;
  /** `yolox_nano`, `yolox_tiny`. */
  name: string;
  /** SHA-256 of the file, 64 hex digits. */
  digest: string;
};

export type WeightsFinder = {
  /**
   * Finds or downloads the weights. Never throws. Without a network it returns within seconds, and a failed download is
   * repeated only after some minutes.
   */
  find(): Promise<Weights | { unavailable: string }>;
};

export type WeightsSource = { url: string; sha256: string; bytes: number };

export type WeightsOptions = {
  dir: string;
  download: boolean;
  log: Log;
  /** Download of `yolox_nano.onnx`. Default: the release of the YOLOX project. */
  source?: WeightsSource;
  /** Called while downloading with the fraction done, 0 to 1. */
  onProgress?: (fraction: number) => void;
};

/** Released by the YOLOX project under Apache-2.0. */
export const YOLOX_NANO: WeightsSource = {
  url: 'https://github.com/Megvii-BaseDetection/YOLOX/releases/download/0.1.1rc0/yolox_nano.onnx',
  sha256: 'c789161ed43c8269fcd4e67c67eeeb4e80c622da2eb296a20bc6007bd18a0b7d',
  bytes: 3_659_407,
};

/** In order of preference: the larger one exists only if an administrator added it. */
const NAMES = ['yolox_tiny', 'yolox_nano'];
const RESPONSE_TIMEOUT_MS = 5_000;
const DOWNLOAD_TIMEOUT_MS = 120_000;
/** Time after a failed download before it is repeated. */
const RETRY_MS = 5 * 60_000;

export function createWeights({ dir, download, log, source = YOLOX_NANO, onProgress }: WeightsOptions): WeightsFinder {
  const digests = new Map<string, { version: string; digest: string }>();
  let pending: Promise<void> | null = null;
  let failed: { reason: string; atMs: number } | null = null;

  /** Digest of a file, cached until the file changes. */
  async function computeDigest(path: string): Promise<string | null> {
    const facts = await stat(path).catch(() => null);
    if (!facts?.isFile()) return null;
    const version = `${facts.mtimeMs} ${facts.size} ${facts.ino}`;
    const known = digests.get(path);
    if (known?.version === version) return known.digest;
    const digest = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
    digests.set(path, { version, digest });
    return digest;
  }

  async function findFile(): Promise<Weights | null> {
    for (const name of NAMES) {
      const path = join(dir, `${name}.onnx`);
      const digest = await computeDigest(path);
      if (digest) return { path, name, digest };
    }
    return null;
  }

  async function fetchOnce(): Promise<void> {
    log.info({ url: source.url }, "downloading the object detector's weights");
    try {
      await fetchWeights(source, dir, onProgress);
    } catch (error) {
      failed = { reason: toReason(error), atMs: performance.now() };
      log.info({ err: error, url: source.url }, "the object detector's weights could not be downloaded");
    }
  }

  return {
    async find() {
      try {
        const existing = await findFile();
        if (existing) return existing;
        const path = join(dir, 'yolox_nano.onnx');
        const remedy = `To detect objects, download ${source.url} (${source.bytes} bytes, SHA-256 ${source.sha256}) and save it as ${path}.`;
        if (!download)
          return { unavailable: `The object detector's weights are missing and downloads are turned off. ${remedy}` };
        if (!failed || performance.now() - failed.atMs > RETRY_MS) {
          failed = null;
          pending ??= fetchOnce().finally(() => {
            pending = null;
          });
          await pending;
        }
        const fetched = await findFile();
        if (fetched) return fetched;
        return { unavailable: `The object detector's weights could not be downloaded (${failed?.reason}). ${remedy}` };
      } catch (error) {
        log.info({ err: error, dir }, "the object detector's weights cannot be read");
        return { unavailable: `The object detector's weights in ${dir} cannot be read: ${toReason(error)}.` };
      }
    },
  };
}

/** Downloads to a temporary file, checks its digest and renames it: readers never find a partial file. */
async function fetchWeights(
  source: WeightsSource,
  dir: string,
  onProgress?: (fraction: number) => void,
): Promise<void> {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new Error(`no response within ${RESPONSE_TIMEOUT_MS / 1000} s`)),
    RESPONSE_TIMEOUT_MS,
  );
  const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS)]);
  const partial = join(dir, `.download-${randomUUID()}`);
  try {
    const response = await fetch(source.url, { signal });
    clearTimeout(timer);
    if (!response.ok || !response.body) throw new Error(`the server returned ${response.status}`);
    await mkdir(dir, { recursive: true });
    await using file = await open(partial, 'wx');
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of response.body) {
      bytes += chunk.byteLength;
      if (bytes > source.bytes) throw new Error('the downloaded file is larger than the published one');
      hash.update(chunk);
      await file.write(chunk);
      onProgress?.(bytes / source.bytes);
    }
    if (hash.digest('hex') !== source.sha256)
      throw new Error('the digest of the downloaded file is not the published one');
    await file.sync();
    await rename(partial, join(dir, 'yolox_nano.onnx'));
  } finally {
    clearTimeout(timer);
    await rm(partial, { force: true });
  }
}

const NETWORK: Record<string, string> = {
  ENOTFOUND: 'its host name was not found; check the network',
  EAI_AGAIN: 'its host name was not found; check the network',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection broke',
  ENETUNREACH: 'the network is unreachable',
};

/** Reason of a failed download; common error codes in words. Fetch has the reason in the error's cause. */
function toReason(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
  return NETWORK[cause?.code ?? ''] ?? cause?.code ?? cause?.message ?? message;
}
