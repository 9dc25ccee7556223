import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import protobuf from 'protobufjs';

/** The part of the definitions of OTLP (opentelemetry/proto/trace/v1) that traces use, with the published numbers. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5;
    int32 kind = 6; fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8;
    repeated KeyValue attributes = 9; repeated Event events = 11; repeated Link links = 13; Status status = 15;
  }
  message Event { string name = 2; repeated KeyValue attributes = 3; }
  message Link { bytes trace_id = 1; bytes span_id = 2; }
  message Status { string message = 2; int32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
`);
const Request = root.lookupType('Request');

type AttributeValue = string | number | boolean;
type KeyValue = {
  key: string;
  value: { stringValue?: string; boolValue?: boolean; intValue?: number; doubleValue?: number };
};
type WireSpan = {
  traceId: Uint8Array;
  spanId: Uint8Array;
  parentSpanId?: Uint8Array;
  name: string;
  kind: number;
  attributes?: KeyValue[];
  links?: { traceId: Uint8Array; spanId: Uint8Array }[];
  status?: { code?: number };
};
type WireRequest = {
  resourceSpans: { resource: { attributes: KeyValue[] }; scopeSpans: { spans: WireSpan[] }[] }[];
};

/** A span as a collector receives it. */
export type CollectedSpan = {
  traceId: string;
  spanId: string;
  /** Null for the first span of a trace. */
  parentId: string | null;
  name: string;
  attributes: Record<string, AttributeValue>;
  resource: Record<string, AttributeValue>;
  links: string[];
  failed: boolean;
};

export type Collector = {
  url: string;
  /** All spans so far. */
  spans: CollectedSpan[];
  /** Headers and bytes of all requests. */
  requests: { headers: Record<string, unknown>; body: Buffer }[];
  close: () => Promise<void>;
};

/**
 * An OpenTelemetry collector on the wire: receives OTLP over HTTP in protobuf. With `answers: false` it accepts
 * requests and never answers. Close it.
 */
export async function startCollector({ answers = true } = {}): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const requests: Collector['requests'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      requests.push({ headers: request.headers, body });
      if (!answers) return;
      const isTraces = request.method === 'POST' && request.url === '/v1/traces';
      if (isTraces) spans.push(...decode(body));
      response.writeHead(isTraces ? 200 : 404, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function decode(body: Buffer): CollectedSpan[] {
  const decoded = Request.toObject(Request.decode(body), { longs: Number }) as WireRequest;
  return decoded.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        traceId: hex(span.traceId),
        spanId: hex(span.spanId),
        parentId: span.parentSpanId?.length ? hex(span.parentSpanId) : null,
        name: span.name,
        attributes: toRecord(span.attributes),
        resource: toRecord(resource.attributes),
        links: (span.links ?? []).map((link) => hex(link.traceId)),
        failed: span.status?.code === 2,
      })),
    ),
  );
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

const toRecord = (pairs: readonly KeyValue[] = []): Record<string, AttributeValue> =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0] as AttributeValue]));
