/** The time of the first frame of a video, as a file beside it states it. */
export type RecordedStart = {
  /** Time as it is written, without a zone: `2026-11-27T08:00:00.000`. */
  time: string;
  /** Minutes that it is ahead of UTC; null if the file does not say. */
  offset_min: number | null;
  /** Seconds of the calendar in a second of the video, where they are not the same. */
  rate?: number;
};

/** Bytes that are read of a file that is no text, such as a preview image. */
const MAX_BINARY = 2 ** 16;
/** A year before this is the year of a clock that was never set. */
const EARLIEST_YEAR = 1990;

/**
 * Reads when a recording started from a file beside it: subtitles of a drone, a GPS track (GPX), sentences of a GPS
 * receiver (NMEA), metadata of a camera (XML, JSON), a preview image with EXIF. Null if it does not say.
 */
export function readRecordedStart(bytes: Uint8Array): RecordedStart | null {
  const text = new TextDecoder('utf-8').decode(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return readExif(bytes);
  if (/^\uFEFF?\s*\d+\s*\r?\n/.test(text)) return readCaptions(text);
  if (/^\s*\$G[A-Z]{4},/m.test(text)) return readNmea(text);
  if (/^\uFEFF?\s*</.test(text)) return /<gpx[\s>]/.test(text) ? readGpx(text) : readXml(text);
  return /^\uFEFF?\s*\{/.test(text) ? readJson(text) : null;
}

type Parts = readonly [year: number, month: number, day: number, hour: number, minute: number, second: number];

/** Null if there is no such date, or it is that of a clock that was not set. */
function toTime([year, month, day, hour, minute, second]: Parts, milliseconds = 0): string | null {
  const ms = Date.UTC(year, month - 1, day, hour, minute, second, milliseconds);
  const date = new Date(ms);
  const isDate = !Number.isNaN(ms) && date.getUTCDate() === day && date.getUTCMonth() === month - 1;
  return isDate && year >= EARLIEST_YEAR ? date.toISOString().slice(0, -1) : null;
}

const ISO = /(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?\s*(Z|[+-]\d\d:?\d\d)?/;

function readIso(text: string): RecordedStart | null {
  const found = ISO.exec(text);
  if (!found) return null;
  const parts = found.slice(1, 7).map(Number) as unknown as Parts;
  const time = toTime(parts, Number((found[7] ?? '').padEnd(3, '0').slice(0, 3)));
  return time === null ? null : { time, offset_min: toOffset(found[8]) };
}

function toOffset(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (text === 'Z') return 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2));
  return text.startsWith('-') ? -minutes : minutes;
}

const CUE = /(\d+):(\d+):(\d+)[,.](\d+)\s*-->/;
const STAMP = /(\d{4})[-.](\d{1,2})[-.](\d{1,2})\s+(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[,.:](\d{1,3}))?/;
/** Stamps of seconds are this exact. */
const STAMP_ERROR_S = 2;

/** Local times in the captions of a drone; the first and the last one give the rate, as of a hyperlapse. */
function readCaptions(text: string): RecordedStart | null {
  const dated = text.split(/\r?\n\s*\r?\n/).flatMap((caption) => {
    const [cue, stamp] = [CUE.exec(caption), STAMP.exec(caption)];
    if (!stamp) return [];
    const time = toTime(stamp.slice(1, 7).map(Number) as unknown as Parts, Number((stamp[7] ?? '').padEnd(3, '0')));
    if (time === null) return [];
    const [hours = 0, minutes = 0, seconds = 0] = cue ? cue.slice(1, 4).map(Number) : [];
    const atS = cue ? hours * 3_600 + minutes * 60 + seconds + Number(`0.${cue[4]}`) : 0;
    return [{ atS, ms: Date.parse(`${time}Z`) }];
  });
  const [first, last] = [dated[0], dated.at(-1)];
  if (!first || !last) return null;
  const [videoS, clockS] = [last.atS - first.atS, (last.ms - first.ms) / 1_000];
  const rate = clockS > 0 && videoS > 0 && Math.abs(clockS - videoS) > STAMP_ERROR_S ? clockS / videoS : 1;
  const start = new Date(first.ms - first.atS * rate * 1_000).toISOString().slice(0, -1);
  return { time: start, offset_min: null, ...(rate === 1 ? {} : { rate }) };
}

/** UTC of the first sentence with a date and a fix. */
function readNmea(text: string): RecordedStart | null {
  const time = readRmc(text);
  return time === null ? null : { time, offset_min: 0 };
}

/** Seconds since 1970 of the first sentence with a date and a fix; null without one. */
export function readNmeaTime(text: string): number | null {
  const time = readRmc(text);
  return time === null ? null : Date.parse(`${time}Z`) / 1_000;
}

function readRmc(text: string): string | null {
  const RMC = /^\s*\$G[A-Z]RMC,(\d\d)(\d\d)(\d\d)(?:\.(\d+))?,A,(?:[^,]*,){6}(\d\d)(\d\d)(\d\d)/m;
  const found = RMC.exec(text);
  if (!found) return null;
  const [, hour, minute, second, fraction = '', day, month, year] = found;
  // Two digits: receivers are not older than GPS.
  const full = Number(year) >= 80 ? 1_900 + Number(year) : 2_000 + Number(year);
  const parts: Parts = [full, Number(month), Number(day), Number(hour), Number(minute), Number(second)];
  return toTime(parts, Number(fraction.padEnd(3, '0').slice(0, 3)));
}

/** UTC of the first point of a track. */
function readGpx(text: string): RecordedStart | null {
  const point = /<(?:trkpt|wpt|rtept)\b[\s\S]*?<time>([^<]*)<\/time>/.exec(text);
  const read = point && readIso(point[1]!);
  return read && { ...read, offset_min: read.offset_min ?? 0 };
}

/** Elements and attributes in which cameras state when a clip was made, such as Sony's `CreationDate`. */
function readXml(text: string): RecordedStart | null {
  const NAMED = /<[\w:]*(?:creat|start|record|shoot)\w*(?:date|time)[^>]*?(?:value="([^"]*)"|>([^<]*)<)/i;
  const found = NAMED.exec(text);
  return found && readIso(found[1] ?? found[2]!);
}

