import type { Probe } from '#platform/media/index';
import type { ClockReading } from './types.ts';

/** Names of recorders, phones and messengers: a date and a time of day, with or without separators. */
const DATED =
  /(?<!\d)((?:19|20)\d\d)[-._]?(0[1-9]|1[0-2])[-._]?(0[1-9]|[12]\d|3[01])(?:[-_ T.]| at |)([01]\d|2[0-3])[-._:hH]?([0-5]\d)[-._:mM]?([0-5]\d)(?:[.,]?(\d{1,6}))?(Z|[+-]\d\d:?\d\d)?(?!\d)/;
/**
 * Seconds since 1970, as network recorders name their clips: `1764230400.512-x7.mp4`. Ten digits beside a letter are
 * part of an identifier by chance, such as of a UUID or a digest.
 */
const EPOCH = /(?<![\da-z.])(1[0-9]{9})(?:\.(\d{1,6}))?(?![\da-z])/i;
/** Phones that name their files by UTC. */
const NAMED_BY_UTC = /^PXL_/;
const DAY_MS = 86_400_000;

/** Time in the name of a file; null if it has none, or one that has not come yet. */
export function readName(name: string, now: Date): ClockReading | null {
  const reading = readDate(name) ?? readEpoch(name);
  // Zones are at most a day apart.
  return reading && Date.parse(`${reading.time}Z`) <= now.getTime() + DAY_MS ? reading : null;
}

function readDate(name: string): ClockReading | null {
  const found = DATED.exec(name);
  if (!found) return null;
  const [, year, month, day, hour, minute, second, fraction = '', offset] = found;
  const time = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}`;
  // The 31st of a month with 30 days is no date.
  if (!isDate(time)) return null;
  return { source: 'name', time, offsetMin: NAMED_BY_UTC.test(name) ? 0 : toOffset(offset) };
}

/** False for a day that its month does not have. */
export function isDate(time: string): boolean {
  const date = new Date(`${time}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString() === `${time}Z`;
}

function readEpoch(name: string): ClockReading | null {
  const found = EPOCH.exec(name);
  if (!found) return null;
  const fraction = (found[2] ?? '').padEnd(3, '0').slice(0, 3);
  return toReading('name', new Date(Number(found[1]) * 1_000 + Number(fraction)));
}

/** Minutes of `Z`, `+01:00` or `+0100`; null without an offset. */
function toOffset(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (text === 'Z') return 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2));
  return text.startsWith('-') ? -minutes : minutes;
}

const LOCAL = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?([+-]\d\d:?\d\d)$/;

/**
 * Time that the file states; null without one. Only some phones write their zone; other files state UTC, in which many
 * cameras write local time.
 */
export function readContainer({ createdAt, tags }: Pick<Probe, 'createdAt' | 'tags'>): ClockReading | null {
  if (createdAt === null) return null;
  const local = LOCAL.exec(tags['com.apple.quicktime.creationdate'] ?? '');
  if (local) {
    const time = `${local[1]}T${local[2]}.${(local[3] ?? '').padEnd(3, '0').slice(0, 3)}`;
    if (isDate(time)) return { source: 'container', time, offsetMin: toOffset(local[4]) };
  }
  return { ...toReading('container', new Date(createdAt)), isDoubtful: true };
}

/** Time that a file beside the video states. */
export const readSidecar = (recorded: { time: string; offset_min: number | null; rate?: number }): ClockReading => ({
  source: 'sidecar',
  time: recorded.time,
  offsetMin: recorded.offset_min,
  ...(recorded.rate === undefined ? {} : { rate: recorded.rate }),
});

/** An exact instant, as services and robots log it. */
export function toReading(source: ClockReading['source'], at: Date): ClockReading {
  return { source, time: at.toISOString().slice(0, -1), offsetMin: 0 };
}
