import { createHash } from 'node:crypto';

/** The content of an entry that may be erased later. */
export type ErasableContent = { address: string | null; userAgent: string | null; detail: unknown };

/** The fields of an entry that remain for as long as the entry. */
export type LastingFields = {
  position: number;
  eventId: string;
  at: Date;
  action: string;
  operation: string | null;
  outcome: string;
  userId: string | null;
  keyId: string | null;
  sessionId: string | null;
  subjectId: string;
  contentDigest: string;
};

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** JSON with the names of all objects in order and without spaces: equal values have one text. */
function canonicalJson(value: unknown): string {
  const sorted = (_name: string, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each;
  return JSON.stringify(value, sorted);
}

/** Digest of the erasable content. The salt, which is erased with it, prevents guessing an address from the digest. */
export const digestContent = (salt: string, { address, userAgent, detail }: ErasableContent): string =>
  sha256(canonicalJson([salt, address, userAgent, detail]));

/**
 * Digest of an entry and, through the digest before it, of all entries before it. That of the first entry is the id of
 * its organization. `docs/operations.md` describes the form for followers who verify it themselves.
 */
export const digestEntry = (previous: string, entry: LastingFields): string =>
  sha256(
    canonicalJson([
      previous,
      entry.position,
      entry.eventId,
      entry.at.toISOString(),
      entry.action,
      entry.operation,
      entry.outcome,
      entry.userId,
      entry.keyId,
      entry.sessionId,
      entry.subjectId,
      entry.contentDigest,
    ]),
  );
