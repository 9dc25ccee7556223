import { readSubtitles } from './dji.ts';
import type { Telemetry } from './observation.ts';
import { createTelemetry, hasMeasure, MEASURES, type TelemetrySample } from './samples.ts';
import { type ColumnMeaning, interpretColumn } from './units.ts';

/** Telemetry of a file beside a video, or the reason why it has none. */
export type SidecarReading = { telemetry: Telemetry } | { unusable: string };

/** Names of an object's rows. */
const ROW_NAMES = ['data', 'samples', 'records', 'rows', 'points', 'frames', 'telemetry', 'values', 'entries'];
const START_NAMES = ['start_time', 'startTime', 'video_start', 'videoStart', 'start'];
/** Maximum number of reported columns with unknown units. */
const MAX_NOTES = 5;
/** Seconds from which a number is a date (1973 or later), not a time in a video. */
const EPOCH_S = 1e8;

type Cells = Record<string, unknown>;
type Table = { rows: Cells[]; units: Record<string, string>; start: unknown };

/**
 * Reads a file that was recorded beside a video: JSON (rows as objects, rows as arrays in the order of `fields`, or one
 * array per column), CSV with a header line, or DJI's subtitles. Times are seconds from the video's first frame, or
 * dates; the first date or `start_time` is the first frame.
 */
export function readSidecar(bytes: Uint8Array): SidecarReading {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  } catch {
    return { unusable: 'it is not UTF-8 text' };
  }
  if (/^[[{]/.test(text)) return readJson(text);
  // Subtitles start with the number of their first caption on its own line.
  if (/^\d+\s*(\n|$)/.test(text)) {
    const telemetry = createTelemetry('sidecar subtitles', readSubtitles(text));
    return telemetry ? { telemetry } : { unusable: 'its captions have no position and no speed' };
  }
  return readTable('sidecar CSV', csvTable(text));
}

/** Describes a sidecar for its uploader: number, time range and measures of the samples, or why it cannot be used. */
export function describeSidecar(bytes: Uint8Array) {
  const reading = readSidecar(bytes);
  if ('unusable' in reading) return reading;
  const { timeS, notes } = reading.telemetry;
  const columns = MEASURES.filter((name) => hasMeasure(reading.telemetry, name));
  return { samples: timeS.length, start_s: timeS[0]!, end_s: timeS.at(-1)!, measures: columns, notes };
}

function readJson(text: string): SidecarReading {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return { unusable: 'it is not valid JSON' };
  }
  const table = jsonTable(content);
  if (!table) return { unusable: 'it has no rows of measurements' };
  // Telemetry of a recording states its source.
  const { recording } = content as Cells;
  if (!isCells(recording)) return readTable('sidecar JSON', table);
  const reading = readTable(`recording: ${recording.source}`, table, readNotes(recording.notes));
  if ('telemetry' in reading && recording.blank === true) reading.telemetry.blank = true;
  return reading;
}

/** Limits stated in the file. */
const readNotes = (notes: unknown): string[] =>
  Array.isArray(notes) ? notes.filter((note) => typeof note === 'string').slice(0, MAX_NOTES) : [];

function readTable(source: string, { rows, units, start }: Table, stated: readonly string[] = []): SidecarReading {
  const names = [...new Set(rows.slice(0, 100).flatMap(Object.keys))];
  const notes = [...stated];
  const columns = new Map<string, ColumnMeaning>();
  for (const name of names) {
    const meaning = interpretColumn(name, units[name]);
    if (typeof meaning === 'string') {
      if (notes.length < MAX_NOTES) notes.push(meaning);
    }
    // The first of several columns with the same meaning counts.
    else if (meaning && ![...columns.values()].some((known) => known.measure === meaning.measure))
      columns.set(name, meaning);
  }
  const [timeName, time] = [...columns].find(([, { measure }]) => measure === 'timeS') ?? [];
  if (timeName === undefined || time === undefined)
    return { unusable: `none of its columns (${joinNames(names)}) is a time` };
  const lacksUnit = [...columns.values()].some(({ measure, stated }) => measure === 'speedMps' && !stated);
  if (lacksUnit) notes.push('the speed has no unit; m/s is assumed');

  const times = rows.map((row) => toSeconds(row[timeName], time));
  const dated = times.some((t) => t > EPOCH_S);
  const first = start === undefined ? Number.NaN : toSeconds(start, { measure: 'timeS', factor: 1, stated: false });
  const origin = dated
    ? first > EPOCH_S
      ? first
      : times.reduce((a, b) => (b < a ? b : a), Number.POSITIVE_INFINITY)
    : 0;
  if (dated && !(first > EPOCH_S)) notes.push("the first row is assumed to be the video's first frame");
  const measured = [...columns].filter(([, { measure }]) => measure !== 'timeS');
  const samples = rows.map((row, i): TelemetrySample => {
    const cells = measured.map(([name, { measure, factor }]) => [measure, toNumber(row[name]) * factor]);
    return { timeS: times[i]! - origin, ...Object.fromEntries(cells) };
  });
  const telemetry = createTelemetry(source, samples, notes);
  if (!telemetry) return { unusable: `none of its columns (${joinNames(names)}) is a speed, a rate or a position` };
  if (hasMeasure(telemetry, 'yawRateDps') && columns.values().some(({ measure }) => measure === 'yawRateDps'))
    telemetry.notes.push('positive yaw rates are assumed to turn left (ISO 8855)');
  return { telemetry };
}

