import type { Fields } from './messages.ts';

/** Values of messages, however their encoding writes them. */

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);

/** A number; NaN for what is none. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value);
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

/** Bytes, which JSON carries as base64 text or as numbers. */
export function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (typeof value === 'string') return Buffer.from(value, 'base64');
  if (Array.isArray(value)) return Uint8Array.from(value as number[]);
  throw new Error('its messages hold no bytes where the picture should be');
}

/** The moment a message says it was measured at, in nanoseconds of its own clock; null where it says none, or a zero. */
export function stampOf(message: Fields): bigint | null {
  const header = message.header;
  return timeOf(isFields(header) ? header.stamp : message.timestamp);
}

function timeOf(value: unknown): bigint | null {
  if (typeof value === 'string') {
    const ms = Date.parse(value);
    if (Number.isNaN(ms)) return null;
    // Dates in text have up to nine digits of a second, of which the parser keeps three.
    const digits = /\.(\d{1,9})/.exec(value)?.[1] ?? '';
    return BigInt(Math.floor(ms / 1000)) * 1_000_000_000n + BigInt(digits.padEnd(9, '0'));
  }
  if (!isFields(value)) return null;
  const seconds = numberOf(value.sec ?? value.seconds ?? value.secs);
  const nanos = numberOf(value.nsec ?? value.nanosec ?? value.nanos ?? value.nsecs ?? 0);
  if (!Number.isSafeInteger(seconds) || !Number.isInteger(nanos)) return null;
  const ns = BigInt(seconds) * 1_000_000_000n + BigInt(nanos);
  return ns > 0n ? ns : null;
}
