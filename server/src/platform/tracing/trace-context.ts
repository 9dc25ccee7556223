/** Position in a trace, as the W3C header `traceparent` transports it. */
export type TraceContext = {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  /** True if the spans of the trace are exported. */
  isSampled: boolean;
};

const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Parses a `traceparent`, also of later versions; null if it is not valid. */
export function parseTraceparent(text: unknown): TraceContext | null {
  const match = typeof text === 'string' && text.length <= 512 ? TRACEPARENT.exec(text) : null;
  if (!match) return null;
  const [, version, traceId, spanId, flags, rest] = match as unknown as string[];
  const isZero = /^0+$/.test(traceId!) || /^0+$/.test(spanId!);
  if (isZero || (version === '00' && rest !== undefined)) return null;
  return { traceId: traceId!, spanId: spanId!, isSampled: (Number.parseInt(flags!, 16) & 1) === 1 };
}

export const formatTraceparent = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

/** Position in any trace that is not exported. One for all, so that requests beyond the sampled ones cost nothing. */
export const UNSAMPLED: TraceContext = { traceId: 'f'.repeat(32), spanId: 'f'.repeat(16), isSampled: false };