/** Names under which descriptions of recordings state when these were made, in seconds or as text. */
const JSON_NAMES = [
  'photoTakenTime',
  'creationTime',
  'creation_time',
  'recorded_at',
  'start_time',
  'startTime',
  'DateTimeOriginal',
  'CreateDate',
];
/** Seconds from which a number is a date (1990 or later), and milliseconds. */
const EPOCH_S = 631_152_000;

function readJson(text: string): RecordedStart | null {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof content !== 'object' || content === null) return null;
  for (const name of JSON_NAMES) {
    const value = (content as Record<string, unknown>)[name];
    const inner = typeof value === 'object' && value !== null ? (value as { timestamp?: unknown }).timestamp : value;
    const read = readJsonTime(inner);
    if (read) return read;
  }
  return null;
}

function readJsonTime(value: unknown): RecordedStart | null {
  const number =
    typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value)) ? Number(value) : null;
  if (number !== null) {
    const seconds = [1e9, 1e6, 1e3, 1].map((scale) => number / scale).find((each) => each >= EPOCH_S && each < 1e10);
    return seconds === undefined ? null : { time: new Date(seconds * 1_000).toISOString().slice(0, -1), offset_min: 0 };
  }
  if (typeof value !== 'string') return null;
  return readIso(value) ?? readIso(value.replace(/^(\d{4}):(\d\d):(\d\d)/, '$1-$2-$3'));
}

/** The original time of a preview image, which cameras write beside their clips: local time. */
function readExif(bytes: Uint8Array): RecordedStart | null {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, MAX_BINARY));
  const found = /(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)\0/.exec(head);
  const time = found && toTime(found.slice(1, 7).map(Number) as unknown as Parts);
  return time ? { time, offset_min: null } : null;
}
