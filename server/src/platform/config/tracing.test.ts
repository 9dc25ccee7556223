import { expect, test } from 'vitest';
import { loadConfig } from './index.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };
const tracing = (env: Record<string, string>) => loadConfig(env, 1).tracing;

test.each([
  [{}],
  [{ OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'always_on' }],
  // Meant for other programs of the machine.
  [{ OTEL_TRACES_SAMPLER: 'xray', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_EXPORTER: 'zipkin' }],
  [{ OTEL_RESOURCE_ATTRIBUTES: 'x', OTEL_SDK_DISABLED: 'no' }],
  [{ ...ENDPOINT, OTEL_TRACES_SAMPLER: 'xray', OTEL_SDK_DISABLED: 'TRUE' }],
  [{ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }],
  [{ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
])('%j: no traces', (env) => {
  expect(tracing(env)).toBeNull();
});

test('an endpoint is sufficient', () => {
  expect(tracing(ENDPOINT)).toEqual({
    url: 'http://collector:4318/v1/traces',
    headers: {},
    attributes: { 'service.name': 'sightline' },
    ratio: 1,
    perS: 50,
    respectsClients: true,
  });
});

test('variables for traces alone go before those for all signals', () => {
  const config = tracing({
    ...ENDPOINT,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=all,x-org=a%2Cb',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-key=traces==',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test, service.name=ignored',
    OTEL_SERVICE_NAME: 'site-7',
  });
  expect(config).toMatchObject({
    url: 'https://traces.example/in',
    headers: { 'x-key': 'traces==', 'x-org': 'a,b' },
    attributes: { 'deployment.environment.name': 'test', 'service.name': 'site-7' },
  });
});

test.each([
  ['parentbased_ratelimited', '5', { ratio: 1, perS: 5, respectsClients: true }],
  ['parentbased_always_on', undefined, { ratio: 1, perS: Number.POSITIVE_INFINITY, respectsClients: true }],
  ['parentbased_always_off', undefined, { ratio: 0, respectsClients: true }],
  ['parentbased_traceidratio', '0.1', { ratio: 0.1, perS: Number.POSITIVE_INFINITY, respectsClients: true }],
  ['traceidratio', undefined, { ratio: 1, respectsClients: false }],
  ['always_on', '0.1', { ratio: 1, respectsClients: false }],
  ['always_off', undefined, { ratio: 0, respectsClients: false }],
])('sampler %s %s', (sampler, argument, expected) => {
  const env = { ...ENDPOINT, OTEL_TRACES_SAMPLER: sampler, ...(argument ? { OTEL_TRACES_SAMPLER_ARG: argument } : {}) };
  expect(tracing(env)).toMatchObject(expected);
});

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /OTEL_EXPORTER_OTLP_ENDPOINT must be a URL/],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'grpc://x' }, /OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be a URL/],
  [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /OTEL_EXPORTER_OTLP_PROTOCOL must be one of http\/protobuf/],
  [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'Bearer x' }, /OTEL_EXPORTER_OTLP_HEADERS must be pairs/],
  [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'a=%zz' }, /OTEL_EXPORTER_OTLP_HEADERS has a value/],
  [{ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'zipkin' }, /OTEL_TRACES_EXPORTER must be one of otlp, none/],
  [{ ...ENDPOINT, OTEL_TRACES_SAMPLER: 'some' }, /OTEL_TRACES_SAMPLER must be one of/],
  [
    { ...ENDPOINT, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '10' },
    /OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1/,
  ],
])('%j is refused', (env, message) => {
  expect(() => tracing(env)).toThrow(message);
});
