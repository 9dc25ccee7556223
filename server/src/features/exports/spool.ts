import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { EventWithDocument } from '#features/analyses/index';
import type { EventSource, ExportedBox, ExportedEvent } from './types.ts';

type StoredFrame = { time_s: number; role?: string; boxes?: (Omit<ExportedBox, 'label'> & { label?: string })[] };
/** The parts of a stored event that are exported. */
type StoredParts = {
  aiAnalysis?: string;
  caveats?: string[];
  review?: { reason: string | null; note: string | null; added: boolean };
  data: { evidence?: { frames?: StoredFrame[] } } & Record<string, unknown>;
};

/**
 * Writes events to a local file, one per line, so that a format can read the same events several times. Replaces the
 * file if it exists. Returns their number.
 */
export async function writeSpool(
  path: string,
  pages: AsyncIterable<EventWithDocument[]>,
  { publicUrl, signal }: { publicUrl: string; signal: AbortSignal },
): Promise<number> {
  await using file = await open(path, 'w');
  let count = 0;
  for await (const page of pages) {
    signal.throwIfAborted();
    await file.write(page.map((event) => `${JSON.stringify(toExported(event, publicUrl))}\n`).join(''));
    count += page.length;
  }
  return count;
}

/** The events of a file that `writeSpool` wrote. */
export const readSpool = (path: string): EventSource =>
  async function* () {
    let rest = '';
    for await (const chunk of createReadStream(path, 'utf8')) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!;
      for (const line of lines) yield JSON.parse(line) as ExportedEvent;
    }
  };

function toExported({ stored, ...event }: EventWithDocument, publicUrl: string): ExportedEvent {
  const { aiAnalysis = '', caveats = [], review, data } = stored as StoredParts;
  const address = { t: String(event.startS), tab: 'events', analysis: event.analysisId, event: event.eventId };
  return {
    eventId: event.eventId,
    analysisId: event.analysisId,
    batchId: event.batchId,
    videoId: event.videoId,
    videoName: event.videoName,
    folderName: event.folderName,
    durationS: event.videoDurationS,
    width: event.width,
    height: event.height,
    frameRate: event.frameRate,
    query: event.query,
    type: event.type,
    label: event.label,
    severity: event.severity,
    confidence: event.confidence,
    approval: event.approval,
    startS: event.startS,
    endS: event.endS,
    startAt: event.startAt?.toISOString() ?? null,
    endAt: event.endAt?.toISOString() ?? null,
    timeZone: event.timeZone,
    incidentId: event.incidentId,
    reason: review?.reason ?? null,
    note: review?.note ?? null,
    added: review?.added ?? false,
    explanation: aiAnalysis,
    caveats,
    frames: (data.evidence?.frames ?? []).map(({ time_s, role = '', boxes = [] }) => ({
      timeS: time_s,
      at: frameAt(event, time_s),
      role,
      boxes: boxes.map(({ label = null, ...box }) => ({ ...box, label })),
    })),
    position: toPosition(data),
    url: `${publicUrl}/videos/${event.videoId}?${new URLSearchParams(address)}`,
    createdAt: event.createdAt.toISOString(),
  };
}

/** When a frame was recorded: the clock runs evenly between the start and the end of an event. */
function frameAt({ startAt, endAt, startS, endS }: Omit<EventWithDocument, 'stored'>, timeS: number): string | null {
  if (!startAt || !endAt) return null;
  const rate = endS > startS ? (endAt.getTime() - startAt.getTime()) / (endS - startS) : 1000;
  return new Date(startAt.getTime() + (timeS - startS) * rate).toISOString();
}

const isDegrees = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

function toPosition(data: Record<string, unknown>): ExportedEvent['position'] {
  const [startLon, startLat] = [data.frame_gps_lon_start, data.frame_gps_lat_start];
  const [endLon, endLat] = [data.frame_gps_lon_end, data.frame_gps_lat_end];
  if (!isDegrees(startLon) || !isDegrees(startLat) || !isDegrees(endLon) || !isDegrees(endLat)) return null;
  return { start: [startLon, startLat], end: [endLon, endLat] };
}
