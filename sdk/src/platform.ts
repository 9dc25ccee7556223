/** Functions for Node and for browsers, written with what both have. */

/** Waits for some milliseconds. Rejects with the signal's reason when it aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** A random UUID. Browsers offer `crypto.randomUUID` to pages over HTTPS only. */
export function randomId(): string {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** SHA-256 of the bytes as Base64; null in pages over plain HTTP, to which browsers do not offer it. */
export async function sha256Base64(bytes: Uint8Array<ArrayBuffer>): Promise<string | null> {
  if (!crypto.subtle) return null;
  return bytesBase64(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}

/** The text as Base64 of its UTF-8 bytes. */
export const textBase64 = (text: string): string => bytesBase64(new TextEncoder().encode(text));

/** The bytes as Base64. */
export const bytesBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
