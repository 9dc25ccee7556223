import type { Database } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import type { Secrets } from '#platform/secrets/index';
import { createKeyCache } from './key-cache.ts';
import * as store from './store.ts';

/** Tokens of signed URLs that end with the revocation of the key, or the removal of the user, that they were for. */
export interface UrlTokens {
  /** As `Secrets.sign`. Without a caller, the service itself is the issuer, and the token ends when it expires. */
  sign(purpose: string, subject: string, expiresAt: Date, caller?: Issuer | null): string;
  /** A token for another subject with the issuer of `token`. */
  derive(token: string, purpose: string, subject: string, expiresAt: Date): string;
  /** As `Secrets.verify`; `expired` also if its key was revoked or its user removed, within a second on all nodes. */
  verify(purpose: string, subject: string, token: string): Promise<'ok' | 'expired' | 'invalid'>;
  close(): Promise<void>;
}

export type Issuer = Pick<Caller, 'keyId' | 'userId'>;

const [KEY, USER] = ['k', 'u'] as const;
const issuerOf = ({ keyId, userId }: Issuer) => (keyId === null ? `${USER}${userId}` : `${KEY}${keyId}`);

export function createUrlTokens({ database, secrets }: { database: Database; secrets: Secrets }): UrlTokens {
  const active = createKeyCache<{ issuer: string }>(database);

  async function look(issuer: string): Promise<{ issuer: string } | null> {
    const id = issuer.slice(1);
    const isActive = await (issuer.startsWith(KEY) ? store.isKeyActive : store.isUserActive)(database.db, id);
    return isActive ? { issuer } : null;
  }

  return {
    sign: (purpose, subject, expiresAt, caller = null) =>
      secrets.sign(purpose, subject, expiresAt, caller && issuerOf(caller)),
    derive: (token, purpose, subject, expiresAt) => secrets.sign(purpose, subject, expiresAt, secrets.issuerOf(token)),
    async verify(purpose, subject, token) {
      const verdict = secrets.verify(purpose, subject, token);
      const issuer = verdict === 'ok' ? secrets.issuerOf(token) : null;
      if (issuer === null) return verdict;
      return (await active.get(issuer, () => look(issuer))) ? 'ok' : 'expired';
    },
    close: async () => active.close(),
  };
}
