import type { Database } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import type { LiveEvidence } from '../analysis/index.ts';
import { findLayout, listRecentEvents, type RecentEvent, saveLayout } from './store.ts';
import type { WallLayout } from './types.ts';

const DEFAULT_LAYOUT: WallLayout = { size: 4, streamIds: [] };

/** The wall of the console: the layout of each user, and the latest events of all running sessions. */
export function createWall({ db }: Database) {
  return {
    layout: async ({ userId }: Caller): Promise<WallLayout> => (await findLayout(db, userId)) ?? DEFAULT_LAYOUT,

    /** Replaces the layout of the caller. */
    async arrange({ userId }: Caller, layout: WallLayout): Promise<WallLayout> {
      await saveLayout(db, userId, layout);
      return layout;
    },

    /** The latest found events of running sessions that the caller may read, newest first. */
    recentEvents: (caller: Caller, limit: number): Promise<RecentEvent[]> => listRecentEvents(db, caller, limit),
  };
}

/** Events of several sessions, with signed URLs of their images. */
export function toRecentEvents(events: readonly RecentEvent[], images: LiveEvidence) {
  const signers = new Map(events.map(({ sessionId }) => [sessionId, images.signer(sessionId)]));
  return {
    currentTime: new Date(),
    events: events.map(({ id, sessionId, streamId, videoId, sessionName, streamS, capturedAt, createdAt, data }) => {
      const signed: { annotated_thumbnail_url?: string } = signers.get(sessionId)!({ ...data, event_id: id });
      return {
        eventId: id,
        sessionId,
        streamId,
        videoId,
        sessionName,
        label: String(data.label),
        severity: String(data.severity),
        confidence: Number(data.confidence),
        ongoing: data.ongoing === true,
        streamTime: streamS,
        startAt: capturedAt,
        createdAt,
        imageUrl: signed.annotated_thumbnail_url ?? null,
      };
    }),
  };
}