const joinNames = (names: readonly string[]) =>
  names
    .slice(0, 12)
    .map((name) => name.slice(0, 40))
    .join(', ') || 'none';

/** Converts a time to seconds; from `EPOCH_S` on since 1970. NaN for other values. */
function toSeconds(value: unknown, { factor, stated }: ColumnMeaning): number {
  const number = toNumber(value);
  if (!Number.isNaN(number)) {
    if (stated) return number * factor;
    // Dates in seconds, milliseconds, microseconds and nanoseconds differ by magnitude.
    const scale = [1e18, 1e15, 1e12].findIndex((each) => number >= each / 10);
    return scale < 0 ? number : number / [1e9, 1e6, 1e3][scale]!;
  }
  if (typeof value !== 'string') return Number.NaN;
  const clock = /^(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)$/.exec(value.trim());
  if (clock) return Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3]);
  const date = value.trim().replace(' ', 'T');
  // Without a zone it would be in the server's zone.
  return Date.parse(/([zZ]|[+-]\d\d:?\d\d)$/.test(date) ? date : `${date}Z`) / 1000;
}

function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

function jsonTable(content: unknown): Table | null {
  if (Array.isArray(content)) return { rows: toRows(content, []), units: {}, start: undefined };
  const object = content as Cells;
  const fields = Array.isArray(object.fields) ? object.fields.filter(isCells) : [];
  const names = fields.map(({ name }) => String(name));
  const units = Object.fromEntries(
    fields.flatMap(({ name, unit }) => (typeof unit === 'string' ? [[String(name), unit]] : [])),
  );
  const start = START_NAMES.map((name) => object[name]).find((value) => value !== undefined);
  const list = ROW_NAMES.map((name) => object[name]).find(Array.isArray);
  if (list) return { rows: toRows(list, names), units, start };
  const columns = Object.entries(ROW_NAMES.map((name) => object[name]).find(isCells) ?? object).filter(
    ([name, values]) => name !== 'fields' && Array.isArray(values),
  ) as [string, unknown[]][];
  const length = Math.max(0, ...columns.map(([, values]) => values.length));
  if (length === 0) return null;
  const rows = Array.from({ length }, (_, i) => Object.fromEntries(columns.map(([name, values]) => [name, values[i]])));
  return { rows, units, start };
}

/** Converts rows to objects; nested values are named `outer_inner`. */
function toRows(list: readonly unknown[], names: readonly string[]): Cells[] {
  return list.flatMap((row): Cells[] => {
    if (Array.isArray(row)) return [Object.fromEntries(names.map((name, i) => [name, row[i]]))];
    if (!isCells(row)) return [];
    const cells = Object.entries(row).flatMap(([name, value]) =>
      isCells(value) ? Object.entries(value).map(([inner, deep]) => [`${name}_${inner}`, deep]) : [[name, value]],
    );
    return [Object.fromEntries(cells)];
  });
}

const isCells = (value: unknown): value is Cells =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function csvTable(text: string): Table {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const separator = [',', ';', '\t'].find((each) => lines[0]?.includes(each)) ?? ',';
  const cells = (line: string) => line.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
  const [header = '', ...rest] = lines;
  const names = cells(header);
  const rows = rest.map((line) => {
    const values = cells(line);
    return Object.fromEntries(names.map((name, i) => [name, values[i]]));
  });
  return { rows, units: {}, start: undefined };
}
