export { type CalendarFilter, calendarFields, checkTimeZone, toCalendarFilter } from './calendar.ts';
export { calendarConditions, videoConditions } from './calendar-store.ts';
export { chooseClock, clockSource } from './choose-clock.ts';
export { type Clocks, createClocks, requireTimeZone } from './clock.ts';
export { findPatternFault } from './path-pattern.ts';
export { toReading } from './readings.ts';
export { recordedTime } from './recorded-time.ts';
export type {
  ClockComparison,
  ClockPoint,
  ClockSettings,
  RecordingTime,
  StoredClock,
} from './types.ts';
