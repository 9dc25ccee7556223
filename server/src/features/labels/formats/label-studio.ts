import type { LabelTime, ParsedLabels } from '../types.ts';
import { createCollector, type LabelCollector } from './collector.ts';
import { frameOf, type JsonObject, listOf, numberOf, objectOf, textsOf } from './json.ts';
import { toVisibleRanges } from './visible-ranges.ts';

/**
 * Label Studio's JSON: tasks with annotations. Labels of the timeline, of audio regions and of tracked boxes are read;
 * other results, canceled annotations and predictions are skipped.
 */
export function parseLabelStudio(root: unknown): ParsedLabels {
  const collector = createCollector();
  if (!Array.isArray(root)) {
    collector.fail('file', 'A Label Studio file is a list of tasks. Export it as JSON.');
    return collector;
  }
  for (const [index, value] of root.entries()) {
    const { data, annotations, predictions, file_upload } = objectOf(value);
    if (!Array.isArray(annotations)) {
      collector.fail(`[${index}]`, 'The task has no list `annotations`. Export it as JSON, not as JSON-MIN.');
      continue;
    }
    if (annotations.length === 0) collector.skip(listOf(predictions).length);
    const task = { ...readTask(objectOf(data), file_upload), location: `[${index}]` };
    for (const [at, annotation] of annotations.entries()) {
      if (!addAnnotation(collector, task, objectOf(annotation), at)) return collector;
    }
  }
  return collector;
}

type Task = { location: string; videos: string[]; exact?: { startS: number; endS: number }; severity: unknown };

function readTask(data: JsonObject, upload: unknown): Omit<Task, 'location'> {
  const files = textsOf(data.video, data.video_url, data.audio, upload).flatMap(toFileNames);
  const [startS, endS] = [numberOf(data.start_s), numberOf(data.end_s)];
  const isExported = typeof data.event_id === 'string' && startS !== null && endS !== null;
  return {
    videos: [...textsOf(data.video_id), ...files.slice(0, 1), ...textsOf(data.video_name), ...files.slice(1)],
    severity: data.severity,
    ...(isExported && { exact: { startS, endS } }),
  };
}

/** The name as it is, that of a file in a path or URL, and without what an upload writes before it. */
function toFileNames(path: string): string[] {
  const file = path.split(/[?#]/, 1)[0]!.split(/[\\/]/).at(-1)!;
  const decoded = decode(file);
  return [path, decoded, decoded.replace(/^[0-9a-f]{8}-/, '')];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function addAnnotation(
  collector: LabelCollector,
  { location, videos, exact, severity }: Task,
  { was_cancelled: isCanceled, result }: JsonObject,
  at: number,
): boolean {
  if (isCanceled === true) {
    collector.skip();
    return true;
  }
  for (const [index, each] of listOf(result).entries()) {
    const place = `${location}.annotations[${at}].result[${index}]`;
    const { type, value, id } = objectOf(each);
    const region = objectOf(value);
    const read = READERS.get(type);
    const times = read?.(region, exact) ?? null;
    if (!read) collector.skip();
    else if (!times) collector.fail(place, 'Its times are missing or not numbers.');
    else {
      const labels = listOf(region.timelinelabels ?? region.labels);
      if (labels.length === 0) collector.fail(place, 'The label is missing.');
      for (const label of labels) {
        for (const when of times) {
          const track = type === 'videorectangle' ? id : null;
          if (!collector.add({ location: place, videos, when, label, severity, track })) return false;
        }
      }
    }
  }
  return true;
}

type TimesReader = (value: JsonObject, exact: Task['exact']) => LabelTime[] | null;

const readTimeline: TimesReader = (value, exact) => {
  const ranges = listOf(value.ranges).map((range) => {
    const [start, end] = [frameOf(objectOf(range).start), frameOf(objectOf(range).end)];
    if (!start || !end || end < start) return null;
    return { startFrame: start - 1, endFrame: end - 1, ...(exact && { exact }) };
  });
  return ranges.length === 0 || ranges.includes(null) ? null : (ranges as LabelTime[]);
};

const readRegion: TimesReader = ({ start, end }) => {
  const [startS, endS] = [numberOf(start), numberOf(end)];
  return startS === null || endS === null ? null : [{ startS, endS }];
};

const readTrack: TimesReader = ({ sequence }) => {
  const shapes = listOf(sequence).map((each) => {
    const { frame, enabled } = objectOf(each);
    return { frame: frameOf(frame), isVisible: enabled !== false };
  });
  if (shapes.length === 0 || shapes.some(({ frame }) => !frame)) return null;
  return toVisibleRanges(shapes.map(({ frame, isVisible }) => ({ frame: frame! - 1, isVisible })));
};

/** The times of a result by its type; null if they are not valid. Frames count from 1. */
const READERS = new Map<unknown, TimesReader>([
  ['timelinelabels', readTimeline],
  ['labels', readRegion],
  ['videorectangle', readTrack],
]);
