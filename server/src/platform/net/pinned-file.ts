import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../problem.ts';
import { problems as storageProblems } from '../storage/problems.ts';
import { isTransientFetchError, toFetchProblem } from './fetch-errors.ts';
import type { FetchResponse, GuardedFetch } from './guarded-fetch.ts';
import { createRateWatch } from './minimum-rate.ts';
import { openPartialFile, type PartialFile } from './partial-file.ts';
import { problems } from './problems.ts';
import { discard, header } from './response.ts';

/** Consecutive failures without progress after which a server is given up. */
const MAX_FAILURES = 4;
const BACKOFF_MS = 500;
/** Bytes of a connection that count as progress. */
const MIN_PROGRESS = 65_536;
/** A server that asks for a longer pause is given up. */
const MAX_PAUSE_MS = 60_000;

export type PinnedFile = { urls: readonly string[]; bytes: number; sha256: string; path: string };
export type PinnedFileOptions = {
  signal?: AbortSignal;
  /** Called with the bytes received so far, those of earlier attempts included. */
  onProgress?: (bytes: number) => void;
};

/**
 * Downloads a file whose size and SHA-256 are known to `path`, from the first of `urls` that has it. Readers of `path`
 * see the complete file or none. An interrupted download, also of a killed process, is continued. Throws a `fetch_…`
 * problem, `storage_full`, the reason of an aborted signal, or the error of the file system.
 */
export async function downloadPinnedFile(
  net: Pick<GuardedFetch, 'get' | 'minimumRate'>,
  { urls, bytes, sha256, path }: PinnedFile,
  { signal, onProgress = () => {} }: PinnedFileOptions = {},
): Promise<void> {
  const partial = await openPartialFile(path, sha256.slice(0, 12)).catch((error) => {
    throw toStorageProblem(error);
  });
  try {
    let failure: unknown;
    for (const url of urls) {
      try {
        await receive({ net, url, bytes, sha256, partial, signal, onProgress });
        return await partial.complete();
      } catch (error) {
        signal?.throwIfAborted();
        failure = toStorageProblem(error);
        // The received part must not keep a disk full.
        if (failure instanceof Problem && failure.code === 'storage_full') await partial.clear();
        else if (failure instanceof Problem) continue;
        throw failure;
      }
    }
    throw failure;
  } finally {
    await partial.release();
  }
}

type Receiving = Required<Pick<PinnedFileOptions, 'onProgress'>> &
  Pick<PinnedFileOptions, 'signal'> &
  Omit<PinnedFile, 'urls' | 'path'> & {
    net: Pick<GuardedFetch, 'get' | 'minimumRate'>;
    url: string;
    partial: PartialFile;
  };

/** Receives the whole file from one URL. */
async function receive(receiving: Receiving): Promise<void> {
  const { net, url, bytes, sha256, partial, signal } = receiving;
  const { host } = new URL(url);
  const watch = createRateWatch(net.minimumRate, host);
  for (let failures = 0; ; ) {
    const before = partial.size;
    try {
      if (partial.size < bytes) await receiveRest(receiving, watch);
      if (partial.digest() === sha256) return;
      const isRepeatable = partial.isInherited;
      await partial.clear();
      // The first part may be of another version of the file, or damaged by a power failure.
      if (!isRepeatable) throw problems.fetch_wrong_file(`${host} sent another file than the published one.`);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof LocalError) throw error.cause;
      const problem = toFetchProblem(error, new URL(url));
      if (!(problem instanceof Problem) || !isTransientFetchError(problem)) throw problem;
      failures = partial.size - before >= MIN_PROGRESS ? 1 : failures + 1;
      const pauseMs = error instanceof Unavailable ? error.pauseMs : null;
      if (failures >= MAX_FAILURES || (pauseMs ?? 0) > MAX_PAUSE_MS) throw problem;
      await sleep(pauseMs ?? BACKOFF_MS * 2 ** failures, undefined, { signal });
    }
  }
}

/** Appends what one response has of the missing rest. */
async function receiveRest(
  { net, url, bytes, partial, signal, onProgress }: Receiving,
  watch: ReturnType<typeof createRateWatch>,
): Promise<void> {
  const response = await requestRest({ net, url, bytes, partial, signal });
  for await (const chunk of watch.read(response.body)) {
    if (partial.size + chunk.byteLength > bytes) {
      await partial.clear();
      throw problems.fetch_wrong_file(`${response.url.host} sent a larger file than the published one.`);
    }
    await partial.append(chunk).catch((error) => {
      throw new LocalError(error);
    });
    onProgress(partial.size);
  }
  if (partial.size < bytes) throw problems.fetch_interrupted();
}

/** Requests the missing rest. If the server cannot continue there, the file starts again. */
async function requestRest(
  receiving: Pick<Receiving, 'net' | 'url' | 'bytes' | 'partial' | 'signal'>,
): Promise<FetchResponse> {
  const { net, url, bytes, partial, signal } = receiving;
  const from = partial.size;
  const headers: Record<string, string> = from > 0 ? { range: `bytes=${from}-` } : {};
  const response = await net.get(url, { headers, signal });
  const { status } = response;
  const host = response.url.host;
  if (status === 206 && from > 0) {
    const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(header(response, 'content-range') ?? '');
    if (range && Number(range[1]) === from && [String(bytes), '*'].includes(range[2]!)) return response;
  }
  if (status === 200) {
    if (from > 0) await partial.clear();
    const size = header(response, 'content-length');
    if (size === null || Number(size) === bytes) return response;
    discard(response);
    throw problems.fetch_wrong_file(`${host} has a file of ${size} bytes; the published one has ${bytes}.`);
  }
  discard(response);
  // Another range than the requested one, or 416: the file of this server has not the same size.
  if (from > 0 && (status === 206 || status === 416)) {
    await partial.clear();
    return requestRest(receiving);
  }
  const message = `${host} returned status ${status} instead of the file.`;
  if (status < 500 && ![408, 425, 429].includes(status)) throw problems.fetch_refused(message);
  throw new Unavailable(message, pauseOf(response));
}

/** The file could not be written: not a failure of the server, although the codes are alike. */
class LocalError extends Error {
  constructor(cause: unknown) {
    super('cannot write', { cause });
  }
}

/** An error response that may pass. */
class Unavailable extends Problem {
  /** Pause that the server asks for; null if it does not. */
  readonly pauseMs: number | null;

  constructor(message: string, pauseMs: number | null) {
    const { status, code } = problems.fetch_unavailable();
    super({ status, code, message });
    this.pauseMs = pauseMs;
  }
}

/** `Retry-After` in milliseconds: a number of seconds, or a date. */
function pauseOf(response: FetchResponse): number | null {
  const text = header(response, 'retry-after');
  if (text === null) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

function toStorageProblem(error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  return ['ENOSPC', 'EDQUOT'].includes(code) ? storageProblems.storage_full(undefined, { cause: error }) : error;
}
