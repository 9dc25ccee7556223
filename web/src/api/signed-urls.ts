import { SightlineError } from '@sightline/sdk';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

type UrlKind = 'poster' | 'storyboard';
type Pending = { videoId: string; kind: UrlKind; resolve: (url: string) => void; reject: (error: unknown) => void };

/** The most URLs that one request signs. */
const BATCH_SIZE = 50;
/** Requests within this time share one call: all posters of a page come from one or two. */
const COLLECT_MS = 10;
const LIFETIME_S = 3600;
let pending: Pending[] = [];

/** A signed URL of a video's poster or storyboard, relative to this page. Many are signed in one request. */
export const signedUrlQuery = (videoId: string, kind: UrlKind) =>
  queryOptions({
    queryKey: ['signed-url', kind, videoId],
    queryFn: () => signInBulk(videoId, kind),
    staleTime: (LIFETIME_S - 300) * 1000,
    gcTime: (LIFETIME_S - 300) * 1000,
    refetchOnWindowFocus: false,
  });

/** Stores a signed URL of a list, unless there is a valid one: an image with another URL is loaded again. */
export function keepSignedUrl(queries: QueryClient, videoId: string, kind: UrlKind, url: string): void {
  const { queryKey, staleTime } = signedUrlQuery(videoId, kind);
  const { data, dataUpdatedAt = 0 } = queries.getQueryState(queryKey) ?? {};
  if (data === undefined || Date.now() - dataUpdatedAt > Number(staleTime)) {
    queries.setQueryData(queryKey, ownPath(url));
  }
}

function signInBulk(videoId: string, kind: UrlKind): Promise<string> {
  return new Promise((resolve, reject) => {
    pending.push({ videoId, kind, resolve, reject });
    if (pending.length === 1) setTimeout(signPending, COLLECT_MS);
    if (pending.length === BATCH_SIZE) signPending();
  });
}

function signPending(): void {
  const batch = pending;
  pending = [];
  if (batch.length > 0) void sign(batch);
}

async function sign(batch: Pending[]): Promise<void> {
  try {
    const requests = batch.map(({ videoId, kind }, index) => ({
      request_id: String(index),
      video_id: videoId,
      kind,
      expires_in: LIFETIME_S,
    }));
    const { results } = (await api.POST('/api/video/signed-urls', { body: { requests } })).data!;
    batch.forEach(({ resolve, reject }, index) => {
      const result = results[String(index)];
      if (result?.ok) resolve(ownPath(result.url));
      else reject(new SightlineError(result?.status ?? 500, result));
    });
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

/** The path of a URL of this service: behind a proxy, its origin may differ from that of the page. */
function ownPath(url: string): string {
  const { pathname, search } = new URL(url, window.location.origin);
  return pathname + search;
}
