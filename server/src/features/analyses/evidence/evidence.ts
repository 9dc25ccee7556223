import { LRUCache } from 'lru-cache';
import type { Database } from '#platform/db/index';
import type { ServedFile } from '#platform/http/index';
import type { Secrets } from '#platform/secrets/index';
import type { Storage } from '#platform/storage/index';
import { problems } from '../problems.ts';
import * as store from '../store.ts';
import type { createEvidenceImages } from './images.ts';

/** Minimum lifetime of a URL. A token is reused for an hour, as signing dominates the cost of bulk responses. */
const LIFETIME_MS = 24 * 3600 * 1000;
const REUSE_MS = 3600 * 1000;
const MAX_TOKENS = 10_000;

const PURPOSE = 'evidence';

export type EvidenceStore = ReturnType<typeof createEvidence>;

/**
 * Stores and serves evidence images under signed URLs that need no key. Stored documents contain a placeholder for each
 * URL. It includes the analysis id, which is unknown when the prompt is written, so no prompt can contain one.
 */
export function createEvidence({
  database,
  storage,
  secrets,
  images,
  publicUrl,
}: {
  database: Database;
  storage: Storage;
  secrets: Secrets;
  images: ReturnType<typeof createEvidenceImages>;
  publicUrl: string;
}) {
  const folder = (analysisId: string) => `analyses/${analysisId}/`;
  const keyOf = (analysisId: string, name: string) => `${folder(analysisId)}${name}.jpg`;
  const tokens = new LRUCache<string, string>({ max: MAX_TOKENS, ttl: REUSE_MS });
  const tokenOf = (analysisId: string): string => {
    const cached = tokens.get(analysisId);
    if (cached) return cached;
    const token = secrets.sign(PURPOSE, analysisId, new Date(Date.now() + LIFETIME_MS + REUSE_MS));
    tokens.set(analysisId, token);
    return token;
  };
  const placeholderPrefix = (analysisId: string) => `evidence:${analysisId}:`;

  return {
    /** Placeholder of an image URL in stored documents. */
    placeholder: (analysisId: string, name: string) => `${placeholderPrefix(analysisId)}${name}!`,

    /** Replaces every placeholder with an absolute URL that is valid for a day. The text is not parsed. */
    sign(analysisId: string, text: string): string {
      const prefix = placeholderPrefix(analysisId);
      const pieces = text.split(prefix);
      if (pieces.length === 1) return text;
      const token = tokenOf(analysisId);
      const base = `${publicUrl}/api/evidence/${analysisId}/`;
      return pieces
        .map((piece, i) => (i === 0 ? piece : `${base}${piece.replace('!', `.jpg?token=${token}`)}`))
        .join('');
    },

    /**
     * The image behind a signed URL, drawn at the first request. Throws `evidence_token_invalid`,
     * `evidence_token_expired` (403), `evidence_not_found` or `evidence_undrawable` (404).
     */
    async open(analysisId: string, name: string, token: string, signal: AbortSignal): Promise<ServedFile> {
      const verdict = secrets.verify(PURPOSE, analysisId, token);
      if (verdict === 'invalid') throw problems.evidence_token_invalid();
      if (verdict === 'expired') throw problems.evidence_token_expired();
      // Images of a deleted video are not served, but stay in storage in case it is restored.
      if (!(await store.isVisible(database.db, analysisId))) throw problems.evidence_not_found();
      const key = keyOf(analysisId, name);
      let found = await storage.stat(key);
      if (!found) {
        await images.draw(analysisId, name, key, signal);
        found = await storage.stat(key);
      }
      if (!found) throw problems.evidence_not_found();
      // Drawing is deterministic, so a name always has the same bytes.
      return {
        ...found,
        etag: `${analysisId}-${name}`,
        contentType: 'image/jpeg',
        open: (range) => storage.read(key, range),
      };
    },

    deleteImages: (analysisId: string) => storage.removeAll(folder(analysisId)),
  };
}
