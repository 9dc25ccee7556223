import { createHash } from 'node:crypto';
import { PROMPT_VERSION } from './calls/index.ts';
import { collectMoments } from './plan/moments.ts';
import type { ReviewVerdict } from './reliability/review-check.ts';
import type { CallLedger, VisionProfile, VisionResult, VisionSearchRequest } from './types.ts';

/** Result of a search, with the verdicts on what observers found. */
export type SearchResult = VisionResult & { verdicts: Map<string, ReviewVerdict> };

/**
 * Caches whole results, besides single calls: equal questions about a video then draw no frames. Only results that no
 * failure and no limit has cut short are stored. Without the identity of the video in the ledger nothing is cached.
 */
export function createResultCache(
  profile: VisionProfile,
  ledger: CallLedger,
  request: VisionSearchRequest,
  settings: unknown,
) {
  const key = ledger.videoId === undefined ? null : keyOf(profile, ledger.videoId, request, settings);
  return {
    async find(): Promise<SearchResult | null> {
      const stored = key === null ? null : await ledger.find(key);
      if (stored === null) return null;
      const { verdicts, ...result } = JSON.parse(stored.text) as VisionResult & {
        verdicts: [string, ReviewVerdict][];
      };
      const { calls, cachedCalls } = result.usage;
      const free = { calls: 0, cachedCalls: calls + cachedCalls, inputTokens: 0, outputTokens: 0, cost: 0 };
      return { ...result, verdicts: new Map(verdicts), usage: { ...result.usage, ...free } };
    },
    async store({ verdicts, ...result }: SearchResult): Promise<void> {
      if (key === null) return;
      await ledger.store(key, {
        text: JSON.stringify({ ...result, verdicts: [...verdicts] }),
        inputTokens: 0,
        outputTokens: 0,
      });
    },
  };
}

/** Digest of everything that decides the result: model, settings, video, question, and what observers contributed. */
function keyOf(
  { url, model, extra, maxImages, contextTokens, videoUrl }: VisionProfile,
  videoId: string,
  { plan, observations, similar, events = [], review = [], minConfidence }: VisionSearchRequest,
  settings: unknown,
): string {
  const { video, signals } = observations;
  const parts = [
    'result-4',
    PROMPT_VERSION,
    url,
    model,
    extra,
    maxImages,
    contextTokens,
    videoUrl,
    settings,
    videoId,
    video,
    signals?.pts.length ?? 0,
    collectMoments(plan, observations, similar),
    plan,
    minConfidence ?? null,
    review,
    events.map(({ startPts, endPts, label }) => [startPts, endPts, label]),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
