import { rounded } from '#platform/numbers';
import type { EventSource, ExportedEvent } from '../types.ts';
import { writeJsonList } from './table.ts';

/** Events of recordings with positions: a line from the start to the end of each, or a point. */
export const writeGeoJson = (events: EventSource): AsyncGenerator<string> =>
  writeJsonList('{"type":"FeatureCollection","features":[', events, toFeature, '\n]}\n');

function toFeature(event: ExportedEvent): string | null {
  if (!event.position) return null;
  const { start, end } = event.position;
  const isPoint = start[0] === end[0] && start[1] === end[1];
  const geometry = isPoint ? { type: 'Point', coordinates: start } : { type: 'LineString', coordinates: [start, end] };
  const properties = {
    event_id: event.eventId,
    video_id: event.videoId,
    video_name: event.videoName,
    label: event.label,
    type: event.type,
    severity: event.severity,
    confidence: rounded(event.confidence),
    approval: event.approval,
    start_s: event.startS,
    end_s: event.endS,
    start_at: event.startAt,
    end_at: event.endAt,
    url: event.url,
  };
  return JSON.stringify({ type: 'Feature', id: event.eventId, geometry, properties });
}
