import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { rounded } from '#platform/numbers';
import type { EventSource, ExportedBox, ExportedEvent } from '../types.ts';
import { writeArchive } from './archive.ts';
import { sizeOf } from './boxes/frame-size.ts';
import { rateOf, toFrame, toFrames } from './cuts/frame-rate.ts';

/** Classes of Voxel51's library, by which its reader finds the code for each object. */
const DATASET = 'eta.core.datasets.labeled_datasets.LabeledVideoDataset';
const EVENT = 'eta.core.events.VideoEvent';
const OBJECT = 'eta.core.objects.DetectedObject';

/**
 * A ZIP archive that FiftyOne imports as `FiftyOneVideoLabelsDataset`: events as temporal detections, boxes of evidence
 * frames as detections of those frames. Videos are referenced as `data/{video_id}`, with the extension of their names.
 * Reads the events twice. In memory are the boxes of one video at a time.
 */
export const writeFiftyOne = (events: EventSource): AsyncGenerator<Uint8Array> =>
  writeArchive(async (archive) => {
    await archive.stream('manifest.json', Readable.from(writeManifest(events)));
    for await (const { videoId, events: own } of byVideo(events)) {
      await archive.stream(`labels/${videoId}.json`, Readable.from(writeLabels(own)));
    }
  });

/** Consecutive events of each video. The events of one are read before the next one is requested. */
async function* byVideo(
  events: EventSource,
): AsyncGenerator<{ videoId: string; events: AsyncGenerator<ExportedEvent> }> {
  const reader = events()[Symbol.asyncIterator]();
  let next = await reader.next();
  async function* eventsOf(videoId: string): AsyncGenerator<ExportedEvent> {
    while (!next.done && next.value.videoId === videoId) {
      yield next.value;
      next = await reader.next();
    }
  }
  try {
    while (!next.done) {
      const { videoId } = next.value;
      yield { videoId, events: eventsOf(videoId) };
    }
  } finally {
    await reader.return?.();
  }
}

async function* writeManifest(events: EventSource): AsyncGenerator<string> {
  yield `{"type":"${DATASET}","description":"Events","index":[`;
  let last: string | null = null;
  for await (const { videoId, videoName } of events()) {
    if (videoId === last) continue;
    const record = { data: `data/${videoId}${extname(videoName) || '.mp4'}`, labels: `labels/${videoId}.json` };
    yield `${last === null ? '' : ','}\n${JSON.stringify(record)}`;
    last = videoId;
  }
  yield '\n]}\n';
}

/** The labels of a video. Frames count from 1. */
async function* writeLabels(events: AsyncIterable<ExportedEvent>): AsyncGenerator<string> {
  const objects = new Map<number, string[]>();
  let separator = '';
  for await (const event of events) {
    if (separator === '') yield `{"metadata":${JSON.stringify(toMetadata(event))},\n"events":{"events":[`;
    yield `${separator}\n${JSON.stringify(toEvent(event))}`;
    separator = ',';
    for (const { timeS, boxes } of event.frames) {
      const frame = toFrame(timeS, rateOf(event)) + 1;
      const found = boxes.map((box) => JSON.stringify(toObject(event, box)));
      if (found.length > 0) objects.set(frame, [...(objects.get(frame) ?? []), ...found]);
    }
  }
  yield '\n]},\n"frames":{';
  separator = '';
  for (const [frame, found] of objects) {
    yield `${separator}\n"${frame}":{"frame_number":${frame},"objects":{"objects":[${found.join()}]}}`;
    separator = ',';
  }
  yield '\n}}\n';
}

function toMetadata(event: ExportedEvent): object {
  const rate = rateOf(event);
  const { width, height } = sizeOf(event);
  const duration = event.durationS;
  const count = duration === null ? {} : { duration, total_frame_count: toFrame(duration, rate) };
  return { frame_size: [width, height], frame_rate: rate.frames / rate.seconds, ...count };
}

function toEvent(event: ExportedEvent): object {
  const { start, count } = toFrames(event, rateOf(event));
  return {
    type: EVENT,
    label: event.label,
    confidence: rounded(event.confidence),
    tags: [event.approval],
    support: { ranges: `${start + 1}-${start + count}` },
    attrs: toAttributes({
      event_id: event.eventId,
      event_type: event.type,
      severity: event.severity,
      query: event.query,
      reason: event.reason,
      note: event.note,
      explanation: event.explanation,
      url: event.url,
      start_s: event.startS,
      start_at: event.startAt,
      end_at: event.endAt,
      end_s: event.endS,
      added: event.added,
    }),
  };
}

function toObject(event: ExportedEvent, { x, y, width, height, label }: ExportedBox): object {
  const corner = (left: number, top: number) => ({ x: rounded(left), y: rounded(top) });
  return {
    type: OBJECT,
    label: label ?? event.type,
    tags: [event.approval],
    bounding_box: { top_left: corner(x, y), bottom_right: corner(x + width, y + height) },
    attrs: toAttributes({ event_id: event.eventId, event: event.label }),
  };
}

const KINDS = { string: 'Categorical', number: 'Numeric', boolean: 'Boolean' } as const;

/** Attributes with a value. */
function toAttributes(values: Record<string, string | number | boolean | null>): object {
  const attrs = Object.entries(values).flatMap(([name, value]) =>
    value === null || value === ''
      ? []
      : [{ type: `eta.core.data.${KINDS[typeof value as keyof typeof KINDS]}Attribute`, name, value }],
  );
  return { attrs };
}
