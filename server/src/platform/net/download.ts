import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse as parseDisposition } from 'content-disposition';
import type { Answer, GuardedFetch } from './guarded-fetch.ts';
import { watchRate } from './minimum-rate.ts';
import { problems } from './problems.ts';
import { isTransient, translate } from './translate.ts';

/** Broken connections in a row, without a byte between them, after which a download gives up. */
const MAX_BREAKS = 4;
const FIRST_PAUSE_MS = 250;

export type Download = {
  /** The file's bytes. A broken connection is taken up again where it broke, where the server can do that; else the stream fails. */
  body: Readable;
  /** Size in bytes, when the server says it. */
  size: number | null;
  /** The name the server gives the file, else the last part of the URL's path; null when there is neither. */
  filename: string | null;
};

/** Begins to download a file. Throws a `fetch_…` problem, `fetch_refused` or `fetch_unavailable` for an answer that is not the file. */
export async function download(
  net: GuardedFetch,
  url: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Download> {
  const first = await net.get(url, { signal });
  requireFile(first, 200);
  const body = Readable.from(bytesOf(net, url, first, signal), { objectMode: false });
  return { body, size: sizeOf(first), filename: filenameOf(first) };
}

async function* bytesOf(net: GuardedFetch, url: string, first: Answer, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const total = sizeOf(first);
  const watch = watchRate(net.minimumRate, first.url.host);
  let answer: Answer | null = first;
  let at = 0;
  for (let breaks = 0; ; ) {
    try {
      answer ??= await resume(net, url, first, at, signal);
      for await (const chunk of watch.read(answer.body)) {
        at += chunk.length;
        breaks = 0;
        yield chunk;
      }
      if (total !== null && at < total) throw problems.fetch_interrupted();
      return;
    } catch (error) {
      signal?.throwIfAborted();
      const problem = translate(error, first.url);
      if (++breaks >= MAX_BREAKS || !isTransient(problem)) throw problem;
      answer = null;
      await sleep(FIRST_PAUSE_MS * 2 ** breaks, undefined, { signal });
    }
  }
}

/** Asks for the rest of the file, of the same version of it. Throws `fetch_refused` when the server sends anything else. */
async function resume(
  net: GuardedFetch,
  url: string,
  first: Answer,
  at: number,
  signal?: AbortSignal,
): Promise<Answer> {
  const etag = header(first, 'etag');
  const version = etag && !etag.startsWith('W/') ? etag : header(first, 'last-modified');
  const headers = { range: `bytes=${at}-`, ...(version ? { 'if-range': version } : {}) };
  const answer = await net.get(url, { headers, signal });
  // A file that could not begin yet may as well begin again.
  if (at === 0 && answer.status === 200) return answer;
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(header(answer, 'content-range') ?? '');
  const fits = range !== null && Number(range[1]) === at && [String(sizeOf(first)), '*'].includes(range[2]!);
  if (answer.status !== 206 || !fits) {
    discard(answer);
    if (answer.status >= 400) requireFile(answer, 206);
    throw problems.fetch_refused(
      `The connection to ${first.url.host} broke off, and its server cannot go on where it stopped.`,
    );
  }
  return answer;
}

function requireFile(answer: Answer, wanted: number): void {
  const { status, url } = answer;
  if (status === wanted) return;
  discard(answer);
  const said = `${url.host} answered ${status} instead of the file.`;
  throw status >= 500 || [408, 425, 429].includes(status)
    ? problems.fetch_unavailable(said)
    : problems.fetch_refused(said);
}

const discard = ({ body }: Answer) => body.on('error', () => {}).destroy();

function header({ headers }: Answer, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

function sizeOf(answer: Answer): number | null {
  const size = Number(header(answer, 'content-length') ?? Number.NaN);
  return Number.isSafeInteger(size) ? size : null;
}

function filenameOf(answer: Answer): string | null {
  const said = parseDisposition(header(answer, 'content-disposition') ?? '').parameters.filename;
  if (said) return said;
  const last = answer.url.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last) || null;
  } catch {
    return last;
  }
}
