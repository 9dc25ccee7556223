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

/** SHA-256 of the bytes as Base64. */
export async function sha256Base64(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return base64(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}

/** The text as Base64 of its UTF-8 bytes. */
export const textBase64 = (text: string): string => base64(new TextEncoder().encode(text));

const base64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
