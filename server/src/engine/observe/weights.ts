import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '#platform/log';

/** The detector's weights: a file in the models folder, or downloaded there when first needed. */
export type Weights = {
  path: string;
  /** `yolox_nano`, `yolox_tiny`. */
  name: string;
  /** SHA-256 of the file, 64 hex digits. */
  digest: string;
};

export type WeightsFinder = {
  /** Never throws and never takes longer than a download may; without a network it says so within seconds, and does not try again for some minutes. */
  find(): Promise<Weights | { unavailable: string }>;
};

export type Source = { url: string; sha256: string; bytes: number };

export type WeightsSettings = {
  dir: string;
  download: boolean;
  log: Log;
  /** Where `yolox_nano.onnx` comes from; the YOLOX project's own release unless a test says otherwise. */
  source?: Source;
  /** Called while downloading with the fraction done, 0 to 1. */
  onProgress?: (fraction: number) => void;
};

/** Released by the YOLOX project under Apache-2.0. */
export const YOLOX_NANO: Source = {
  url: 'https://github.com/Megvii-BaseDetection/YOLOX/releases/download/0.1.1rc0/yolox_nano.onnx',
  sha256: 'c789161ed43c8269fcd4e67c67eeeb4e80c622da2eb296a20bc6007bd18a0b7d',
  bytes: 3_659_407,
};

/** In order of preference: the larger one is only there because someone put it there. */
const NAMES = ['yolox_tiny', 'yolox_nano'];
const ANSWER_MS = 5_000;
const DOWNLOAD_MS = 120_000;
/** After a download failed, how long until it is tried again. */
const RETRY_MS = 5 * 60_000;

export function createWeights({ dir, download, log, source = YOLOX_NANO, onProgress }: WeightsSettings): WeightsFinder {
  const digests = new Map<string, { version: string; digest: string }>();
  let pending: Promise<void> | null = null;
  let failed: { reason: string; atMs: number } | null = null;

  /** A file's digest, computed again only when the file changed. */
  async function digestOf(path: string): Promise<string | null> {
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

  async function inFolder(): Promise<Weights | null> {
    for (const name of NAMES) {
      const path = join(dir, `${name}.onnx`);
      const digest = await digestOf(path);
      if (digest) return { path, name, digest };
    }
    return null;
  }

  async function fetchOnce(): Promise<void> {
    log.info({ url: source.url }, "downloading the detector's weights");
    try {
      await fetchWeights(source, dir, onProgress);
    } catch (error) {
      failed = { reason: reasonOf(error), atMs: performance.now() };
      log.info({ err: error, url: source.url }, "the detector's weights could not be downloaded");
    }
  }

  return {
    async find() {
      try {
        const there = await inFolder();
        if (there) return there;
        const path = join(dir, 'yolox_nano.onnx');
        const remedy = `To detect objects, download ${source.url} (${source.bytes} bytes, SHA-256 ${source.sha256}) and save it as ${path}.`;
        if (!download)
          return { unavailable: `The object detector is missing, and downloads are turned off. ${remedy}` };
        if (!failed || performance.now() - failed.atMs > RETRY_MS) {
          failed = null;
          pending ??= fetchOnce().finally(() => {
            pending = null;
          });
          await pending;
        }
        const fetched = await inFolder();
        if (fetched) return fetched;
        return { unavailable: `The object detector could not be downloaded (${failed?.reason}). ${remedy}` };
      } catch (error) {
        log.info({ err: error, dir }, "the detector's weights cannot be read");
        return { unavailable: `The detector's weights in ${dir} cannot be read: ${reasonOf(error)}.` };
      }
    },
  };
}

/** Downloads to a file beside its final place and renames it there once its digest is right: nobody ever sees half a file. */
async function fetchWeights(source: Source, dir: string, onProgress?: (fraction: number) => void): Promise<void> {
  const slow = new AbortController();
  const answer = setTimeout(() => slow.abort(new Error(`no answer within ${ANSWER_MS / 1000} s`)), ANSWER_MS);
  const signal = AbortSignal.any([slow.signal, AbortSignal.timeout(DOWNLOAD_MS)]);
  const partial = join(dir, `.download-${randomUUID()}`);
  try {
    const response = await fetch(source.url, { signal });
    clearTimeout(answer);
    if (!response.ok || !response.body) throw new Error(`the server answered ${response.status}`);
    await mkdir(dir, { recursive: true });
    await using file = await open(partial, 'wx');
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of response.body) {
      bytes += chunk.byteLength;
      if (bytes > source.bytes) throw new Error('the file there is larger than it should be');
      hash.update(chunk);
      await file.write(chunk);
      onProgress?.(bytes / source.bytes);
    }
    if (hash.digest('hex') !== source.sha256) throw new Error('the file there is not the one that was published');
    await file.sync();
    await rename(partial, join(dir, 'yolox_nano.onnx'));
  } finally {
    clearTimeout(answer);
    await rm(partial, { force: true });
  }
}

const NETWORK: Record<string, string> = {
  ENOTFOUND: 'its host name was not found: is there a network?',
  EAI_AGAIN: 'its host name was not found: is there a network?',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection broke',
  ENETUNREACH: 'there is no network',
};

/** Why a download failed, in words where the code is a common one. Fetch hides the reason in the error's cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
  return NETWORK[cause?.code ?? ''] ?? cause?.code ?? cause?.message ?? message;
}
