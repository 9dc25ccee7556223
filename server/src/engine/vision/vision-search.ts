import { createHash } from 'node:crypto';
import { priceOf } from '../chat/index.ts';
import { searchedRange } from '../find/index.ts';
import type { FieldResult } from '../structured/types.ts';
import type { VisionModelUsage } from '../types.ts';
import { type ActionSegments, segmentActions } from './answers/actions.ts';
import { type CaptionRequest, writeCaptions } from './answers/captions.ts';
import { type DrivingDecision, type ExplainedDecisions, explainDecisions } from './answers/causes.ts';
import { type FieldRequest, readFields } from './answers/fields.ts';
import { createMemoryLedger, createModelClient, createTokenBudget, type EndpointHealth } from './calls/index.ts';
import { shownShare } from './coverage.ts';
import { askGate, type GateVerdict } from './live-gate.ts';
import { needsWords, selectQuestions } from './plan/questions.ts';
import { joinSpans, type TimeSpan } from './plan/windows.ts';
import type { Reliability } from './reliability/reliability.ts';
import { createResultCache, type SearchResult } from './result-cache.ts';
import { searchVideo } from './search.ts';
import { createSession } from './session.ts';
import type { CallRequest, VideoFrame, VisionProfile, VisionQuestion, VisionSearchRequest } from './types.ts';

/**
 * Asks a vision-language model about one video: survey, windows, claims, controls and verification, edges, answer. The
 * model sees a bounded number of frames and names frames, never times. It is believed only if it passes controls whose
 * right answers are known.
 */
export interface VisionSearch {
  readonly name: string;
  /**
   * Searches for what no observer can find, answers in words, and verifies what observers found. Failures, limits and
   * undecodable frames are reasons in `coverage`, not errors; aborting rejects. Null if there is nothing to ask.
   */
  search(request: VisionSearchRequest): Promise<SearchResult | null>;
  /**
   * Describes ranges of the video in a sentence each. A range whose sentence it does not confirm has none; `limits` are
   * reasons in words. Failures are limits; aborting rejects.
   */
  caption(request: CaptionRequest & CallRequest): Promise<CaptionResult>;
  /**
   * Divides the video into the actions that the model names. Failures are limits; `untrusted` is a reason why nothing
   * is believed. Aborting rejects.
   */
  segmentActions(request: CallRequest): Promise<Omit<ActionSegments, 'windows'> & { usage: VisionModelUsage }>;
  /**
   * States the visible reason of each decision of a vehicle, in their order. Failures are limits; `untrusted` is a
   * reason why nothing is believed. Aborting rejects.
   */
  explainDecisions(
    decisions: readonly DrivingDecision[],
    request: CallRequest & { spentTokens?: number },
  ): Promise<Omit<ExplainedDecisions, 'windows'> & { usage: VisionModelUsage }>;
  /**
   * Reads the values of fields from frames, twice; values that disagree, and failures, are reasons. One result for each
   * request, in its order. Aborting rejects.
   */
  readFields(
    requests: readonly FieldRequest[],
    request: CallRequest & { spentTokens?: number },
  ): Promise<{ results: Record<string, FieldResult>[]; usage: VisionModelUsage }>;
  /**
   * Asks which of the questions frames of a stream show. `reliability` is that of the model in this stream, which the
   * call adds to. Failures are reasons; aborting rejects.
   */
  gate(
    questions: readonly VisionQuestion[],
    frames: readonly VideoFrame[],
    request: CallRequest & { reliability: Reliability },
  ): Promise<GateVerdict>;
  health(): EndpointHealth;
  /** Tokens of a shown frame, as a share of those of an image: less in clips, once the endpoint has counted some. */
  frameShare(): number;
}

export type CaptionResult = { texts: (string | null)[]; limits: string[]; usage: VisionModelUsage };

export type VisionSearchOptions = {
  /** Limit of one call with its retries, from when it is sent; default that of the profile. */
  timeoutMs?: number;
  /** First wait before a failed call is repeated. */
  retryMs?: number;
  /** Limit of an analysis in addition to a second for each second of video. */
  maxTotalMs?: number;
  tokensPerQuestion?: number;
  /** In the currency of the prices. */
  moneyPerQuestion?: number;
};

/** The tighter one of the limits of a question, in tokens at this price. */
function limitOf({ tokensPerQuestion = TOKENS_PER_QUESTION, moneyPerQuestion }: VisionSearchOptions, price: number) {
  const inMoney =
    moneyPerQuestion === undefined || price === 0 ? Number.POSITIVE_INFINITY : (moneyPerQuestion * 1e6) / price;
  return inMoney < tokensPerQuestion
    ? { tokens: inMoney, limit: `the limit of ${moneyPerQuestion} in money per question` }
    : { tokens: tokensPerQuestion, limit: `the limit of ${tokensPerQuestion} tokens per question` };
}

