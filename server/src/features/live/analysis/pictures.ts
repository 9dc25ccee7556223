import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type { Engine, EvidenceFrame } from '#engine/index';
import type { Database } from '#platform/db/index';
import type { ServedFile } from '#platform/http/index';
import type { Secrets } from '#platform/secrets/index';
import { problems } from '../problems.ts';
import { findSession, segmentsFrom } from '../store.ts';
import type { Files } from './files.ts';
import { findEvent } from './store.ts';

const PURPOSE = 'live-evidence';
/** How long a URL holds at least, and how long it stays the same. */
const HOLDS_S = 24 * 3600;
const ROUNDED_S = 3600;
/** Pictures that are kept at hand: a viewer fetches the same one again. */
const KEPT = 64;

export type PicturesDeps = {
  database: Database;
  engine: Pick<Engine, 'draw'>;
  files: Files;
  secrets: Secrets;
  publicUrl: string;
};

type StoredFrame = Pick<EvidenceFrame, 'boxes'> & { role: string; chunk_index: number; chunk_relative_time: number };
type Told = { evidence: { frames: StoredFrame[] } };

/** Evidence pictures of live events: drawn from their segment when their signed URL is fetched. */
export function createLivePictures({ database, engine, files, secrets, publicUrl }: PicturesDeps) {
  const { db } = database;
  const drawn = new LRUCache<string, Promise<Buffer>>({ max: KEPT });

  async function draw(sessionId: string, eventId: string, index: number): Promise<Buffer> {
    const [session, event] = await Promise.all([findSession(db, sessionId), findEvent(db, sessionId, eventId)]);
    const frame = (event?.data as Told | undefined)?.evidence.frames[index];
    const [segment] = session && frame ? await segmentsFrom(db, sessionId, frame.chunk_index, 1) : [];
    if (!session || !frame || !segment) throw problems.live_picture_unknown();
    await using file = await files.of(session, segment);
    return await engine.draw(file.path, { timeS: frame.chunk_relative_time, boxes: frame.boxes });
  }

  return {
    /** What adds the URLs of its pictures to an event of the session; they hold for a day. */
    signer(sessionId: string): <Event extends object>(event: Event & { event_id: string }) => Event {
      const until = Math.ceil((Date.now() / 1000 + HOLDS_S) / ROUNDED_S) * ROUNDED_S;
      const token = secrets.sign(PURPOSE, sessionId, new Date(until * 1000));
      return (event) => {
        const { evidence } = event as unknown as Partial<Told>;
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
     * The picture `<event>-<number>.jpg`. Throws `live_url_expired`, `live_url_invalid` (403), `live_picture_unknown` or `live_gone` (404).
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
        ...{ size: bytes.length, modified: new Date(0), etag: `${sessionId}-${name}`, contentType: 'image/jpeg' },
        open: async ({ start, end }) => Readable.from([bytes.subarray(start, end + 1)]),
      };
    },
  };
}
