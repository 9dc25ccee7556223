import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type { Engine, EvidenceFrame } from '#engine/index';
import type { Database } from '#platform/db/index';
import type { ServedFile } from '#platform/http/index';
import type { Secrets } from '#platform/secrets/index';
import { problems } from '../problems.ts';
import { findSession, listSegments } from '../store.ts';
import type { SegmentFiles } from './segment-files.ts';
import { findEvent } from './store.ts';

const PURPOSE = 'live-evidence';
/** Minimum lifetime of a URL, and the time for which it stays the same. */
const HOLDS_S = 24 * 3600;
const ROUNDED_S = 3600;
/** Number of cached images, as viewers fetch the same one repeatedly. */
const MAX_IMAGES = 64;

export type LiveEvidenceDeps = {
  database: Database;
  engine: Pick<Engine, 'drawEvidence'>;
  files: SegmentFiles;
  secrets: Secrets;
  publicUrl: string;
};

type StoredFrame = Pick<EvidenceFrame, 'boxes'> & { role: string; chunk_index: number; chunk_relative_time: number };
type StoredEvent = { evidence: { frames: StoredFrame[] } };

export type LiveEvidence = ReturnType<typeof createLiveEvidence>;

/** Evidence images of live events, drawn from their segment when the signed URL is requested. */
export function createLiveEvidence({ database, engine, files, secrets, publicUrl }: LiveEvidenceDeps) {
  const { db } = database;
  const drawn = new LRUCache<string, Promise<Buffer>>({ max: MAX_IMAGES });

  async function draw(sessionId: string, eventId: string, index: number): Promise<Buffer> {
    const [session, event] = await Promise.all([findSession(db, sessionId), findEvent(db, sessionId, eventId)]);
    const frame = (event?.data as StoredEvent | undefined)?.evidence.frames[index];
    const [segment] = session && frame ? await listSegments(db, sessionId, frame.chunk_index, 1) : [];
    if (!session || !frame || !segment) throw problems.live_picture_unknown();
    await using file = await files.of(session, segment);
    return await engine.drawEvidence(file.path, { timeS: frame.chunk_relative_time, boxes: frame.boxes });
  }

  return {
    /** Returns a function that adds signed image URLs to events of the session. The URLs are valid for a day. */
    signer(sessionId: string): <Event extends object>(event: Event & { event_id: string }) => Event {
      const until = Math.ceil((Date.now() / 1000 + HOLDS_S) / ROUNDED_S) * ROUNDED_S;
      const token = secrets.sign(PURPOSE, sessionId, new Date(until * 1000));
      return (event) => {
        const { evidence } = event as unknown as Partial<StoredEvent>;
        if (!evidence) return event;
        const base = `${publicUrl}/api/live/media/${sessionId}/evidence/${event.event_id}`;
        const frames = evidence.frames.map((frame, i) => ({ ...frame, url: `${base}-${i}.jpg?token=${token}` }));
        const best = frames.find(({ role }) => role === 'best') ?? frames[0];
        return {
          ...event,
          evidence: { ...evidence, frames },
          ...(best ? { annotated_thumbnail_url: best.url } : {}),
        };
      };
    },

    /**
     * The image `<event>-<number>.jpg`. Throws `live_url_expired`, `live_url_invalid` (403), `live_picture_unknown` or
     * `live_gone` (404).
     */
    async open(sessionId: string, name: string, token: string): Promise<ServedFile> {
      const verdict = secrets.verify(PURPOSE, sessionId, token);
      if (verdict === 'expired') throw problems.live_url_expired();
      if (verdict !== 'ok') throw problems.live_url_invalid();
      const match = /^([0-9a-z]{1,64})-(0|[1-9]\d?)\.jpg$/.exec(name);
      if (!match) throw problems.live_picture_unknown();
      const key = `${sessionId} ${name}`;
      const drawing = drawn.get(key) ?? draw(sessionId, match[1]!, Number(match[2]));
      drawn.set(key, drawing);
      drawing.catch(() => drawn.delete(key));
      const bytes = await drawing;
      return {
        size: bytes.length,
        modified: new Date(0),
        etag: `${sessionId}-${name}`,
        contentType: 'image/jpeg',
        open: async ({ start, end }) => Readable.from([bytes.subarray(start, end + 1)]),
      };
    },
  };
}
