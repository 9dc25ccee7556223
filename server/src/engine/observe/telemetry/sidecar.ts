import { createTelemetry, MEASURES, measures, type Sample } from './columns.ts';
import { readSubtitles } from './dji.ts';
import type { Telemetry } from './observation.ts';
import { type ColumnMeaning, meaningOf } from './units.ts';

/** What a file beside a video holds: telemetry, or a sentence on why it holds none. */
export type SidecarReading = { telemetry: Telemetry } | { unusable: string };

/** Names under which an object may keep its rows. */
const ROWS = ['data', 'samples', 'records', 'rows', 'points', 'frames', 'telemetry', 'values', 'entries'];
const STARTS = ['start_time', 'startTime', 'video_start', 'videoStart', 'start'];
/** Columns with units that are not known, of which this many are told. */
const MOST_NOTES = 5;
/** A number of seconds beyond this is a date (1973 is the earliest), not a time in a video. */
const EPOCH_S = 1e8;

type Cells = Record<string, unknown>;
type Table = { rows: Cells[]; units: Record<string, string>; start: unknown };

/**
 * Reads a file that was recorded beside a video: JSON (rows as objects, or as arrays in the order of `fields`, or one array per column), CSV with a
 * line of names, or DJI's subtitles. Times are seconds from the video's first frame, or dates; of dates the first, or `start_time`, is the first frame.
 */
export function readSidecar(bytes: Uint8Array): SidecarReading {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  } catch {
    return { unusable: 'it is not text in UTF-8' };
  }
  if (/^[[{]/.test(text)) return readJson(text);
  // Subtitles begin with the number of their first caption, alone on its line.
  if (/^\d+\s*(\n|$)/.test(text)) {
    const telemetry = createTelemetry('sidecar subtitles', readSubtitles(text));
    return telemetry ? { telemetry } : { unusable: 'its captions hold no position and no speed' };
  }
  return readTable('sidecar CSV', csvTable(text));
}

/** What a sidecar will be used for, to tell whoever sends it: how many samples of what, from when to when, or why it is of no use. */
export function describeSidecar(bytes: Uint8Array) {
  const reading = readSidecar(bytes);
  if ('unusable' in reading) return reading;
  const { timeS, notes } = reading.telemetry;
  const columns = MEASURES.filter((name) => measures(reading.telemetry, name));
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
  if (!table) return { unusable: 'it holds no rows of measurements' };
  // What a recording measured says itself where it comes from.
  const { recording } = content as Cells;
  if (!isCells(recording)) return readTable('sidecar JSON', table);
  const reading = readTable(`recording: ${recording.source}`, table, textsOf(recording.notes));
  if ('telemetry' in reading && recording.blank === true) reading.telemetry.blank = true;
  return reading;
}

/** Limits that the file itself tells of. */
const textsOf = (notes: unknown): string[] =>
  Array.isArray(notes) ? notes.filter((note) => typeof note === 'string').slice(0, MOST_NOTES) : [];

function readTable(source: string, { rows, units, start }: Table, told: readonly string[] = []): SidecarReading {
  const names = [...new Set(rows.slice(0, 100).flatMap(Object.keys))];
  const notes = [...told];
  const columns = new Map<string, ColumnMeaning>();
  for (const name of names) {
    const meaning = meaningOf(name, units[name]);
    if (typeof meaning === 'string') {
      if (notes.length < MOST_NOTES) notes.push(meaning);
    }
    // Of two columns that mean the same, the first counts.
    else if (meaning && ![...columns.values()].some((known) => known.measure === meaning.measure))
      columns.set(name, meaning);
  }
  const [timeName, time] = [...columns].find(([, { measure }]) => measure === 'timeS') ?? [];
  if (timeName === undefined || time === undefined)
    return { unusable: `none of its columns (${listed(names)}) is a time` };
  const unstated = [...columns.values()].some(({ measure, stated }) => measure === 'speedMps' && !stated);
  if (unstated) notes.push('the speed came without a unit and is taken for m/s');

  const times = rows.map((row) => secondsOf(row[timeName], time));
  const dated = times.some((t) => t > EPOCH_S);
  const first = start === undefined ? Number.NaN : secondsOf(start, { measure: 'timeS', factor: 1, stated: false });
  const origin = dated
    ? first > EPOCH_S
      ? first
      : times.reduce((a, b) => (b < a ? b : a), Number.POSITIVE_INFINITY)
    : 0;
  if (dated && !(first > EPOCH_S)) notes.push("its first row is taken for the video's first frame");
  const measured = [...columns].filter(([, { measure }]) => measure !== 'timeS');
  const samples = rows.map((row, i): Sample => {
    const cells = measured.map(([name, { measure, factor }]) => [measure, numberOf(row[name]) * factor]);
    return { timeS: times[i]! - origin, ...Object.fromEntries(cells) };
  });
  const telemetry = createTelemetry(source, samples, notes);
  if (!telemetry) return { unusable: `none of its columns (${listed(names)}) is a speed, a rate or a position` };
  if (measures(telemetry, 'yawRateDps') && columns.values().some(({ measure }) => measure === 'yawRateDps'))
    telemetry.notes.push('turning to the left is taken for positive, as ISO 8855 has it');
  return { telemetry };
}

const listed = (names: readonly string[]) =>
  names
    .slice(0, 12)
    .map((name) => name.slice(0, 40))
    .join(', ') || 'there are none';

/** A time in seconds; beyond `EPOCH_S` since 1970. NaN for what is none. */
function secondsOf(value: unknown, { factor, stated }: ColumnMeaning): number {
  const number = numberOf(value);
  if (!Number.isNaN(number)) {
    if (stated) return number * factor;
    // Dates come in seconds, milliseconds, microseconds and nanoseconds, which lie far apart.
    const scale = [1e18, 1e15, 1e12].findIndex((each) => number >= each / 10);
    return scale < 0 ? number : number / [1e9, 1e6, 1e3][scale]!;
  }
  if (typeof value !== 'string') return Number.NaN;
  const clock = /^(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)$/.exec(value.trim());
  if (clock) return Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3]);
  const date = value.trim().replace(' ', 'T');
  // Without a zone it would be the server's own.
  return Date.parse(/([zZ]|[+-]\d\d:?\d\d)$/.test(date) ? date : `${date}Z`) / 1000;
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

function jsonTable(content: unknown): Table | null {
  if (Array.isArray(content)) return { rows: rowsOf(content, []), units: {}, start: undefined };
  const object = content as Cells;
  const fields = Array.isArray(object.fields) ? object.fields.filter(isCells) : [];
  const names = fields.map(({ name }) => String(name));
  const units = Object.fromEntries(
    fields.flatMap(({ name, unit }) => (typeof unit === 'string' ? [[String(name), unit]] : [])),
  );
  const start = STARTS.map((name) => object[name]).find((value) => value !== undefined);
  const list = ROWS.map((name) => object[name]).find(Array.isArray);
  if (list) return { rows: rowsOf(list, names), units, start };
  const columns = Object.entries(ROWS.map((name) => object[name]).find(isCells) ?? object).filter(
    ([name, values]) => name !== 'fields' && Array.isArray(values),
  ) as [string, unknown[]][];
  const length = Math.max(0, ...columns.map(([, values]) => values.length));
  if (length === 0) return null;
  const rows = Array.from({ length }, (_, i) => Object.fromEntries(columns.map(([name, values]) => [name, values[i]])));
  return { rows, units, start };
}

/** Rows as objects, what is nested in them named `outer_inner`. */
function rowsOf(list: readonly unknown[], names: readonly string[]): Cells[] {
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
