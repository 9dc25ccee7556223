import {
  type Attributes,
  SpanKind as Kind,
  ROOT_CONTEXT,
  type SpanContext,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { TraceContext } from './trace-context.ts';

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';

export type ExporterOptions = {
  /** Address that receives OTLP over HTTP in protobuf. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Attributes of the process, such as `service.name`. */
  resource: Readonly<Record<string, string>>;
  /** Called when spans can no longer be sent, and with null when they can again. */
  onState(error: Error | null): void;
};

type StartedSpan = {
  context: TraceContext;
  set(attributes: Readonly<Record<string, string | number | boolean | null | undefined>>): void;
  fail(code: string): void;
  end(): void;
};

export type SpanExporter = {
  /** Starts a span, which is exported once it ends. */
  start(
    name: string,
    options: {
      kind: SpanKind;
      attributes: Parameters<StartedSpan['set']>[0];
      parent: TraceContext | null;
      link: TraceContext | null;
    },
  ): StartedSpan;
  /** Sends what is left, for a limited time. */
  close(): Promise<void>;
};

/** Spans that wait to be sent. Further ones are dropped: a collector that is down must not cost memory. */
const MAX_WAITING = 4_096;
const BATCH = 512;
const INTERVAL_MS = 2_000;
/** Longest time of an export with its retries, and so of the last one before the process ends. */
const EXPORT_MS = 5_000;

const KINDS: Record<SpanKind, Kind> = {
  internal: Kind.INTERNAL,
  server: Kind.SERVER,
  client: Kind.CLIENT,
  consumer: Kind.CONSUMER,
};

/**
 * Exports spans with the OpenTelemetry SDK, in the background. It is not registered as the tracer of the process, so
 * that no library adds spans, which could contain prompts.
 */
export function createSpanExporter({ url, headers, resource, onState }: ExporterOptions): SpanExporter {
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: EXPORT_MS });
  const processor = new BatchSpanProcessor({
    exporter: reportState(exporter, onState),
    maxQueueSize: MAX_WAITING,
    maxExportBatchSize: BATCH,
    scheduledDelayMillis: INTERVAL_MS,
    exportTimeoutMillis: EXPORT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ ...resource }),
    sampler: new AlwaysOnSampler(),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('sightline');

  return {
    start(name, { kind, attributes, parent, link }) {
      const options = {
        kind: KINDS[kind],
        attributes: withoutEmpty(attributes),
        ...(link ? { links: [{ context: toSpanContext(link) }] } : {}),
      };
      const context = parent ? trace.setSpan(ROOT_CONTEXT, trace.wrapSpanContext(toSpanContext(parent))) : ROOT_CONTEXT;
      const span = tracer.startSpan(name, options, context);
      const { traceId, spanId } = span.spanContext();
      return {
        context: { traceId, spanId, isSampled: true },
        set: (more) => void span.setAttributes(withoutEmpty(more)),
        fail(code) {
          span.setAttribute('error.type', code);
          span.setStatus({ code: SpanStatusCode.ERROR });
        },
        end: () => span.end(),
      };
    },
    // A collector that does not answer is no reason to fail: the spans are lost.
    close: () => provider.shutdown().catch(() => {}),
  };
}

/** Passes the first failure of an export, and the first success after failures, to `onState`. */
function reportState(
  exporter: OTLPTraceExporter,
  onState: ExporterOptions['onState'],
): ConstructorParameters<typeof BatchSpanProcessor>[0]['exporter'] {
  let hasFailed = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== 0;
        if (failed !== hasFailed) onState(failed ? (result.error ?? new Error('unknown')) : null);
        hasFailed = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  };
}

const toSpanContext = ({ traceId, spanId }: TraceContext): SpanContext => ({
  traceId,
  spanId,
  traceFlags: TraceFlags.SAMPLED,
  isRemote: true,
});

function withoutEmpty(attributes: Parameters<StartedSpan['set']>[0]): Attributes {
  const filled: Attributes = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) filled[name] = value;
  }
  return filled;
}
