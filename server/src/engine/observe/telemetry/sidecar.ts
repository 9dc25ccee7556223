import { type ChannelColumn, createChannels } from './channels.ts';
import { readSubtitles } from './dji.ts';
import type { TelemetryReading } from './observation.ts';
import type { RecordedStart } from './recorded.ts';
import { createTelemetry, hasMeasure, MEASURES, type TelemetrySample } from './samples.ts';
import { type ColumnMeaning, interpretColumn } from './units.ts';

/** Measurements of a file beside a video, or the reason why it has none. */
export type SidecarReading = Omit<TelemetryReading, 'reason'> | { unusable: string };

/** Names of an object's rows. */
const ROW_NAMES = ['data', 'samples', 'records', 'rows', 'points', 'frames', 'telemetry', 'values', 'entries'];
const START_NAMES = ['start_time', 'startTime', 'video_start', 'videoStart', 'start'];
/** Columns that are searched for numbers: a crafted file may have any number of them. */
const LEAST_COLUMNS = 16;
const MOST_COLUMNS = 2_048;
const MOST_CELLS = 2e7;
/** Maximum number of reported columns with unknown units. */
const MAX_NOTES = 5;
/** Seconds from which a number is a date (1973 or later), not a time in a video. */
const EPOCH_S = 1e8;
/** A date before 1990 is that of a clock that was never set. */
const EPOCH_1990_S = 631_152_000;

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

/**
 * When the first frame was recorded, by the dates in the rows of JSON or CSV, or by the start that the file states. The
 * zone is unknown where dates are texts without one. Null without dates.
 */
