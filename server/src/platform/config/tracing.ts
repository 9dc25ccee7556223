import { invalid } from './invalid.ts';
import { EXPORTERS, PROTOCOLS, SAMPLERS } from './otel-values.ts';
import type { Settings } from './variables.ts';

/** Where traces are sent, and which. */
export type TracingConfig = Readonly<{
  /** Address that receives OTLP over HTTP in protobuf. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Attributes of this process, `service.name` among them. */
  attributes: Readonly<Record<string, string>>;
  /** Share of the traces that are exported, 0 to 1. */
  ratio: number;
  /** Traces that are exported at most per second and node. */
  perS: number;
  /** Whether the flag `sampled` of clients is respected, for a limited number of requests. */
  respectsClients: boolean;
}>;

/** Beyond these, traces would take more than 3 % of the requests that a node can serve. */
const TRACES_PER_S = 50;

/** Reads the `OTEL_…` variables together; null without an endpoint, whatever the others are. */
export function toTracingConfig(settings: Settings['tracing']): TracingConfig | null {
  const { endpoint, tracesEndpoint, samplerArgument } = settings;
  if (settings.isDisabled.toLowerCase() === 'true' || (!endpoint && !tracesEndpoint)) return null;
  if (checkOneOf('OTEL_TRACES_EXPORTER', settings.exporter, EXPORTERS) === 'none') return null;
  checkOneOf('OTEL_EXPORTER_OTLP_PROTOCOL', settings.protocol, PROTOCOLS);
  const sampler = checkOneOf('OTEL_TRACES_SAMPLER', settings.sampler, SAMPLERS);
  const url = tracesEndpoint
    ? checkUrl('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', tracesEndpoint)
    : `${checkUrl('OTEL_EXPORTER_OTLP_ENDPOINT', endpoint!).replace(/\/+$/, '')}/v1/traces`;
  return {
    url,
    headers: {
      ...toPairs('OTEL_EXPORTER_OTLP_HEADERS', settings.headers),
      ...toPairs('OTEL_EXPORTER_OTLP_TRACES_HEADERS', settings.tracesHeaders),
    },
    attributes: {
      ...toPairs('OTEL_RESOURCE_ATTRIBUTES', settings.resourceAttributes),
      'service.name': settings.serviceName,
    },
    ratio: sampler.endsWith('traceidratio') ? toNumber(samplerArgument, 1, 1) : sampler.endsWith('always_off') ? 0 : 1,
    perS: sampler.endsWith('ratelimited') ? toNumber(samplerArgument, TRACES_PER_S, 10_000) : Number.POSITIVE_INFINITY,
    respectsClients: sampler.startsWith('parentbased_'),
  };
}

function checkOneOf(name: string, value: string, allowed: readonly string[]): string {
  if (allowed.includes(value)) return value;
  throw invalid(name, `must be one of ${allowed.join(', ')}`);
}

function checkUrl(name: string, url: string): string {
  if (!['http:', 'https:'].includes(URL.parse(url)?.protocol ?? ''))
    throw invalid(name, 'must be a URL that starts with http:// or https://');
  return url;
}

function toNumber(text: string | null, fallback: number, max: number): number {
  const number = Number(text ?? fallback);
  if (number >= 0 && number <= max) return number;
  throw invalid('OTEL_TRACES_SAMPLER_ARG', `must be a number from 0 to ${max}`);
}

/** `a=b,c=d`, percent-encoded. */
function toPairs(name: string, text: string | null): Record<string, string> {
  const items = (text ?? '').split(',').filter((item) => item.trim() !== '');
  return Object.fromEntries(
    items.map((item) => {
      const at = item.indexOf('=');
      if (at < 1) throw invalid(name, 'must be pairs NAME=VALUE, separated by commas');
      try {
        return [item.slice(0, at).trim(), decodeURIComponent(item.slice(at + 1).trim())];
      } catch {
        throw invalid(name, 'has a value that is not percent-encoded correctly');
      }
    }),
  );
}
