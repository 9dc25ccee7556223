import { AsyncLocalStorage } from 'node:async_hooks';
import { Problem } from '../problem.ts';
import { createClientContexts, type Sampling } from './sampling.ts';
import type { ExporterOptions, SpanExporter, SpanKind } from './sdk.ts';
import { formatTraceparent, parseTraceparent, type TraceContext } from './trace-context.ts';

/** Attributes of a span: ids, names from closed lists, counts. No texts of users, no addresses with paths, no keys. */
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A span that is open. */
export type Span = {
  set(attributes: Attributes): void;
  /** Marks the span as failed, with the code of the error. Messages may contain texts of users and are left out. */
  fail(error: unknown): void;
};

/** A span that its owner runs work in, and ends. */
export type OpenSpan = Span & {
  /** Runs `work` with this span as the parent of all spans that it opens, and with its trace in log messages. */
  run<T>(work: () => T): T;
  end(): void;
};

type ActiveSpan = { context: TraceContext; startedMs: number };
type Tracer = { exporter: SpanExporter; contextOfClient: (header: unknown) => TraceContext | null };

/**
 * A span that starts later than this after its parent begins a trace of its own, with a link: a trace with all spans
 * of a recording that runs for days could not be opened by any viewer.
 */
const LONGEST_TRACE_MS = 3_600_000;

const active = new AsyncLocalStorage<ActiveSpan>();
/** Of this process, so that parts need not receive one through all callers. Tests run several nodes in a process. */
const tracers: Tracer[] = [];

const NO_SPAN: Span = { set() {}, fail() {} };

/**
 * Starts to export spans, and returns the function that exports the rest within some seconds and stops. Only here the
 * OpenTelemetry SDK is loaded.
 */
export async function startTracing(options: ExporterOptions & Sampling): Promise<() => Promise<void>> {
  const { createSpanExporter } = await import('./sdk.ts');
  const tracer: Tracer = {
    exporter: createSpanExporter(options),
    contextOfClient: createClientContexts(options),
  };
  tracers.push(tracer);
  return async () => {
    tracers.splice(tracers.indexOf(tracer), 1);
    await tracer.exporter.close();
  };
}

/** True while spans are exported. */
export const isTracing = (): boolean => tracers.length > 0;

/**
 * Runs `body` in a span below the active one. Without an active span, as in maintenance, there is none. An error of
 * `body` marks the span as failed.
 */
export function withSpan<T>(
  name: string,
  attributes: Attributes,
  body: (span: Span) => T,
  { kind = 'internal' }: { kind?: SpanKind } = {},
): T {
  const parent = active.getStore();
  if (!parent?.context.isSampled) return body(NO_SPAN);
  const span = openSpan(name, { kind, attributes, parent: parent.context, parentStartedMs: parent.startedMs });
  if (!span) return body(NO_SPAN);
  let isPending = false;
  try {
    const result = span.run(() => body(span));
    if (result instanceof Promise) {
      isPending = true;
      result.then(undefined, span.fail).finally(span.end);
    }
    return result;
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    if (!isPending) span.end();
  }
}

/** Opens the span of a request, in the trace of the client if its `traceparent` names one. Null unless tracing. */
export function openRequestSpan(name: string, traceparent: unknown, attributes: Attributes): OpenSpan | null {
  const parent = tracers.at(-1)?.contextOfClient(traceparent) ?? null;
  return openSpan(name, { kind: 'server', attributes, parent });
}

/** Opens the span of a job, in the trace that it was sent in. Null unless tracing. */
export function openJobSpan(
  name: string,
  { traceparent, sentAt }: { traceparent: string | null; sentAt: Date },
  attributes: Attributes,
): OpenSpan | null {
  const parentStartedMs = performance.now() - (Date.now() - sentAt.getTime());
  return openSpan(name, { kind: 'consumer', attributes, parent: parseTraceparent(traceparent), parentStartedMs });
}

/** The `traceparent` of the active span, for work that continues elsewhere; null without one. */
export function currentTraceparent(): string | null {
  const span = active.getStore();
  return span ? formatTraceparent(span.context) : null;
}

/** Fields of log messages within a span. */
export function traceFields(): { trace_id: string; span_id: string } | undefined {
  const context = active.getStore()?.context;
  return context && { trace_id: context.traceId, span_id: context.spanId };
}

function openSpan(
  name: string,
  {
    kind,
    attributes,
    parent,
    parentStartedMs,
  }: { kind: SpanKind; attributes: Attributes; parent: TraceContext | null; parentStartedMs?: number },
): OpenSpan | null {
  const tracer = tracers.at(-1);
  if (!tracer) return null;
  const startedMs = performance.now();
  const isLate = parentStartedMs !== undefined && startedMs - parentStartedMs > LONGEST_TRACE_MS;
  const span = tracer.exporter.start(name, {
    kind,
    attributes,
    parent: isLate ? null : parent,
    link: isLate ? parent : null,
  });
  const started: ActiveSpan = { context: span.context, startedMs };
  return {
    set: span.set,
    fail: (error) => span.fail(codeOf(error)),
    run: (work) => active.run(started, work),
    end: span.end,
  };
}

/** Code of a Problem or of the system, else the class of the error. */
function codeOf(error: unknown): string {
  if (error instanceof Problem) return error.code;
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const known = [code, name].find((each) => typeof each === 'string' && /^[\w.:-]{1,64}$/.test(each));
  return (known as string | undefined) ?? 'error';
}
