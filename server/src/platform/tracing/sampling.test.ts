import { expect, test } from 'vitest';
import { createSampler, type TraceSampling } from './sampling.ts';
import { formatTraceparent, parseTraceparent } from './trace-context.ts';

const TRACE = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
const SPAN = '00f067aa0ba902b7';
const SAMPLED = `00-${TRACE}-${SPAN}-01`;
const NOT_SAMPLED = `00-${TRACE}-${SPAN}-00`;

test('a traceparent is read, also of later versions, and written', () => {
  expect(parseTraceparent(SAMPLED)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: true });
  expect(parseTraceparent(NOT_SAMPLED)).toMatchObject({ isSampled: false });
  expect(parseTraceparent(`42-${TRACE}-${SPAN}-03-more`)).toMatchObject({ traceId: TRACE, isSampled: true });
  expect(formatTraceparent(parseTraceparent(SAMPLED)!)).toBe(SAMPLED);
});

test.each([
  undefined,
  null,
  '',
  'x',
  `${SAMPLED}-more`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  SAMPLED.toUpperCase(),
  `${SAMPLED}, ${SAMPLED}`,
  [SAMPLED],
  `42-${TRACE}-${SPAN}-01-${'x'.repeat(600)}`,
])('%j is no traceparent', (text) => {
  expect(parseTraceparent(text)).toBeNull();
});

const ALL = Number.POSITIVE_INFINITY;

function readerOf(sampling: Partial<TraceSampling>, sources?: Parameters<typeof createSampler>[1]) {
  return createSampler({ ratio: 1, perS: ALL, respectsClients: true, ...sampling }, sources).readClient;
}

/** Number of requests with this header that are exported. */
function countSampled(read: ReturnType<typeof readerOf>, header: string, requests: number): number {
  return Array.from({ length: requests }, () => read(header)).filter((context) => context?.isSampled).length;
}

test('a client cannot have more than a few of its traces exported', () => {
  let ms = 0;
  const read = readerOf({ ratio: 0 }, { now: () => ms });
  expect(countSampled(read, SAMPLED, 1_000)).toBe(10);
  ms += 3_000;
  expect(countSampled(read, SAMPLED, 1_000)).toBe(3);
  ms += 3_600_000;
  expect(countSampled(read, SAMPLED, 1_000)).toBe(10);
});

test('without `parentbased_` its flag has no effect', () => {
  expect(countSampled(readerOf({ ratio: 0, respectsClients: false }), SAMPLED, 1_000)).toBe(0);
});

test('neither its ids nor a flag that is not set keep a trace from being exported', () => {
  expect(countSampled(readerOf({}), NOT_SAMPLED, 100)).toBe(100);
  const draws = [0.09, 0.1, 0.5, 0.01];
  const some = readerOf({ ratio: 0.1 }, { random: () => draws.shift()! });
  expect([1, 2, 3, 4].map(() => some(NOT_SAMPLED)?.isSampled)).toEqual([true, false, false, true]);
});

test('traces of clients and others share the limit per second', () => {
  let ms = 0;
  const { decide, readClient } = createSampler({ ratio: 1, perS: 50, respectsClients: false }, { now: () => ms });
  expect(countSampled(readClient, SAMPLED, 30)).toBe(30);
  expect(Array.from({ length: 100 }, decide).filter(Boolean)).toHaveLength(20);
  ms += 500;
  expect(Array.from({ length: 100 }, decide).filter(Boolean)).toHaveLength(25);
});

test('a request without a valid context begins a trace of its own', () => {
  expect(readerOf({})('nothing')).toBeNull();
});
