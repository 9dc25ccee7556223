import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { fileDownloadInfo, HubApiError, listFiles } from '@huggingface/hub';
import { httpProblems } from '#platform/http/index';
import type { GuardedFetch } from '#platform/net/index';
import { problems } from '../problems.ts';
import { type About, broken, refused } from './failure.ts';
import type { ObjectFacts, ProviderBucket } from './index.ts';

/** A bucket of the Hugging Face hub (`namespace/name`), with a token or, where it is public, without. */
export function openHuggingFace(
  { bucket, hubUrl: given }: { bucket: string; hubUrl: string },
  token: string | null,
  { fetch }: Pick<GuardedFetch, 'fetch'>,
): ProviderBucket {
  const hubUrl = given.replace(/\/+$/, '');
  const { host } = new URL(hubUrl);
  const about = (key?: string): About => ({ provider: 'Hugging Face', bucket, key, host });
  const repo = { type: 'bucket' as const, name: bucket };
  const accessToken = token ?? undefined;
  const tree = new URL(`${hubUrl}/api/buckets/${bucket}/tree`).href.toLowerCase();
  const credentials = token ? { authorization: `Bearer ${token}` } : undefined;

  async function ask<T>(key: string | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      // Its message repeats what the server said; only the status is told on.
      if (error instanceof HubApiError) throw refused(about(key), { status: error.statusCode, name: '' });
      if (error instanceof TypeError && error.message.includes('hf_')) {
        throw problems.credentials_refused('The `token` is no Hugging Face token: those start with "hf_".');
      }
      throw broken(about(key), error);
    }
  }

  /** `fetch` for the library: with a signal, and telling the pause that a busy server asks for. */
  const fetching =
    (key: string | undefined, signal: AbortSignal): typeof fetch =>
    async (url, init) => {
      const answer = await fetch(url, { ...init, signal });
      if (answer.status !== 429 && answer.status !== 503) return answer;
      await answer.body?.cancel();
      throw refused(about(key), { status: answer.status, name: '', retryAfter: answer.headers.get('retry-after') });
    };

  /** A cursor is where the next page lies, and clients send it: the token goes to pages of this list alone. Throws `cursor_invalid` (400). */
  function pageAt(cursor: string): string {
    const { href } = URL.parse(cursor) ?? {};
    if (!href?.toLowerCase().startsWith(tree)) throw httpProblems.cursor_invalid();
    return href;
  }

  function pathOf(key: string): string {
    if (!staysIn(key)) throw refused(about(key), { status: 404, name: '' });
    return key.split('/').map(encodeURIComponent).join('/');
  }

  return {
    list({ prefix, cursor }, signal) {
      return ask(undefined, async () => {
        if (!staysIn(prefix)) return { objects: [], cursor: null };
        // The library goes from page to page by itself; a page at a time is what a worker can take up where another left off.
        let next: string | null = null;
        const page: typeof fetch = async (url, init) => {
          const answer = await fetching(undefined, signal)(cursor === null ? url : pageAt(cursor), init);
          next = /<([^>]+)>;\s*rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
          // The token goes to the hub alone.
          if (next && new URL(next).origin !== new URL(hubUrl).origin) throw problems.bucket_unavailable();
          const headers = new Headers(answer.headers);
          headers.delete('link');
          return new Response(answer.body, { status: answer.status, headers });
        };
        const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1).replace(/\/$/, '');
        const path = folder ? folder.split('/').map(encodeURIComponent).join('/') : undefined;
        const objects: ObjectFacts[] = [];
        for await (const entry of listFiles({ repo, path, recursive: true, hubUrl, accessToken, fetch: page })) {
          if (entry.type !== 'file' || !entry.path.startsWith(prefix)) continue;
          const version = entry.xetHash ?? entry.oid ?? `${entry.size} ${entry.uploadedAt ?? ''}`;
          objects.push({ key: entry.path, size: entry.size, version, checksum: null });
        }
        return { objects, cursor: next };
      });
    },
    stat(key, signal) {
      return ask(key, async () => {
        const path = pathOf(key);
        const info = await fileDownloadInfo({ repo, path, hubUrl, accessToken, fetch: fetching(key, signal) });
        if (!info) throw refused(about(key), { status: 404, name: '' });
        return { key, size: info.size, version: info.xet?.hash ?? info.etag, checksum: null };
      });
    },
    open(key, { version, at }, signal) {
      return ask(key, async () => {
        const path = pathOf(key);
        const answer = await fetching(key, signal)(`${hubUrl}/buckets/${bucket}/resolve/${path}`, {
          headers: {
            'accept-encoding': 'identity',
            ...credentials,
            ...(at > 0 ? { range: `bytes=${at}-` } : {}),
          },
        });
        if (!answer.ok) {
          await answer.body?.cancel();
          throw refused(about(key), { status: answer.status, name: '' });
        }
        const facts = factsOf(key, answer, at);
        // It may break before anybody reads it.
        const body = Readable.fromWeb(answer.body as ReadableStream).on('error', () => {});
        if (version === null || version === facts.version) return { ...facts, body };
        body.destroy();
        throw problems.object_replaced();
      });
    },
    close() {},
  };
}

/** Whether it names something in the bucket: in an address `..` leads out of it, and the token would go along. */
const staysIn = (key: string) => !key.split('/').some((part) => part === '.' || part === '..');

function factsOf(key: string, { headers }: Response, at: number): ObjectFacts {
  const total = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1];
  if (at > 0 && total === undefined) throw problems.object_interrupted();
  return {
    key,
    size: Number(total ?? headers.get('content-length') ?? 0),
    version: headers.get('etag') ?? '',
    // A bucket's hashes are of chunks, not of the file.
    checksum: null,
  };
}
