import type { LiveSession } from '@sightline/sdk';
import { ownAddress } from '#rooms/analyses/types.ts';

/** An event of a running session. Times are seconds from its first frame. */
export type LiveEventItem = {
  id: string;
  label: string;
  /** The part of the question that it was found for. */
  search: string;
  why: string;
  startS: number;
  endS: number;
  confidence: number;
  caveats: readonly string[];
  isOngoing: boolean;
  /** Capture time of its start in milliseconds since 1970. */
  capturedMs: number;
  image: string | null;
};

type Sent = {
  event_id: string;
  label: string;
  query?: string;
  aiAnalysis?: string;
  start_s: number;
  end_s: number;
  confidence: number;
  caveats?: string[];
  ongoing: boolean;
  capture_time: string;
  annotated_thumbnail_url?: string;
};

/** The events of a session, newest first. */
export const liveEvents = ({ events }: LiveSession): LiveEventItem[] =>
  (events as unknown as Sent[])
    .map((event) => ({
      id: event.event_id,
      label: event.label,
      search: event.query ?? event.label,
      why: event.aiAnalysis ?? '',
      startS: event.start_s,
      endS: event.end_s,
      confidence: event.confidence,
      caveats: event.caveats ?? [],
      isOngoing: event.ongoing,
      capturedMs: Date.parse(event.capture_time),
      image: event.annotated_thumbnail_url ? ownAddress(event.annotated_thumbnail_url) : null,
    }))
    .sort((a, b) => b.startS - a.startS);
