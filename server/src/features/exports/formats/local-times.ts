import { toLocalTime } from '#platform/local-time';
import type { ExportedEvent } from '../types.ts';

/**
 * When an event was recorded, as people read it: `2026-11-27 08:00:10 to 08:00:12 (Europe/Berlin)`. UTC without a zone;
 * null if it is unknown.
 */
export function localTimes({ startAt, endAt, timeZone }: ExportedEvent): string | null {
  if (startAt === null || endAt === null) return null;
  const zone = timeZone ?? 'UTC';
  const [start, end] = [startAt, endAt].map((instant) => {
    const { day, time } = toLocalTime(new Date(instant), zone);
    return { day, time: `${time}:${instant.slice(17, 19)}` };
  }) as [Local, Local];
  if (start.day !== end.day) return `${start.day} ${start.time} to ${end.day} ${end.time} (${zone})`;
  return `${start.day} ${start.time}${start.time === end.time ? '' : ` to ${end.time}`} (${zone})`;
}

type Local = { day: string; time: string };