export function readTableStart(bytes: Uint8Array): RecordedStart | null {
  const text = new TextDecoder('utf-8').decode(bytes).trim();
  const table = /^[[{]/.test(text) ? parseTable(text) : csvTable(text);
  const [name, time] = table ? timeColumnOf(table) : [];
  if (!table || name === undefined || !time) return null;
  const { origin } = originOf(table, name, time);
  if (!(origin > EPOCH_1990_S)) return null;
  const example = table.rows.find((row) => toSeconds(row[name], time) > EPOCH_S)?.[name];
  const isLocal = typeof example === 'string' && Number.isNaN(toNumber(example)) && !ZONED.test(example.trim());
  const date = new Date(Math.round(origin * 1_000));
  if (Number.isNaN(date.getTime())) return null;
  return { time: date.toISOString().slice(0, -1), offset_min: isLocal ? null : 0 };
}

function parseTable(text: string): Table | null {
  try {
    return jsonTable(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The first column that is a time, and its meaning. */
function timeColumnOf({ rows, units }: Table): [name: string, meaning: ColumnMeaning] | [] {
  for (const name of new Set(rows.slice(0, 100).flatMap(Object.keys))) {
    const meaning = interpretColumn(name, units[name]);
    if (typeof meaning === 'object' && meaning?.measure === 'timeS') return [name, meaning];
  }
  return [];
}

/**
 * Seconds since 1970 of the first frame: the stated start, else the first date, which is assumed; 0 if times are no
 * dates.
 */
function originOf({ rows, start }: Pick<Table, 'rows' | 'start'>, name: string, time: ColumnMeaning) {
  const stated = start === undefined ? Number.NaN : toSeconds(start, { measure: 'timeS', factor: 1, stated: false });
  let [first, dated] = [Number.POSITIVE_INFINITY, false];
  for (const row of rows) {
    const at = toSeconds(row[name], time);
    if (at < first) first = at;
    dated ||= at > EPOCH_S;
  }
  const isAssumed = dated && !(stated > EPOCH_S);
  return { origin: dated ? (isAssumed ? first : stated) : 0, isAssumed };
}

/** Describes a sidecar for its uploader: number, time range and measures of the samples, or why it cannot be used. */
export function describeSidecar(bytes: Uint8Array) {
  const reading = readSidecar(bytes);
  if ('unusable' in reading) return reading;
  const { telemetry, recorded } = reading;
  const channels = recorded?.channels ?? [];
  const ranges = [...(telemetry ? [telemetry] : []), ...channels].map(({ timeS }) => timeS);
  const start = ranges.reduce((least, timeS) => Math.min(least, timeS[0]!), Number.POSITIVE_INFINITY);
  const end = ranges.reduce((most, timeS) => Math.max(most, timeS.at(-1)!), Number.NEGATIVE_INFINITY);
  return {
    samples: Math.max(...ranges.map(({ length }) => length)),
    start_s: start,
    end_s: end,
    measures: telemetry ? MEASURES.filter((name) => hasMeasure(telemetry, name)) : [],
    channels: channels.length,
    notes: telemetry?.notes ?? [],
  };
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
  const { recording, recorded } = content as Cells;
  if (!isCells(recording)) return readTable('sidecar JSON', table);
  const leftOut = isCells(recorded) && typeof recorded.left_out === 'number' ? recorded.left_out : 0;
  const channels = createChannels(columnsOf(recorded), leftOut);
  const reading = readTable(`recording: ${recording.source}`, table, readNotes(recording.notes));
  const blank = recording.blank === true ? ({ blank: true } as const) : {};
  const more = { ...(channels && { recorded: channels }), ...blank };
  if (!('unusable' in reading)) return { telemetry: reading.telemetry, ...more };
  return channels ? { telemetry: null, ...more } : reading;
}

/** Numbers of a recording: groups with a common time. */
function* columnsOf(recorded: unknown): Generator<ChannelColumn> {
  const { groups } = (isCells(recorded) ? recorded : {}) as { groups?: unknown };
  for (const group of Array.isArray(groups) ? groups : []) {
    if (!isCells(group) || !Array.isArray(group.time) || !Array.isArray(group.fields)) continue;
    for (const field of group.fields) {
      if (!isCells(field) || typeof field.name !== 'string' || !Array.isArray(field.values)) continue;
      const unit = typeof field.unit === 'string' ? field.unit : null;
      yield { name: field.name, unit, timeS: group.time.map(toNumber), values: field.values.map(toNumber) };
    }
  }
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
  const { origin, isAssumed } = originOf({ rows, start }, timeName, time);
  if (isAssumed) notes.push("the first row is assumed to be the video's first frame");
  const measured = [...columns].filter(([, { measure }]) => measure !== 'timeS');
  const samples = rows.map((row, i): TelemetrySample => {
    const cells = measured.map(([name, { measure, factor }]) => [measure, toNumber(row[name]) * factor]);
    return { timeS: times[i]! - origin, ...Object.fromEntries(cells) };
  });
  const telemetry = createTelemetry(source, samples, notes);
  const most = Math.max(LEAST_COLUMNS, Math.min(MOST_COLUMNS, Math.floor(MOST_CELLS / rows.length)));
  const others = names.filter((name) => !columns.has(name)).slice(0, most);
  const timeS = times.map((t) => t - origin);
  const recorded = createChannels(channelsOf(others, rows, units, timeS));
  if (!telemetry) {
    if (recorded) return { telemetry: null, recorded };
    return { unusable: `none of its columns (${joinNames(names)}) has numbers` };
  }
  if (hasMeasure(telemetry, 'yawRateDps') && columns.values().some(({ measure }) => measure === 'yawRateDps'))
    telemetry.notes.push('positive yaw rates are assumed to turn left (ISO 8855)');
  return { telemetry, ...(recorded && { recorded }) };
}

/** Columns with numbers that are no measures of the vehicle. */
function* channelsOf(
  names: readonly string[],
  rows: readonly Cells[],
  units: Record<string, string>,
  timeS: readonly number[],
): Generator<ChannelColumn> {
  for (const name of names)
    yield { name, unit: units[name] ?? null, timeS, values: rows.map((row) => toCell(row[name])) };
}

/** Switches are 0 and 1. */
const toCell = (value: unknown): number => (typeof value === 'boolean' ? Number(value) : toNumber(value));

const joinNames = (names: readonly string[]) =>
  names
    .slice(0, 12)
    .map((name) => name.slice(0, 40))
    .join(', ') || 'none';

/** Ends of dates that state their zone. */
const ZONED = /([zZ]|[+-]\d\d:?\d\d)$/;

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
  return Date.parse(ZONED.test(date) ? date : `${date}Z`) / 1000;
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
