import { rounded } from '#platform/numbers';
import type { EventSource, ExportedEvent } from '../types.ts';
import { rateOf, toFrame } from './cuts/frame-rate.ts';
import { writeJsonList } from './table.ts';

/** One Label Studio task per event: its interval on the timeline, as a prediction or, once decided, an annotation. */
export const writeLabelStudio = (events: EventSource): AsyncGenerator<string> =>
  writeJsonList('[', events, (event) => JSON.stringify(toTask(event)), '\n]\n');

function toTask(event: ExportedEvent): object {
  const rate = rateOf(event);
  // Label Studio counts frames from 1.
  const range = { start: toFrame(event.startS, rate) + 1, end: toFrame(event.endS, rate) + 1 };
  const result = [
    {
      id: 'event',
      type: 'timelinelabels',
      from_name: 'events',
      to_name: 'video',
      value: { ranges: [range], timelinelabels: [event.label] },
    },
  ];
  const isDecided = event.approval === 'approved' || event.approval === 'rejected';
  return {
    data: {
      video: event.videoId,
      video_name: event.videoName,
      event_id: event.eventId,
      query: event.query,
      start_s: event.startS,
      end_s: event.endS,
      start_at: event.startAt,
      end_at: event.endAt,
      severity: event.severity,
      approval: event.approval,
      url: event.url,
    },
    predictions: isDecided ? [] : [{ model_version: 'sightline', score: rounded(event.confidence), result }],
    annotations: isDecided ? [{ was_cancelled: event.approval === 'rejected', result }] : [],
  };
}
