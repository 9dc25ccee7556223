import type { Passage } from './passages.ts';

/** The time of the first frame by a clock in the picture: local time, without a zone. */
export type PictureClock = { time: string };

/** Least texts of a clock that advance with the video, and least seconds between the first and the last. */
const LEAST_TEXTS = 3;
const LEAST_S = 2;
/** Share of the texts with a date and a time that must belong to one clock. */
const LEAST_SHARE = 0.6;
/** A clock of whole seconds that is read in some frames differs from the video by less. */
const SAME_S = 1.6;

const YEAR = '((?:19|20)\\d\\d)';
const TWO = '(\\d{1,2})';
const SEPARATOR = '\\s?[-./]\\s?';
const YEAR_FIRST = new RegExp(`(?<!\\d)${YEAR}${SEPARATOR}${TWO}${SEPARATOR}${TWO}(?!\\d)`);
const YEAR_LAST = new RegExp(`(?<!\\d)${TWO}(${SEPARATOR})${TWO}${SEPARATOR}${YEAR}(?!\\d)`);
const TIME = /(?<!\d)([01]?\d|2[0-3])\s?[:.]\s?([0-5]\d)\s?[:.]\s?([0-5]\d)(?!\d)\s*([AP]M)?/i;

/**
 * Reads the clock that a camera draws into its picture from the texts of frames. Null unless several of them show a
 * date and a time that advance as the video does, and if the date could be read in two ways.
 */
export function readPictureClock(passages: readonly Passage[]): PictureClock | null {
  const day = onlyDay(passages);
  const stamps = passages.flatMap(({ startS, text }) => {
    const date = readDay(text);
    // Without the digits of the date, which may look like a time.
    const seconds = readSeconds(text.replace(YEAR_FIRST, ' ').replace(YEAR_LAST, ' '));
    const of = date === undefined ? day : date;
    return seconds === null || of === null ? [] : [{ startS, offsetS: of * DAY_S + seconds - startS }];
  });
  const best = stamps
    .map(({ offsetS }) => stamps.filter((each) => Math.abs(each.offsetS - offsetS) < SAME_S))
    .reduce<typeof stamps>((most, each) => (each.length > most.length ? each : most), []);
  const starts = best.map(({ startS }) => startS);
  const spanS = Math.max(...starts) - Math.min(...starts);
  if (new Set(starts).size < LEAST_TEXTS || spanS < LEAST_S || best.length < LEAST_SHARE * stamps.length) return null;
  // A clock shows the second that has started, so the time is between the latest text and a second after the earliest.
  const offsets = best.map(({ offsetS }) => offsetS);
  const ms = Math.round(((Math.max(...offsets) + Math.min(...offsets) + 1) / 2) * 1_000);
  return { time: new Date(ms).toISOString().slice(0, -1) };
}

const DAY_S = 86_400;

/** The date in the texts; null if they show none, or different ones. */
function onlyDay(passages: readonly Passage[]): number | null {
  const days = new Set(passages.map(({ text }) => readDay(text)).filter((day) => day !== undefined));
  const [day = null] = days;
  return days.size === 1 ? day : null;
}

/** Days since 1970 of a date in a text; null if it can be read in two ways; undefined without one. */
function readDay(text: string): number | null | undefined {
  const first = YEAR_FIRST.exec(text);
  if (first) return toDay(Number(first[1]), Number(first[2]), Number(first[3])) ?? undefined;
  const last = YEAR_LAST.exec(text);
  if (!last) return undefined;
  const [one, other, year] = [Number(last[1]), Number(last[3]), Number(last[4])];
  const [dayFirst, monthFirst] = [toDay(year, other, one), toDay(year, one, other)];
  if (dayFirst === null || monthFirst === null) return dayFirst ?? monthFirst ?? undefined;
  // Dots are used where the day is first.
  return dayFirst === monthFirst || last[2]!.includes('.') ? dayFirst : null;
}

function toDay(year: number, month: number, day: number): number | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() / 1_000 / DAY_S : null;
}

function readSeconds(text: string): number | null {
  const found = TIME.exec(text);
  if (!found) return null;
  const [hour, minute, second] = found.slice(1, 4).map(Number) as [number, number, number];
  const half = found[4]?.toUpperCase();
  if (half && (hour < 1 || hour > 12)) return null;
  const hours = half ? (hour % 12) + (half === 'PM' ? 12 : 0) : hour;
  return hours * 3_600 + minute * 60 + second;
}
