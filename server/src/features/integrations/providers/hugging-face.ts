import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { fileDownloadInfo, HubApiError, listFiles } from '@huggingface/hub';
import { httpProblems } from '#platform/http/index';
import type { GuardedFetch } from '#platform/net/index';
import { problems } from '../problems.ts';
import { type RequestTarget, toConnectionProblem, toProviderProblem } from './errors.ts';
import type { ObjectInfo, ProviderBucket } from './types.ts';

/** Others cannot be sent in a header, or are rejected by the client library. */
const TOKEN = /^hf_[!-~]+$/;

/** Opens a bucket of the Hugging Face hub (`namespace/name`). A public bucket needs no token. */
export function openHuggingFace(
  { bucket, hubUrl: configuredUrl }: { bucket: string; hubUrl: string },
  token: string | null,
  { fetch }: Pick<GuardedFetch, 'fetch'>,
): ProviderBucket {
  const hubUrl = configuredUrl.replace(/\/+$/, '');
  const { host } = new URL(hubUrl);
  const toTarget = (key?: string): RequestTarget => ({ provider: 'Hugging Face', bucket, key, host });
  const repo = { type: 'bucket' as const, name: bucket };
  const accessToken = token ?? undefined;
  const treeUrl = new URL(`${hubUrl}/api/buckets/${bucket}/tree`).href.toLowerCase();
  const credentials = token ? { authorization: `Bearer ${token}` } : undefined;

  async function translateErrors<T>(key: string | undefined, call: () => Promise<T>): Promise<T> {
    if (token !== null && !TOKEN.test(token)) {
      throw problems.credentials_refused(
        'The `token` is not a Hugging Face token. Tokens start with "hf_" and have no spaces or special characters.',
      );
    }
    try {
      return await call();
    } catch (error) {
      // The message repeats the server's text; only the status is passed on.
      if (error instanceof HubApiError) throw toProviderProblem(toTarget(key), { status: error.statusCode, name: '' });
      throw toConnectionProblem(toTarget(key), error);
    }
  }

  /** `fetch` for the library, with a signal and with the `Retry-After` header in errors. */
  const createFetch =
    (key: string | undefined, signal: AbortSignal): typeof fetch =>
    async (url, init) => {
      const response = await fetch(url, { ...init, signal });
      if (response.status !== 429 && response.status !== 503) return response;
      await response.body?.cancel();
      throw toProviderProblem(toTarget(key), {
        status: response.status,
        name: '',
        retryAfter: response.headers.get('retry-after'),
      });
    };

  /**
   * URL of a page. Clients send cursors, so the token must only go to pages of this bucket's listing.
   * Throws `cursor_invalid` (400).
   */
  function parsePageUrl(cursor: string): string {
    const { href } = URL.parse(cursor) ?? {};
    if (!href?.toLowerCase().startsWith(treeUrl)) throw httpProblems.cursor_invalid();
    return href;
  }

  function toPath(key: string): string {
    if (!isInsideBucket(key)) throw toProviderProblem(toTarget(key), { status: 404, name: '' });
    return key.split('/').map(encodeURIComponent).join('/');
  }

  return {
    list({ prefix, cursor }, signal) {
      return translateErrors(undefined, async () => {
        if (!isInsideBucket(prefix)) return { objects: [], cursor: null };
        // The library follows all pages by itself; single pages let another worker resume the listing.
        let next: string | null = null;
        const fetchPage: typeof fetch = async (url, init) => {
          const response = await createFetch(undefined, signal)(cursor === null ? url : parsePageUrl(cursor), init);
          next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null;
          // The token must only go to the hub.
          if (next && new URL(next).origin !== new URL(hubUrl).origin) throw problems.bucket_unavailable();
          const headers = new Headers(response.headers);
          headers.delete('link');
          return new Response(response.body, { status: response.status, headers });
        };
        const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1).replace(/\/$/, '');
        const path = folder ? folder.split('/').map(encodeURIComponent).join('/') : undefined;
        const objects: ObjectInfo[] = [];
        for await (const entry of listFiles({ repo, path, recursive: true, hubUrl, accessToken, fetch: fetchPage })) {
          if (entry.type !== 'file' || !entry.path.startsWith(prefix)) continue;
          const version = entry.xetHash ?? entry.oid ?? `${entry.size} ${entry.uploadedAt ?? ''}`;
          objects.push({ key: entry.path, size: entry.size, version, checksum: null });
        }
        return { objects, cursor: next };
      });
    },
    stat(key, signal) {
      return translateErrors(key, async () => {
        const path = toPath(key);
        const info = await fileDownloadInfo({ repo, path, hubUrl, accessToken, fetch: createFetch(key, signal) });
        if (!info) throw toProviderProblem(toTarget(key), { status: 404, name: '' });
        return { key, size: info.size, version: info.xet?.hash ?? info.etag, checksum: null };
      });
    },
    open(key, { version, offset }, signal) {
      return translateErrors(key, async () => {
        const path = toPath(key);
        const response = await createFetch(key, signal)(`${hubUrl}/buckets/${bucket}/resolve/${path}`, {
          headers: {
            'accept-encoding': 'identity',
            ...credentials,
            ...(offset > 0 ? { range: `bytes=${offset}-` } : {}),
          },
        });
        if (!response.ok) {
          await response.body?.cancel();
          throw toProviderProblem(toTarget(key), { status: response.status, name: '' });
        }
        const info = parseHeaders(key, response, offset);
        // The body may fail before it is read; an unhandled `error` event would end the process.
        const body = Readable.fromWeb(response.body as ReadableStream).on('error', () => {});
        if (version === null || version === info.version) return { ...info, body };
        body.destroy();
        throw problems.object_replaced();
      });
    },
    close() {},
  };
}

/** False for keys with `.` or `..`: in a URL they lead out of the bucket, and the token would be sent there. */
const isInsideBucket = (key: string) => !key.split('/').some((part) => part === '.' || part === '..');

function parseHeaders(key: string, { headers }: Response, offset: number): ObjectInfo {
  const total = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1];
  if (offset > 0 && total === undefined) throw problems.object_interrupted();
  return {
    key,
    size: Number(total ?? headers.get('content-length') ?? 0),
    version: headers.get('etag') ?? '',
    // Hugging Face hashes chunks, not the whole file.
    checksum: null,
  };
}
