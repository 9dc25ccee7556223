import type { MessageFields } from './decoder.ts';

/** Conversions of message values, which differ by encoding. */

export const isFields = (value: unknown): value is MessageFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);

/** Converts a value to a number; NaN for other values. */
export function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value);
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

/** Converts a value to bytes, which JSON has as base64 text or as numbers. */
export function toBytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (typeof value === 'string') return Buffer.from(value, 'base64');
  if (Array.isArray(value)) return Uint8Array.from(value as number[]);
  throw new Error('its messages hold no bytes where the image should be');
}

/** Timestamp of a message in nanoseconds of its own clock; null if absent or zero. */
export function toTimestampNs(message: MessageFields): bigint | null {
  const header = message.header;
  return timeOf(isFields(header) ? header.stamp : message.timestamp);
}

/** Nanoseconds of a time in a message; null if it has none. */
export function timeOf(value: unknown): bigint | null {
  if (typeof value === 'string') {
    const ms = Date.parse(value);
    if (Number.isNaN(ms)) return null;
    // Date texts have up to nine digits of a second, of which `Date.parse` uses three.
    const digits = /\.(\d{1,9})/.exec(value)?.[1] ?? '';
    return BigInt(Math.floor(ms / 1000)) * 1_000_000_000n + BigInt(digits.padEnd(9, '0'));
  }
  if (!isFields(value)) return null;
  const seconds = toNumber(value.sec ?? value.seconds ?? value.secs);
  const nanos = toNumber(value.nsec ?? value.nanosec ?? value.nanos ?? value.nsecs ?? 0);
  if (!Number.isSafeInteger(seconds) || !Number.isInteger(nanos)) return null;
  const ns = BigInt(seconds) * 1_000_000_000n + BigInt(nanos);
  return ns > 0n ? ns : null;
}
