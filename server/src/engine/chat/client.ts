import type { APICallError, ModelMessage } from 'ai';
import { modelCallEnded } from '#platform/measurements';
import { type TraceSpan, withSpan } from '#platform/tracing/index';

/** An OpenAI-compatible endpoint with a model. */
export type ModelEndpoint = { url: string; model: string; apiKey: string | null };

/** Tokens that a request took, as the endpoint counts them; 0 where it does not. */
export type ChatUsage = { inputTokens: number; outputTokens: number };

/** Text of an answer, or the reason why there is none: an expected outcome, not an error. */
export type ChatResult =
  | { text: string; usage: ChatUsage }
  | {
      failure: string;
      /** HTTP status, if the endpoint answered with one. */
      status: number | null;
      /** Seconds after which the endpoint accepts requests again, if it states them. */
      retryAfterS?: number;
      /** True if the connection failed or was closed without an answer. */
      isConnectionLost?: boolean;
      /** True if the request was canceled because it took too long. */
      isLate?: boolean;
      /** Tokens of an answer that cannot be used. */
      usage?: ChatUsage;
    };

export type ChatRequest = {
  system?: string;
  content: Extract<ModelMessage, { role: 'user' }>['content'];
  maxTokens: number;
  /** `response_format` of the request; none by default. */
  responseFormat?: Record<string, unknown>;
  /** Additional fields of the request body, which servers understand differently: `chat_template_kwargs`. */
  extra?: Record<string, unknown>;
  retries?: number;
  /** Limit of this request; default that of the client. */
  timeoutMs?: number;
};

/** Sends one request. Rejects only if the signal is aborted. */
export type Chat = (request: ChatRequest, signal: AbortSignal) => Promise<ChatResult>;

/**
 * Client of an endpoint; `name` is that of the provider in errors, `defaultTimeoutMs` limits one request with its
 * retries.
 */
export function createChat(name: string, endpoint: ModelEndpoint, defaultTimeoutMs: number): Chat {
  const send = createSender(name, endpoint, defaultTimeoutMs);
  const url = URL.parse(endpoint.url);
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': endpoint.model,
    'server.address': url?.hostname,
    'server.port': url?.port ? Number(url.port) : null,
    'sightline.model.client': name,
  };
  return async (request, signal) => {
    const started = performance.now();
    const sendInSpan = async (span: TraceSpan) => {
      const result = await send(request, signal);
      describeResult(span, result);
      return result;
    };
    const result = await withSpan(`chat ${endpoint.model}`, attributes, sendInSpan, { kind: 'client' });
    const { inputTokens, outputTokens } = result.usage ?? { inputTokens: 0, outputTokens: 0 };
    const failed = 'isLate' in result && result.isLate ? 'late' : 'failed';
    modelCallEnded.publish({
      client: name,
      outcome: 'text' in result ? 'completed' : failed,
      seconds: (performance.now() - started) / 1000,
      inputTokens,
      outputTokens,
    });
    return result;
  };
}

/** Adds how a call ended to its span. */
function describeResult(span: TraceSpan, result: ChatResult): void {
  span.set({
    'gen_ai.usage.input_tokens': result.usage?.inputTokens,
    'gen_ai.usage.output_tokens': result.usage?.outputTokens,
  });
  if ('text' in result) return;
  const { status, isLate, isConnectionLost } = result;
  span.set({ 'http.response.status_code': status });
  span.fail({ code: isLate ? 'late' : isConnectionLost ? 'connection_lost' : String(status ?? 'unusable') });
}

function createSender(name: string, endpoint: ModelEndpoint, defaultTimeoutMs: number): Chat {
  return async (request, signal) => {
    const { system, content, maxTokens, responseFormat, extra, retries = 1, timeoutMs = defaultTimeoutMs } = request;
    signal.throwIfAborted();
    const { createOpenAICompatible, generateText, APICallError } = await loadLibraries();
    const provider = createOpenAICompatible({
      name,
      baseURL: endpoint.url.replace(/\/+$/, ''),
      ...(endpoint.apiKey === null ? {} : { apiKey: endpoint.apiKey }),
    });
    const model = provider.chatModel(endpoint.model);
    try {
      const body = { ...extra, ...(responseFormat === undefined ? {} : { response_format: responseFormat }) };
      const { text, reasoningText, finishReason, usage } = await generateText({
        model,
        maxOutputTokens: maxTokens,
        temperature: 0,
        maxRetries: retries,
        abortSignal: AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(timeoutMs))]),
        ...(system === undefined ? {} : { system }),
        ...(Object.keys(body).length === 0 ? {} : { providerOptions: { [name]: body as never } }),
        messages: [{ role: 'user', content }],
      });
      const spent = { inputTokens: usage.inputTokens ?? 0, outputTokens: usage.outputTokens ?? 0 };
      if (finishReason === 'length') return { failure: 'its answer was cut off', status: null, usage: spent };
      // Some servers put the whole answer of a thinking model into its reasoning.
      return { text: text.trim() === '' ? (reasoningText ?? '') : text, usage: spent };
    } catch (error) {
      signal.throwIfAborted();
      return toFailure(error, timeoutMs, APICallError.isInstance);
    }
  };
}

/** Imports them on first use: most installations have no model, and the modules slow down every start. */
async function loadLibraries() {
  const [{ createOpenAICompatible }, { APICallError, generateText }] = await Promise.all([
    import('@ai-sdk/openai-compatible'),
    import('ai'),
  ]);
  return { createOpenAICompatible, APICallError, generateText };
}

/** Reason of a failed call, without the words of the endpoint: they may contain secrets or be megabytes long. */
function toFailure(
  error: unknown,
  timeoutMs: number,
  isCallError: (error: unknown) => error is APICallError,
): ChatResult {
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return { failure: `it did not answer within ${timeoutMs / 1000} s`, status: null, isLate: true };
  const cause = error instanceof Error && 'lastError' in error ? error.lastError : error;
  if (!isCallError(cause)) return { failure: 'the call failed', status: null };
  const status = cause.statusCode ?? null;
  return {
    failure: status === null ? 'its endpoint could not be reached' : `its endpoint answered with status ${status}`,
    status,
    ...(status === null ? { isConnectionLost: true } : {}),
    ...retryAfter(cause.responseHeaders?.['retry-after']),
  };
}

/** `Retry-After` in seconds, from either of its forms. */
function retryAfter(header: string | undefined): { retryAfterS?: number } {
  if (header === undefined) return {};
  const seconds = /^\d+(\.\d+)?$/.test(header.trim()) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? { retryAfterS: Math.max(0, seconds) } : {};
}
