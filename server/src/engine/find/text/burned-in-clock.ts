import type { Texts, TrackedText } from '../../observe/observations.ts';

/** Fewest different readings of a clock. */
const MIN_READINGS = 3;
/** Greatest difference of the times that a clock and the video take from one reading to the next, in seconds. */
const TOLERANCE_S = 1.5;
/** Least share of consecutive readings that advance with the video. */
const ADVANCING = 0.8;
/** Without a date, a clock that starts like this, in seconds, counts the time of the video. */
const TIMECODE_S = 3;
/** A time of day, after a date if there is one; the space between them is often not read. */
const CLOCK =
  /(?:(?<date>\d{4}[-/.]\d\d[-/.]\d\d|\d\d[-/.]\d\d[-/.]\d{4})\D{0,3}|(?<!\d))(?<hours>[01]\d|2[0-3])[:.](?<minutes>[0-5]\d)[:.](?<seconds>[0-5]\d)(?!\d)/;

type ClockReading = { timeS: number; clockS: number; hasDate: boolean; reading: string };

/**
 * Reads a clock that is burned into the frames: a text with a time of day that advances with the video. Returns what it
 * shows first, "2024-05-01 12:00:03", and when; null if there is none.
 */
export function readBurnedInClock(texts: Texts): { reading: string; timeS: number } | null {
  for (const text of texts.texts) {
    const read = readingsOf(text, texts);
    if (new Set(read.map(({ clockS }) => clockS)).size < MIN_READINGS) continue;
    const steps = read.slice(1).map((next, at) => next.clockS - read[at]!.clockS - (next.timeS - read[at]!.timeS));
    const advancing = steps.filter((difference) => Math.abs(difference) <= TOLERANCE_S).length;
    const [first] = read as [ClockReading];
    const isTimecode = !first.hasDate && first.clockS - first.timeS < TIMECODE_S;
    if (advancing >= ADVANCING * steps.length && !isTimecode) return { reading: first.reading, timeS: first.timeS };
  }
  return null;
}

/** The readings of a text that have a time of day, as date and time where there is a date. */
function readingsOf({ frame, reading }: TrackedText, { timeS, readings }: Texts): ClockReading[] {
  return Array.from(frame, (index, at) => ({ timeS: timeS[index]!, read: readings[reading[at]!]! })).flatMap(
    ({ timeS, read }): ClockReading[] => {
      const groups = CLOCK.exec(read)?.groups;
      if (!groups) return [];
      const { date, hours, minutes, seconds } = groups;
      const clockS = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
      const time = `${hours}:${minutes}:${seconds}`;
      return [{ timeS, clockS, hasDate: date !== undefined, reading: date === undefined ? time : `${date} ${time}` }];
    },
  );
}
