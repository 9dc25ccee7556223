import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { GuardedFetch } from '#platform/net/index';
import { problems } from '../problems.ts';
import { type About, broken, refused } from './failure.ts';
import type { Checksum, ObjectFacts, ProviderBucket } from './index.ts';
import { createServiceAccount, type ServiceAccount } from './service-account.ts';

const PAGE = 1_000;
const FIELDS = 'name,size,generation,md5Hash,crc32c';

type Resource = { name: string; size: string; generation: string; md5Hash?: string; crc32c?: string };

/** Google Cloud Storage by its JSON API: three requests, each with a signal, and with a version in all that is read. */
export function openGcs(
  { bucket, gcsUrl }: { bucket: string; gcsUrl: string },
  account: ServiceAccount | null,
  { fetch }: Pick<GuardedFetch, 'fetch'>,
): ProviderBucket {
  const base = `${gcsUrl.replace(/\/+$/, '')}/storage/v1/b/${encodeURIComponent(bucket)}/o`;
  const { host } = new URL(base);
  const about = (key?: string): About => ({ provider: 'Google Cloud Storage', bucket, key, host });
  let tokens = account && createServiceAccount(account, fetch);

  async function authorization(): Promise<Record<string, string>> {
    if (!tokens) return {};
    try {
      return Object.fromEntries(await tokens.getRequestHeaders());
    } catch (error) {
      const { status, data } = (error as { response?: { status: number; data?: { error?: string } } }).response ?? {};
      if (status) throw refused(about(), { status: status === 400 ? 401 : status, name: data?.error ?? '' });
      throw (error as Error).message.match(/DECODER|PEM|asn1|key/i)
        ? problems.credentials_refused('The `private_key` of the service account is not a private key.')
        : error;
    }
  }

  async function get(
    url: string,
    key: string | undefined,
    signal: AbortSignal,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    for (let fresh = false; ; fresh = true) {
      try {
        const all = { 'accept-encoding': 'identity', ...(await authorization()), ...headers };
        const answer = await fetch(url, { signal, headers: all });
        if (answer.ok) return answer;
        const retryAfter = answer.headers.get('retry-after');
        const name = reasonOf(await answer.text());
        const { status } = answer;
        // The token may have ended before its time.
        if (status !== 401 || fresh || !account) throw refused(about(key), { status, name, retryAfter });
        tokens = createServiceAccount(account, fetch);
      } catch (error) {
        throw broken(about(key), error);
      }
    }
  }

  return {
    async list({ prefix, cursor, limit = PAGE }, signal) {
      const query = new URLSearchParams({ maxResults: String(limit), fields: `items(${FIELDS}),nextPageToken` });
      if (prefix) query.set('prefix', prefix);
      if (cursor) query.set('pageToken', cursor);
      const answer = await get(`${base}?${query}`, undefined, signal);
      const { items = [], nextPageToken } = (await answer.json()) as { items?: Resource[]; nextPageToken?: string };
      return { objects: items.map(factsOf), cursor: nextPageToken ?? null };
    },
    async stat(key, signal) {
      const answer = await get(`${base}/${encodeURIComponent(key)}?fields=${FIELDS}`, key, signal);
      return factsOf((await answer.json()) as Resource);
    },
    async open(key, { version, at }, signal) {
      const query = new URLSearchParams({ alt: 'media', ...(version ? { ifGenerationMatch: version } : {}) });
      const range = at > 0 ? { range: `bytes=${at}-` } : undefined;
      const answer = await get(`${base}/${encodeURIComponent(key)}?${query}`, key, signal, range);
      const facts = factsOfHeaders(key, answer.headers, at);
      // It may break before anybody reads it.
      const body = Readable.fromWeb(answer.body as ReadableStream).on('error', () => {});
      if (version === null || version === facts.version) return { ...facts, body };
      body.destroy();
      throw problems.object_replaced();
    },
    close() {},
  };
}

const factsOf = ({ name, size, generation, md5Hash, crc32c }: Resource): ObjectFacts => ({
  key: name,
  size: Number(size),
  version: generation,
  checksum: checksumOf(md5Hash, crc32c),
});

function factsOfHeaders(key: string, headers: Headers, at: number): ObjectFacts {
  const hashes = headers.get('x-goog-hash') ?? '';
  const hash = (name: string) => new RegExp(`${name}=([A-Za-z0-9+/=]+)`).exec(hashes)?.[1];
  const total = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1];
  const size = Number(total ?? headers.get('x-goog-stored-content-length') ?? headers.get('content-length') ?? 0);
  if (at > 0 && total === undefined) throw problems.object_interrupted();
  return {
    key,
    size,
    version: headers.get('x-goog-generation') ?? '',
    checksum: checksumOf(hash('md5'), hash('crc32c')),
  };
}

/** What is put together of parts has no MD5. */
function checksumOf(md5: string | undefined, crc32c: string | undefined): Checksum | null {
  if (md5) return { algorithm: 'md5', value: md5 };
  return crc32c ? { algorithm: 'crc32c', value: crc32c } : null;
}

/** Google's name for the reason, of an error as JSON. */
function reasonOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { errors?: { reason?: string }[]; status?: string } };
    return (error?.errors?.[0]?.reason ?? error?.status ?? '').replace(/[^A-Za-z]/g, '');
  } catch {
    return '';
  }
}
