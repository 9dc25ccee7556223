import type { Camera } from '@sightline/sdk';

export type ScheduleEntry = NonNullable<Camera['schedule']>[number];
export type Mode = Camera['mode'];
export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** Hours of a day. */
export const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

function holds({ days, from, to }: ScheduleEntry, day: number, minute: number): boolean {
  const [start, end] = [minutesOf(from), minutesOf(to)];
  const isOn = (each: number) => days.includes(DAYS[(each + 7) % 7]!);
  if (start < end) return isOn(day) && start <= minute && minute < end;
  return (isOn(day) && minute >= start) || (isOn(day - 1) && minute < end);
}

/** Modes of a schedule in the middle of each hour of each day, Monday first. */
export const toHours = (schedule: readonly ScheduleEntry[] | null): Mode[][] =>
  DAYS.map((_, day) =>
    HOURS.map((hour) => {
      if (schedule === null) return 'analyze';
      const now = schedule.filter((entry) => holds(entry, day, hour * 60 + 30));
      if (now.length === 0) return 'off';
      return now.some(({ analyze }) => analyze) ? 'analyze' : 'record';
    }),
  );

const clock = (hour: number) => `${String(hour % 24).padStart(2, '0')}:00`;

/** The schedule of a grid of hours: one entry for each run of hours; null if it is always analyzed. */
export function fromHours(hours: readonly (readonly Mode[])[]): ScheduleEntry[] | null {
  if (hours.every((day) => day.every((mode) => mode === 'analyze'))) return null;
  const entries = new Map<string, ScheduleEntry>();
  for (const [day, modes] of hours.entries()) {
    for (let from = 0; from < 24; ) {
      const mode = modes[from]!;
      let to = from + 1;
      while (to < 24 && modes[to] === mode) to++;
      if (mode !== 'off') {
        const key = `${from} ${to} ${mode}`;
        const entry = entries.get(key) ?? { days: [], from: clock(from), to: clock(to), analyze: mode === 'analyze' };
        entries.set(key, { ...entry, days: [...entry.days, DAYS[day]!] });
      }
      from = to;
    }
  }
  return [...entries.values()];
}
