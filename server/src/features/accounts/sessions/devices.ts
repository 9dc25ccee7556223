import { randomBytes } from 'node:crypto';
import type { Secrets } from '#platform/secrets/index';

/** Cookie of a browser in which a user has signed in. */
export const DEVICE_COOKIE = 'sightline_device';

const PURPOSE = 'known-device';
const KNOWN_MS = 365 * 24 * 3600 * 1000;

/**
 * Browsers in which a user has signed in before. Their attempts to sign in are counted apart, so that nobody else can
 * lock the user out by guessing. The cookie is signed, and grants nothing else.
 */
export function createDevices({ secrets, now }: { secrets: Secrets; now: () => number }) {
  return {
    /** The value of the cookie for a browser in which this user has signed in. */
    issue(email: string): { value: string; expiresAt: Date } {
      const id = randomBytes(12).toString('hex');
      const expiresAt = new Date(now() + KNOWN_MS);
      return { value: `${id}.${secrets.sign(PURPOSE, `${id}\n${email}`, expiresAt)}`, expiresAt };
    },
    /** The id of the browser if it is known for this address; otherwise null. */
    identify(value: string | undefined, email: string): string | null {
      const [, id, token] = /^([0-9a-f]{24})\.(.+)$/.exec(value ?? '') ?? [];
      if (id === undefined || token === undefined) return null;
      return secrets.verify(PURPOSE, `${id}\n${email}`, token) === 'ok' ? id : null;
    },
  };
}

export type Devices = ReturnType<typeof createDevices>;
