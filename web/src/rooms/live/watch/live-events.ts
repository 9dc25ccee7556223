import type { LiveSession } from '@sightline/sdk';
import type { BoxTrack } from '#player/stage/boxes.ts';
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
  /** Frames that show it, with its boxes, by time. */
  frames: readonly EvidenceFrame[];
  /** Time of the frame that shows it best. */
  bestS: number;
};

type EvidenceFrame = { timeS: number; boxes: readonly SentBox[] };
/** Corner and size in fractions of the frame. */
type SentBox = { x: number; y: number; width: number; height: number; label: string };

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
  evidence?: { frames: { role: string; time_s: number; boxes: SentBox[] }[] };
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
      frames: (event.evidence?.frames ?? [])
        .map(({ time_s: timeS, boxes }) => ({ timeS, boxes }))
        .sort((a, b) => a.timeS - b.timeS),
      bestS: event.evidence?.frames.find(({ role }) => role === 'best')?.time_s ?? event.start_s,
      image: event.annotated_thumbnail_url ? ownAddress(event.annotated_thumbnail_url) : null,
    }))
    .sort((a, b) => b.startS - a.startS);

/** The boxes of events where they are known: in the frames of their evidence. Each part of a question has its color. */
export function evidenceTracks(events: readonly LiveEventItem[]): BoxTrack[] {
  const searches = [...new Set(events.toSorted((a, b) => a.startS - b.startS).map(({ search }) => search))];
  return events.flatMap(({ id, search, confidence, frames }) => {
    const count = Math.max(0, ...frames.map(({ boxes }) => boxes.length));
    const color = (searches.indexOf(search) % 6) + 1;
    return Array.from({ length: count }, (_, index) => {
      const shown = frames.flatMap(({ timeS, boxes }) => {
        const box = boxes[index];
        return box ? [{ time: timeS, ...box, confidence }] : [];
      });
      // Labels of evidence state the score of the detector; the box shows that of the event.
      const label = shown[0]!.label.replace(/ [\d.]+%?$/, '');
      return { id: `${id}-${index}`, label, color, points: shown };
    });
  });
}
