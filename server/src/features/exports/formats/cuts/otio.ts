import { rounded } from '#platform/numbers';
import type { EventSource, ExportedEvent } from '../../types.ts';
import { writeJsonList } from '../table.ts';
import { rateOf, toFrame, toFrames } from './frame-rate.ts';

const NO_EFFECTS = { effects: [], markers: [], enabled: true };

/** A cut of all events, one clip each, as an OpenTimelineIO timeline. Media are referenced by the names of videos. */
export async function* writeOtio(events: EventSource): AsyncGenerator<string> {
  const track = { OTIO_SCHEMA: 'Track.1', name: 'Events', kind: 'Video', source_range: null, ...NO_EFFECTS };
  const stack = { OTIO_SCHEMA: 'Stack.1', name: 'tracks', source_range: null, ...NO_EFFECTS, metadata: {} };
  const timeline = { OTIO_SCHEMA: 'Timeline.1', name: 'Events', global_start_time: null, metadata: {} };
  const opened = (object: object, field: string) => `${JSON.stringify(object).slice(0, -1)},"${field}":`;
  const head = `${opened(timeline, 'tracks')}${opened(stack, 'children')}[${opened({ ...track, metadata: {} }, 'children')}[`;
  yield* writeJsonList(head, events, (event) => JSON.stringify(toClip(event)), '\n]}]}}\n');
}

function toClip(event: ExportedEvent): object {
  const rate = rateOf(event);
  const perSecond = rate.frames / rate.seconds;
  const time = (value: number) => ({ OTIO_SCHEMA: 'RationalTime.1', rate: perSecond, value });
  const range = (start: number, count: number) => ({
    OTIO_SCHEMA: 'TimeRange.1',
    start_time: time(start),
    duration: time(count),
  });
  const { start, count } = toFrames(event, rate);
  const media = {
    OTIO_SCHEMA: 'ExternalReference.1',
    name: event.videoName,
    target_url: encodeURIComponent(event.videoName),
    available_range: event.durationS === null ? null : range(0, toFrame(event.durationS, rate)),
    metadata: { sightline: { video_id: event.videoId } },
  };
  const { eventId, query, type, severity, approval, startAt, endAt, url } = event;
  const confidence = rounded(event.confidence);
  const facts = {
    event_id: eventId,
    query,
    type,
    severity,
    approval,
    confidence,
    start_at: startAt,
    end_at: endAt,
    url,
  };
  return {
    OTIO_SCHEMA: 'Clip.2',
    name: event.label,
    source_range: range(start, count),
    ...NO_EFFECTS,
    media_references: { DEFAULT_MEDIA: media },
    active_media_reference_key: 'DEFAULT_MEDIA',
    metadata: { sightline: facts },
  };
}
