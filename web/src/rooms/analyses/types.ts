import type { AnalysisDocument, AnalysisEvent } from '@sightline/sdk';
import { statedSeverity } from './severity.ts';

/** The video that the panels belong to. */
export type PanelVideo = { videoId: string; name: string; durationS: number };

/** Properties of the panels beside a video, shared with its player and its timeline. */
export type PanelProps = {
  video: PanelVideo;
  /** The analysis that is shown; undefined: the latest. */
  analysisId: string | undefined;
  selectedEvent: string | undefined;
  onAnalysis: (analysisId: string | undefined) => void;
  /** `timeS`: where the event starts. */
  onSelect: (eventId: string, timeS: number) => void;
  currentTime: () => number;
};

/** An event of an analysis, from its document or from the stream of a question. Times are seconds. */
export type EventItem = {
  id: string;
  label: string;
  type: string;
  why: string;
  startS: number;
  endS: number;
  confidence: number;
  /** Severity that a rule for danger or a person stated; null for others, which the engine rates only to sort them. */
  severity: string | null;
  /** Review state; null if it cannot be reviewed: a candidate, or an event of a running question. */
  approval: string | null;
  caveats: readonly string[];
  /** Result of showing it to a vision-language model again; absent if none was queried. */
  verification?: string;
  /** Path of its image; null while it is not known. */
  image: string | null;
  /** True: found before all of the video was seen, so that it may change or be withdrawn. */
  isPreliminary?: boolean;
};

/** A video of which the first `untilS` seconds were seen for a question. */
export type SeenPart = { untilS: number; durationS: number };

/** A range that was not searched. */
export type UnseenRange = { startS: number; endS: number };

/** Files of the API have the address that the service was configured with; pages load them from their own. */
export function ownAddress(url: string): string {
  const { pathname, search } = new URL(url, window.location.origin);
  return pathname.startsWith('/api/') ? pathname + search : url;
}

const CANDIDATE = /-c\d+$/;

export const fromDocument = (event: AnalysisEvent): EventItem => ({
  id: event.event_id,
  label: event.description,
  type: event.type,
  why: event.aiAnalysis,
  startS: event.start_s,
  endS: event.end_s,
  confidence: event.data.confidence,
  severity: statedSeverity(event),
  approval: CANDIDATE.test(event.event_id) ? null : event.approval,
  caveats: event.caveats,
  verification: event.verification?.status,
  image: event.data.annotated_thumbnail_url ? ownAddress(event.data.annotated_thumbnail_url) : null,
});

type StreamedEvent = Pick<
  AnalysisEvent,
  'type' | 'description' | 'severity' | 'aiAnalysis' | 'caveats' | 'verification' | 'start_s' | 'end_s'
> & { confidence: number };

/** Reads the `finding` of a stream event. Its image is in the document of the analysis. */
export function fromStream(finding: unknown): EventItem {
  const event = finding as { event_id: string } & StreamedEvent;
  return { ...toItem(event), id: event.event_id };
}

/** Reads the `preliminary` of a stream event. */
export function fromPreliminary(preliminary: unknown): EventItem {
  const event = preliminary as { preliminary_id: string } & StreamedEvent;
  return { ...toItem(event), id: event.preliminary_id, isPreliminary: true };
}

function toItem(event: StreamedEvent): Omit<EventItem, 'id'> {
  return {
    label: event.description,
    type: event.type,
    why: event.aiAnalysis,
    startS: event.start_s,
    endS: event.end_s,
    confidence: event.confidence,
    severity: statedSeverity(event),
    approval: null,
    caveats: event.caveats,
    verification: event.verification?.status,
    image: null,
  };
}

/** Ranges outside the part of the video that the prompt was about. */
export function unseenRanges(plan: AnalysisDocument['analysis']['plan'], durationS: number): UnseenRange[] {
  const window = plan?.window;
  if (!window) return [];
  const at = (seconds: number) => Math.min(durationS, Math.max(0, seconds < 0 ? durationS + seconds : seconds));
  const [from, to] = [at(window.from), window.to === null ? durationS : at(window.to)];
  return [
    { startS: 0, endS: from },
    { startS: to, endS: durationS },
  ].filter(({ startS, endS }) => endS > startS);
}
