export { type CalendarFilter, calendarFields, checkTimeZone, toCalendarFilter } from './calendar.ts';
export { calendarConditions, videoConditions } from './calendar-store.ts';
export { chooseClock, clockSource } from './choose-clock.ts';
export { type Clocks, createClocks, type OwnSource } from './clock.ts';
export { findPatternFault } from './path-pattern.ts';
export { toReading } from './readings.ts';
export { recordedTime } from './recorded-time.ts';
export {
  CLOCK_SOURCES,
  type ClockComparison,
  type ClockPoint,
  type ClockReading,
  type ClockSettings,
  type PathRule,
  type RecordingTime,
  type StoredClock,
} from './types.ts';