const MAX_TOTAL_MS = 5 * 60_000;
/** Longest time that timers take. */
const MAX_TIMER_MS = 2 ** 31 - 1;
export const TOKENS_PER_QUESTION = 300_000;

/** Searches with one model. `ledger` of a request defaults to one in memory. */
export function createVisionSearch(profile: VisionProfile, options: VisionSearchOptions = {}): VisionSearch {
  const { maxTotalMs = MAX_TOTAL_MS } = options;
  const client = createModelClient(profile, options);
  const ownLedger = createMemoryLedger();
  const name = `look (${profile.model})`;
  const price = Math.max(profile.inputPrice, profile.outputPrice);
  const { tokens, limit } = limitOf(options, price);

  const limitOfTime = (durationS: number) =>
    Math.min(MAX_TIMER_MS, Math.max(0, Math.ceil(maxTotalMs + 1000 * durationS)));

  /** A session with its own budget; `subject` decides between equals, together with the length of the video. */
  function open(request: CallRequest, subject: string, spentTokens = 0) {
    const { observations, source, ledger = ownLedger, signal = new AbortController().signal } = request;
    const usage = { calls: 0, cachedCalls: 0, inputTokens: 0, outputTokens: 0 };
    const session = createSession({
      client,
      source,
      observations,
      maxImages: profile.maxImages,
      contextTokens: profile.contextTokens,
      context: {
        ledger,
        budget: createTokenBudget({ limit, tokens: Math.max(0, tokens - spentTokens) }, ledger, price),
        usage,
        signal,
        deadline: AbortSignal.timeout(limitOfTime(observations.video.durationS)),
      },
      seed: createHash('sha256').update(`${subject} ${observations.video.durationS}`).digest('hex').slice(0, 16),
    });
    return {
      session,
      /** Use of the model so far. `shown`: parts of the range of which frames were shown. */
      usage: (shown: { range: TimeSpan; windows: readonly TimeSpan[] }): VisionModelUsage => ({
        model: profile.model,
        ...usage,
        cost: priceOf(profile, usage),
        shown: joinSpans(shown.windows).map(({ from, to }): [number, number] => [from, to]),
        shownShare: shownShare(shown),
      }),
    };
  }

  return {
    name,
    health: client.health,
    frameShare: () => (client.clips.isPossible() ? client.clips.tokenShare() : 1),

    async search(request) {
      const { plan, observations, review = [], onProgress = () => {} } = request;
      const questions = selectQuestions(plan);
      const wordsFor = needsWords(plan) ? plan.query : null;
      if (questions.length === 0 && wordsFor === null && review.length === 0) return null;
      const range = searchedRange(plan.window, observations.video);
      const cache = createResultCache(profile, request.ledger ?? ownLedger, request, [tokens, limit]);
      onProgress(0);
      const known = await cache.find();
      if (known !== null) {
        onProgress(1);
        return known;
      }
      const { session, usage } = open(request, plan.query);
      const { shown, ...found } = await searchVideo(
        session,
        { ...request, range, questions, wordsFor, review, onProgress },
        name,
      );
      request.signal?.throwIfAborted();
      onProgress(1);
      const result = { ...found, usage: usage(shown) };
      if (session.failures.size === 0 && session.stoppedBy() === null) await cache.store(result);
      return result;
    },

    async caption(request) {
      const { session, usage } = open(request, `captions ${request.mode}`);
      const { texts, limits, windows } = await writeCaptions(session, request, name);
      request.signal?.throwIfAborted();
      return { texts, limits, usage: usage({ range: { from: 0, to: request.observations.video.durationS }, windows }) };
    },

    async segmentActions(request) {
      const { session, usage } = open(request, 'actions');
      const { windows, ...segments } = await segmentActions(session, name);
      request.signal?.throwIfAborted();
      return { ...segments, usage: usage({ range: { from: 0, to: request.observations.video.durationS }, windows }) };
    },

    async explainDecisions(decisions, request) {
      const { session, usage } = open(request, 'causes', request.spentTokens);
      const { windows, ...explained } = await explainDecisions(session, decisions, name);
      request.signal?.throwIfAborted();
      return { ...explained, usage: usage({ range: { from: 0, to: request.observations.video.durationS }, windows }) };
    },

    async gate(questions, frames, request) {
      const { session } = open(request, 'live');
      const verdict = await askGate(session, questions, frames, request.reliability);
      request.signal?.throwIfAborted();
      return verdict;
    },

    async readFields(requests, request) {
      const { session, usage } = open(request, 'fields', request.spentTokens);
      const { results, windows } = await readFields(session, requests, name);
      request.signal?.throwIfAborted();
      return { results, usage: usage({ range: { from: 0, to: request.observations.video.durationS }, windows }) };
    },
  };
}
