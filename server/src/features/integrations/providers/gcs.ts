import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { GuardedFetch } from '#platform/net/index';
import { problems } from '../problems.ts';
import { type RequestTarget, toConnectionProblem, toProviderProblem } from './errors.ts';
import type { Checksum, ObjectInfo, ProviderBucket, TokenSource } from './types.ts';

const PAGE_SIZE = 1_000;
const FIELDS = 'name,size,generation,md5Hash,crc32c';

type Resource = { name: string; size: string; generation: string; md5Hash?: string; crc32c?: string };

/**
 * Opens a bucket of Google Cloud Storage through its JSON API. Reads are conditional on the object's generation.
 * `createTokens` opens the account that reads the bucket.
 */
export function openGcs(
  { bucket, gcsUrl }: { bucket: string; gcsUrl: string },
  createTokens: () => Promise<TokenSource>,
  { fetch }: Pick<GuardedFetch, 'fetch'>,
): ProviderBucket {
  const base = `${gcsUrl.replace(/\/+$/, '')}/storage/v1/b/${encodeURIComponent(bucket)}/o`;
  const { host } = new URL(base);
  const toTarget = (key?: string): RequestTarget => ({ provider: 'Google Cloud Storage', bucket, key, host });
  let tokens: Promise<TokenSource> | null = null;

  async function authorization(): Promise<Record<string, string>> {
    try {
      tokens ??= createTokens();
      return Object.fromEntries(await (await tokens).getRequestHeaders());
    } catch (error) {
      const { status, data } = (error as { response?: { status: number; data?: { error?: string } } }).response ?? {};
      if (status)
        throw toProviderProblem(toTarget(), { status: status === 400 ? 401 : status, name: data?.error ?? '' });
      throw (error as Error).message.match(/DECODER|PEM|asn1|key/i)
        ? problems.credentials_refused('The `private_key` of the service account is not a private key.')
        : error;
    }
  }

  async function request(
    url: string,
    key: string | undefined,
    signal: AbortSignal,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    for (let isRetry = false; ; isRetry = true) {
      try {
        const allHeaders = { 'accept-encoding': 'identity', ...(await authorization()), ...headers };
        const response = await fetch(url, { signal, headers: allHeaders });
        if (response.ok) return response;
        const retryAfter = response.headers.get('retry-after');
        const name = parseReason(await response.text());
        const { status } = response;
        // A cached token may have expired early: retry once with a new one.
        if (status !== 401 || isRetry) throw toProviderProblem(toTarget(key), { status, name, retryAfter });
        tokens = null;
      } catch (error) {
        throw toConnectionProblem(toTarget(key), error);
      }
    }
  }

  return {
    async list({ prefix, cursor, limit = PAGE_SIZE }, signal) {
      const query = new URLSearchParams({ maxResults: String(limit), fields: `items(${FIELDS}),nextPageToken` });
      if (prefix) query.set('prefix', prefix);
      if (cursor) query.set('pageToken', cursor);
      const response = await request(`${base}?${query}`, undefined, signal);
      const { items = [], nextPageToken } = (await response.json()) as { items?: Resource[]; nextPageToken?: string };
      return { objects: items.map(toObjectInfo), cursor: nextPageToken ?? null };
    },
    async stat(key, signal) {
      const response = await request(`${base}/${encodeURIComponent(key)}?fields=${FIELDS}`, key, signal);
      return toObjectInfo((await response.json()) as Resource);
    },
    async open(key, { version, offset }, signal) {
      const query = new URLSearchParams({ alt: 'media', ...(version ? { ifGenerationMatch: version } : {}) });
      const range = offset > 0 ? { range: `bytes=${offset}-` } : undefined;
      const response = await request(`${base}/${encodeURIComponent(key)}?${query}`, key, signal, range);
      const info = parseHeaders(key, response.headers, offset);
      // The body may fail before it is read; an unhandled `error` event would end the process.
      const body = Readable.fromWeb(response.body as ReadableStream).on('error', () => {});
      if (version === null || version === info.version) return { ...info, body };
      body.destroy();
      throw problems.object_replaced();
    },
    close() {},
  };
}

const toObjectInfo = ({ name, size, generation, md5Hash, crc32c }: Resource): ObjectInfo => ({
  key: name,
  size: Number(size),
  version: generation,
  checksum: toChecksum(md5Hash, crc32c),
});

function parseHeaders(key: string, headers: Headers, offset: number): ObjectInfo {
  const hashes = headers.get('x-goog-hash') ?? '';
  const hash = (name: string) => new RegExp(`${name}=([A-Za-z0-9+/=]+)`).exec(hashes)?.[1];
  const total = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1];
  const size = Number(total ?? headers.get('x-goog-stored-content-length') ?? headers.get('content-length') ?? 0);
  if (offset > 0 && total === undefined) throw problems.object_interrupted();
  return {
    key,
    size,
    version: headers.get('x-goog-generation') ?? '',
    checksum: toChecksum(hash('md5'), hash('crc32c')),
  };
}

/** Composite objects have no MD5. */
function toChecksum(md5: string | undefined, crc32c: string | undefined): Checksum | null {
  if (md5) return { algorithm: 'md5', value: md5 };
  return crc32c ? { algorithm: 'crc32c', value: crc32c } : null;
}

/** Error code in a JSON error response of Google. */
function parseReason(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { errors?: { reason?: string }[]; status?: string } };
    return (error?.errors?.[0]?.reason ?? error?.status ?? '').replace(/[^A-Za-z]/g, '');
  } catch {
    return '';
  }
}
