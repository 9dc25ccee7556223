import type { Approval, EventFilter } from '#features/analyses/index';
import type { LocalFile } from '#platform/storage/index';

/** Filters of an export, as those of lists of events. */
export type ExportFilter = Omit<EventFilter, 'toReview' | 'assigned' | 'videoId'>;

/** A box in fractions of the frame, origin top left. */
export type ExportedBox = { x: number; y: number; width: number; height: number; label: string | null };

/** An evidence frame of an event. `at`: when it was recorded, as for the event. */
export type ExportedFrame = { timeS: number; at: string | null; role: string; boxes: readonly ExportedBox[] };

/** An event with its video and its evidence. Times are seconds from the first frame. */
export type ExportedEvent = {
  eventId: string;
  analysisId: string;
  batchId: string | null;
  videoId: string;
  videoName: string;
  folderName: string | null;
  /** Duration of the video in seconds; null if unknown. */
  durationS: number | null;
  /** Pixels; null if unknown. */
  width: number | null;
  height: number | null;
  frameRate: number | null;
  query: string;
  type: string;
  label: string;
  severity: string;
  confidence: number;
  approval: Approval;
  reason: string | null;
  note: string | null;
  added: boolean;
  startS: number;
  endS: number;
  /** When it was recorded, ISO 8601, UTC; null if that is unknown. */
  startAt: string | null;
  endAt: string | null;
  /** Time zone of the place; null if it is unknown. */
  timeZone: string | null;
  /** Shared by all events that show the same incident; null until it is computed. */
  incidentId: string | null;
  explanation: string;
  caveats: readonly string[];
  frames: readonly ExportedFrame[];
  /** Position at the start and at the end, in degrees; null without telemetry. */
  position: { start: [lon: number, lat: number]; end: [lon: number, lat: number] } | null;
  /** Address of the event in the console. */
  url: string;
  /** ISO 8601, UTC. */
  createdAt: string;
};

/**
 * All events of an export, ordered by video, then by start. Each call reads them again, in the same order.
 */
export type EventSource = () => AsyncIterable<ExportedEvent>;

/** Frames per second, and their size in pixels, which is even. */
export type EpisodeForm = { fps: number; width: number; height: number };
export type Episode = { path: string; frames: number; pixels: PixelStatistics } & AsyncDisposable;

/** Red, green and blue, each 0 to 1. */
export type ChannelValues = [red: number, green: number, blue: number];
export type PixelStatistics = Record<'min' | 'max' | 'mean' | 'std', ChannelValues>;

/** Images and clips of events, rendered while an export is written. */
export interface ExportMedia {
  /** An evidence frame with its boxes as JPEG; null if the video was deleted or cannot be decoded there. */
  image(event: ExportedEvent, frame: ExportedFrame, maxSide?: number): Promise<Buffer | null>;
  /** The event with a second before and after it, as MP4; null as for images. */
  clip(event: ExportedEvent): Promise<LocalFile | null>;
  /**
   * The event at a constant frame rate without sound, as MP4; of events of more than a minute the beginning. Null as
   * for images. Dispose it before the next one is requested.
   */
  episode(event: ExportedEvent, form: EpisodeForm): Promise<Episode | null>;
  /**
   * All events one after the other with captions, as one MP4. Returns its path. Throws `export_empty` (409) if no event
   * has a video any more.
   */
  recap(events: EventSource): Promise<string>;
}

/** Writes a file from events, in pieces. Memory does not grow with the number of events. */
export type FormatWriter = (events: EventSource, media: ExportMedia) => AsyncIterable<string | Uint8Array>;
