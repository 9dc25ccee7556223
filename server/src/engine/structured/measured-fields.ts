import { round } from '../find/index.ts';
import type { VideoEvent } from '../types.ts';
import { toTimeRange } from './time-range.ts';
import type { FieldValue, OutputField } from './types.ts';

/** The subject of a field: an event, or the video with all of its events. */
export type FieldSubject = {
  event: VideoEvent | null;
  events: readonly VideoEvent[];
  /** Length of the video in seconds. */
  durationS: number;
};

type Measure = (subject: FieldSubject) => FieldValue | FieldValue[] | null;

const MPS = { mps: 1, kmh: 3.6, kph: 3.6, mph: 2.236936 } as const;

/** Speed at the start of the event, from telemetry. */
const speedIn =
  (factor: number): Measure =>
  ({ event }) => {
    const speed = event?.overlay?.speed_mps?.start;
    return speed === undefined ? null : round(speed * factor, 2);
  };

const lengthS: Measure = ({ event, durationS }) => round(event ? event.endS - event.startS : durationS, 3);
const startS: Measure = ({ event, events }) => rounded((event ?? events[0])?.startS);
const endS: Measure = ({ event, events }) => rounded((event ?? events.at(-1))?.endS);
/** Objects of the event, or events of the video. */
const count: Measure = ({ event, events }) => (event ? event.evidence.tracks.length || null : events.length);
const confidence: Measure = ({ event, events }) => {
  const all = event ? [event] : events;
  return all.length === 0 ? null : Math.max(...all.map((each) => each.confidence));
};
const rounded = (value: number | undefined) => (value === undefined ? null : round(value, 3));

/** Numbers by the name of the field, without underscores. */
const NUMBERS: Record<string, Measure> = {
  duration: lengthS,
  durations: lengthS,
  durationseconds: lengthS,
  lengths: lengthS,
  lengthseconds: lengthS,
  start: startS,
  starts: startS,
  startseconds: startS,
  starttime: startS,
  timestamp: startS,
  end: endS,
  ends: endS,
  endseconds: endS,
  endtime: endS,
  count,
  eventcount: count,
  objectcount: count,
  numberofobjects: count,
  confidence,
  score: confidence,
  speed: speedIn(MPS.mps),
  ...Object.fromEntries(Object.entries(MPS).map(([unit, factor]) => [`speed${unit}`, speedIn(factor)])),
};

/** Texts of an event by the name of the field. */
const TEXTS: Record<string, (event: VideoEvent) => string> = {
  label: ({ label }) => label,
  description: ({ label }) => label,
  event: ({ label }) => label,
  category: ({ category }) => category,
  type: ({ category }) => category,
  severity: ({ severity }) => severity,
  explanation: ({ explanation }) => explanation,
  reason: ({ explanation }) => explanation,
  evidence: ({ explanation }) => explanation,
};

/** The value of a field that measurements fill by its type or name; null if they do not. */
export function measureField(field: OutputField, subject: FieldSubject): FieldValue | FieldValue[] | null {
  const { event, events } = subject;
  const key = field.name.replaceAll('_', '');
  switch (field.type) {
    case 'time_range': {
      const ranges = (event ? [event] : events).map(toTimeRange);
      return ranges.length > 0 || field.repeated ? ranges : null;
    }
    case 'number':
      return Object.hasOwn(NUMBERS, key) ? NUMBERS[key]!(subject) : null;
    case 'text':
      return event && Object.hasOwn(TEXTS, key) ? TEXTS[key]!(event) : null;
    case 'enum':
      return measureEnum(field, event);
    case 'boolean':
      return null;
  }
}

/** An enum with the name and values of a text of the event, such as its severity; or the color of its objects. */
function measureEnum({ name, values }: OutputField, event: VideoEvent | null): string | string[] | null {
  if (!event) return null;
  const known = values!.map((value) => value.toLowerCase());
  const key = name.replaceAll('_', '');
  if (key === 'severity' || key === 'category' || key === 'type') {
    const at = known.indexOf(TEXTS[key]!(event));
    return at < 0 ? null : values![at]!;
  }
  const colors = event.evidence.tracks.flatMap(({ color }) => (color === null ? [] : color));
  const at = key.includes('color') || key.includes('colour') ? known.indexOf(colors[0] ?? '') : -1;
  return at < 0 ? null : values![at]!;
}
