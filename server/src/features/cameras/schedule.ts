import { offsetMs, toInstant, toLocalTime } from '#platform/local-time';

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** Weekly times at which a camera is recorded, in its time zone. */
export type ScheduleEntry = {
  days: (typeof WEEKDAYS)[number][];
  /** Local times of day, `HH:MM`; an interval that ends at or before its start ends on the next day. */
  from: string;
  to: string;
  /** True: questions are answered; false: it is only recorded. */
  analyze: boolean;
};

/** Null: recorded and analyzed at all times. */
export type Schedule = ScheduleEntry[] | null;
export type CameraMode = 'analyze' | 'record' | 'off';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** True if an entry holds at a local minute of a day of the week (0: Monday). */
function holds({ days, from, to }: ScheduleEntry, day: number, minute: number): boolean {
  const [start, end] = [minutesOf(from), minutesOf(to)];
  const isOn = (each: number) => days.includes(WEEKDAYS[(each + 7) % 7]!);
  if (start < end) return isOn(day) && start <= minute && minute < end;
  return (isOn(day) && minute >= start) || (isOn(day - 1) && minute < end);
}

/** Mode that a schedule states for an instant. Where entries overlap, the questions are answered. */
export function modeAt(schedule: Schedule, timeZone: string, at: Date): CameraMode {
  if (schedule === null) return 'analyze';
  const { day, time } = toLocalTime(at, timeZone);
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  const now = schedule.filter((entry) => holds(entry, weekday, minutesOf(time)));
  if (now.length === 0) return 'off';
  return now.some(({ analyze }) => analyze) ? 'analyze' : 'record';
}

/** When the schedule changes the mode next, at most a week ahead; null if it never does. */
export function nextChange(schedule: Schedule, timeZone: string, at: Date): Date | null {
  if (schedule === null) return null;
  const now = modeAt(schedule, timeZone, at);
  const local = at.getTime() + offsetMs(at.getTime(), timeZone);
  const times = [...new Set(schedule.flatMap(({ from, to }) => [from, to]))];
  const candidates = Array.from({ length: 9 }, (_, i) => new Date(local + i * DAY_MS).toISOString().slice(0, 10))
    .flatMap((day) => times.map((time) => toInstant(`${day}T${time}:00`, timeZone)))
    .filter((instant) => instant > at)
    .sort((a, b) => a.getTime() - b.getTime());
  return (
    candidates.find((instant) => modeAt(schedule, timeZone, new Date(instant.getTime() + MINUTE_MS / 2)) !== now) ??
    null
  );
}
