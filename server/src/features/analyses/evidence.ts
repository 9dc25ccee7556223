import { LRUCache } from 'lru-cache';
import type { Database } from '#platform/db/index';
import type { ServedFile } from '#platform/http/index';
import type { Secrets } from '#platform/secrets/index';
import type { Storage } from '#platform/storage/index';
import type { createPictures } from './pictures.ts';
import { problems } from './problems.ts';
import * as store from './store.ts';

/** How long a URL holds at least; its token is used again for an hour, as making one costs more than all else in a bulk answer. */
const LIFETIME_MS = 24 * 3600 * 1000;
const REUSE_MS = 3600 * 1000;
const TOKENS_KEPT = 10_000;

const PURPOSE = 'evidence';

export type Evidence = ReturnType<typeof createEvidence>;

/**
 * Evidence pictures: where they lie in storage, and the signed URLs that they are fetched under without a key. A stored document holds a
 * marker for each; it contains the analysis's id, which nobody knew when the prompt was written, so no prompt can hold one.
 */
export function createEvidence({
  database,
  storage,
  secrets,
  pictures,
  publicUrl,
}: {
  database: Database;
  storage: Storage;
  secrets: Secrets;
  pictures: ReturnType<typeof createPictures>;
  publicUrl: string;
}) {
  const folder = (analysisId: string) => `analyses/${analysisId}/`;
  const keyOf = (analysisId: string, name: string) => `${folder(analysisId)}${name}.jpg`;
  const tokens = new LRUCache<string, string>({ max: TOKENS_KEPT, ttl: REUSE_MS });
  const tokenOf = (analysisId: string): string => {
    const kept = tokens.get(analysisId);
    if (kept) return kept;
    const token = secrets.sign(PURPOSE, analysisId, new Date(Date.now() + LIFETIME_MS + REUSE_MS));
    tokens.set(analysisId, token);
    return token;
  };
  const markerOf = (analysisId: string) => `evidence:${analysisId}:`;

  return {
    /** What stands in a stored document for a picture's URL. */
    marker: (analysisId: string, name: string) => `${markerOf(analysisId)}${name}!`,

    /** The document with every marker replaced by an absolute URL that holds for a day. The text is not parsed. */
    sign(analysisId: string, text: string): string {
      const marker = markerOf(analysisId);
      const pieces = text.split(marker);
      if (pieces.length === 1) return text;
      const token = tokenOf(analysisId);
      const base = `${publicUrl}/api/evidence/${analysisId}/`;
      return pieces
        .map((piece, i) => (i === 0 ? piece : `${base}${piece.replace('!', `.jpg?token=${token}`)}`))
        .join('');
    },

    /**
     * The picture behind a signed URL, drawn now when nobody has asked for it before. Throws `evidence_token_invalid`, `evidence_token_expired` (403),
     * `evidence_not_found` or `evidence_undrawable` (404).
     */
    async open(analysisId: string, name: string, token: string, signal: AbortSignal): Promise<ServedFile> {
      const verdict = secrets.verify(PURPOSE, analysisId, token);
      if (verdict === 'invalid') throw problems.evidence_token_invalid();
      if (verdict === 'expired') throw problems.evidence_token_expired();
      // Of a deleted video nothing is shown, although it may be restored with what was drawn.
      if (!(await store.isShown(database.db, analysisId))) throw problems.evidence_not_found();
      const key = keyOf(analysisId, name);
      let found = await storage.stat(key);
      if (!found) {
        await pictures.draw(analysisId, name, key, signal);
        found = await storage.stat(key);
      }
      if (!found) throw problems.evidence_not_found();
      // Drawing is deterministic: under one name there are never other bytes.
      return {
        ...found,
        etag: `${analysisId}-${name}`,
        contentType: 'image/jpeg',
        open: (range) => storage.read(key, range),
      };
    },

    forget: (analysisId: string) => storage.removeAll(folder(analysisId)),
  };
}
