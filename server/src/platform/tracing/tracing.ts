import { AsyncLocalStorage } from 'node:async_hooks';
import { Problem } from '../problem.ts';
import { createSampler, type Sampler, type TraceSampling } from './sampling.ts';
import type { ExporterOptions, SpanExporter, SpanKind } from './sdk.ts';
import { formatTraceparent, parseTraceparent, type TraceContext, UNSAMPLED } from './trace-context.ts';

/** Attributes of a span: ids, names from closed lists, counts. No texts of users, no addresses with paths, no keys. */
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A span that is open. */
export type TraceSpan = {
  set(attributes: Attributes): void;
  /** Marks the span as failed, with the code of the error. Messages may contain texts of users and are left out. */
  fail(error: unknown): void;
};

/** A span that its owner runs work in, and ends. */
export type OpenSpan = TraceSpan & {
  /** Runs `work` with this span as the parent of all spans that it opens, and with its trace in log messages. */
  run<T>(work: () => T): T;
  end(): void;
};

type ActiveSpan = { context: TraceContext; startedMs: number };
type Tracer = { exporter: SpanExporter; sampler: Sampler };

/**
 * A span that starts later than this after its parent begins a trace of its own, with a link: a trace with all spans
 * of a recording that runs for days could not be opened by any viewer.
 */
const LONGEST_TRACE_MS = 3_600_000;

const active = new AsyncLocalStorage<ActiveSpan>();
/** Of this process, so that parts need not receive one through all callers. Tests run several nodes in a process. */
const tracers: Tracer[] = [];

const NO_SPAN: TraceSpan = { set() {}, fail() {} };

/** The span of a request or job whose trace is not exported. What it starts, also on other nodes, has no spans. */
const IN_UNSAMPLED: ActiveSpan = { context: UNSAMPLED, startedMs: 0 };
const UNSAMPLED_SPAN: OpenSpan = {
  ...NO_SPAN,
  run: (work) => active.run(IN_UNSAMPLED, work),
  end() {},
};

/**
 * Starts to export spans, and returns the function that exports the rest within some seconds and stops. Only here the
 * OpenTelemetry SDK is loaded.
 */
export async function startTracing(options: ExporterOptions & TraceSampling): Promise<() => Promise<void>> {
  const { createSpanExporter } = await import('./sdk.ts');
  const tracer: Tracer = { exporter: createSpanExporter(options), sampler: createSampler(options) };
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
  body: (span: TraceSpan) => T,
  { kind = 'internal' }: { kind?: SpanKind } = {},
): T {
  const tracer = tracers.at(-1);
  const parent = active.getStore();
  if (!tracer || !parent?.context.isSampled) return body(NO_SPAN);
  const ageMs = performance.now() - parent.startedMs;
  const span = startBelow(tracer, name, { kind, attributes, parent: parent.context, ageMs });
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

/**
 * Opens the span of a request, in the trace of the client if its `traceparent` names one. Null unless tracing.
 * `describe` is called if the trace is exported.
 */
export function openRequestSpan(
  traceparent: unknown,
  describe: () => { name: string; attributes: Attributes },
): OpenSpan | null {
  const tracer = tracers.at(-1);
  if (!tracer) return null;
  const parent = traceparent === undefined ? null : tracer.sampler.readClient(traceparent);
  if (!(parent ? parent.isSampled : tracer.sampler.decide())) return UNSAMPLED_SPAN;
  const { name, attributes } = describe();
  return startSpan(tracer, name, { kind: 'server', attributes, parent, link: null });
}

/** Opens the span of a job, in the trace that it was sent in. Null unless tracing. */
export function openJobSpan(
  name: string,
  { traceparent, sentAt }: { traceparent: string | null; sentAt: Date },
  attributes: Attributes,
): OpenSpan | null {
  const tracer = tracers.at(-1);
  if (!tracer) return null;
  const sender = parseTraceparent(traceparent);
  const ageMs = Date.now() - sentAt.getTime();
  return startBelow(tracer, name, { kind: 'consumer', attributes, parent: sender, ageMs });
}

/** The `traceparent` of the active span, for work that continues elsewhere; null without one. */
export function currentTraceparent(): string | null {
  const span = active.getStore();
  return span ? formatTraceparent(span.context) : null;
}

/** Fields of log messages within a span. */
export function traceFields(): { trace_id: string; span_id: string } | undefined {
  const context = active.getStore()?.context;
  if (!context?.isSampled) return;
  return { trace_id: context.traceId, span_id: context.spanId };
}

/** Starts a span below a parent that is `ageMs` old, or the first one of a trace. */
function startBelow(
  tracer: Tracer,
  name: string,
  {
    kind,
    attributes,
    parent,
    ageMs,
  }: { kind: SpanKind; attributes: Attributes; parent: TraceContext | null; ageMs: number },
): OpenSpan {
  const isLate = ageMs > LONGEST_TRACE_MS;
  const continued = isLate ? null : parent;
  const link = isLate && parent?.isSampled ? parent : null;
  if (!(continued ? continued.isSampled : tracer.sampler.decide())) return UNSAMPLED_SPAN;
  return startSpan(tracer, name, { kind, attributes, parent: continued, link });
}

function startSpan(tracer: Tracer, name: string, options: Parameters<SpanExporter['start']>[1]): OpenSpan {
  const span = tracer.exporter.start(name, options);
  const started: ActiveSpan = { context: span.context, startedMs: performance.now() };
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
