import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse as parseDisposition } from 'content-disposition';
import { isTransientFetchError, toFetchProblem } from './fetch-errors.ts';
import type { FetchResponse, GuardedFetch } from './guarded-fetch.ts';
import { createRateWatch } from './minimum-rate.ts';
import { problems } from './problems.ts';
import { discard, header } from './response.ts';

/** Consecutive connection failures without progress after which a download fails. */
const MAX_FAILURES = 4;
const BACKOFF_MS = 250;

export type Download = {
  /** The file's bytes. A broken connection is resumed with a range request; if the server cannot, the stream fails. */
  body: Readable;
  /** Size in bytes; null if the server does not send it. */
  size: number | null;
  /** File name from the response, or else the last segment of the URL's path; null if there is neither. */
  filename: string | null;
};

/** Starts a download. Throws a `fetch_…` problem; `fetch_refused` or `fetch_unavailable` for an error response. */
export async function download(
  net: GuardedFetch,
  url: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Download> {
  const first = await net.get(url, { signal });
  requireFile(first, 200);
  const body = Readable.from(readBytes(net, url, first, signal), { objectMode: false });
  return { body, size: readSize(first), filename: readFilename(first) };
}

async function* readBytes(
  net: GuardedFetch,
  url: string,
  first: FetchResponse,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  const total = readSize(first);
  const watch = createRateWatch(net.minimumRate, first.url.host);
  let response: FetchResponse | null = first;
  let offset = 0;
  for (let failures = 0; ; ) {
    try {
      response ??= await resume(net, url, first, offset, signal);
      for await (const chunk of watch.read(response.body)) {
        offset += chunk.length;
        failures = 0;
        yield chunk;
      }
      if (total !== null && offset < total) throw problems.fetch_interrupted();
      return;
    } catch (error) {
      signal?.throwIfAborted();
      const problem = toFetchProblem(error, first.url);
      if (++failures >= MAX_FAILURES || !isTransientFetchError(problem)) throw problem;
      response = null;
      await sleep(BACKOFF_MS * 2 ** failures, undefined, { signal });
    }
  }
}

/** Requests the rest of the same version of the file. Throws `fetch_refused` if the server sends anything else. */
async function resume(
  net: GuardedFetch,
  url: string,
  first: FetchResponse,
  offset: number,
  signal?: AbortSignal,
): Promise<FetchResponse> {
  const etag = header(first, 'etag');
  const version = etag && !etag.startsWith('W/') ? etag : header(first, 'last-modified');
  const headers = { range: `bytes=${offset}-`, ...(version ? { 'if-range': version } : {}) };
  const response = await net.get(url, { headers, signal });
  // Nothing was received yet, so a complete response is fine.
  if (offset === 0 && response.status === 200) return response;
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(header(response, 'content-range') ?? '');
  const fits = range !== null && Number(range[1]) === offset && [String(readSize(first)), '*'].includes(range[2]!);
  if (response.status !== 206 || !fits) {
    discard(response);
    if (response.status >= 400) requireFile(response, 206);
    throw problems.fetch_refused(
      `The connection to ${first.url.host} broke off, and the server does not support resuming the download.`,
    );
  }
  return response;
}

function requireFile(response: FetchResponse, expectedStatus: number): void {
  const { status, url } = response;
  if (status === expectedStatus) return;
  discard(response);
  const message = `${url.host} returned status ${status} instead of the file.`;
  throw status >= 500 || [408, 425, 429].includes(status)
    ? problems.fetch_unavailable(message)
    : problems.fetch_refused(message);
}

function readSize(response: FetchResponse): number | null {
  const size = Number(header(response, 'content-length') ?? Number.NaN);
  return Number.isSafeInteger(size) ? size : null;
}

function readFilename(response: FetchResponse): string | null {
  const filename = parseDisposition(header(response, 'content-disposition') ?? '').parameters.filename;
  if (filename) return filename;
  const last = response.url.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last) || null;
  } catch {
    return last;
  }
}
