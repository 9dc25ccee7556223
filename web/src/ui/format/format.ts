import { i18n } from '@lingui/core';
import { serviceNow } from '#api/service-clock.ts';

/**
 * A time in a video: `m:ss.s`, or `h:mm:ss.s` from an hour on, with the decimal sign of the language. `decimals` 0 is
 * for rulers and lengths.
 */
export function formatTime(seconds: number, decimals = 1): string {
  const scale = 10 ** decimals;
  const units = Math.round(Math.max(0, seconds) * scale);
  const whole = Math.floor(units / scale);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const fraction = decimals > 0 ? `${decimalSign()}${String(units % scale).padStart(decimals, '0')}` : '';
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${h > 0 ? `${h}:${pad(m)}` : m}:${pad(s)}${fraction}`;
}

/** Keeps a format for each language and options: to create one takes far longer than to format a value. */
function cached<Options, Format>(create: (locale: string, options?: Options) => Format) {
  const formats = new Map<string, Format>();
  return (options?: Options): Format => {
    // No language is active before its texts are loaded.
    const locale = i18n.locale || 'en';
    const key = JSON.stringify([locale, options]);
    const format = formats.get(key) ?? create(locale, options);
    formats.set(key, format);
    return format;
  };
}
const numberFormat = cached<Intl.NumberFormatOptions, Intl.NumberFormat>(Intl.NumberFormat);
const dateFormat = cached<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>(Intl.DateTimeFormat);
const relativeFormat = cached(
  (locale, options?: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(locale, options),
);

export const formatNumber = (value: number, options?: Intl.NumberFormatOptions): string =>
  numberFormat(options).format(value);

const decimalSign = (): string => numberFormat().format(0.5).charAt(1);

/** A confidence from 0 to 1, with two decimals. */
export const formatConfidence = (value: number): string =>
  formatNumber(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** A share from 0 to 1 as a percentage without decimals. */
export const formatShare = (share: number): string =>
  formatNumber(share, { style: 'percent', maximumFractionDigits: 0 });

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];

export function formatBytes(bytes: number): string {
  const power = Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return formatNumber(value, {
    style: 'unit',
    unit: BYTE_UNITS[power],
    // Only the long form of "byte" has a plural.
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power > 0 && value < 100 ? 1 : 0,
  });
}

/** Date and time; by default in the time zone of the browser. */
export const formatDateTime = (iso: string, timeZone?: string): string =>
  dateFormat({ dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(iso));

/** Date and time with seconds in a time zone. */
export const formatInZone = (iso: string, timeZone: string): string =>
  dateFormat({ dateStyle: 'medium', timeStyle: 'medium', timeZone }).format(new Date(iso));

/** A time of the day with seconds, in the time zone of the browser; `decimals` of them. */
export const formatClock = (ms: number, decimals = 0): string =>
  dateFormat({
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    ...(decimals > 0 ? { fractionalSecondDigits: Math.min(3, decimals) as 1 | 2 | 3 } : {}),
  }).format(new Date(ms));

/** Date and time with seconds and the name of the time zone. */
export const formatMoment = (ms: number): string =>
  dateFormat({
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(new Date(ms));

/** A time within the next week: day of the week and time of day, in the time zone of the browser. */
export const formatWeekTime = (iso: string): string =>
  dateFormat({ weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(iso));

/** A month in UTC, `2026-11`, such as "November 2026". */
export const formatMonth = (month: string): string =>
  dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-01`));

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** A time relative to now, such as "3 hours ago"; a date if it is more than a month away. */
export function formatAgo(iso: string, now = serviceNow()): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  if (Math.abs(seconds) > 30 * 86_400) return dateFormat({ dateStyle: 'medium' }).format(new Date(iso));
  const [unit, size] = STEPS.find(([, step]) => Math.abs(seconds) >= step) ?? ['second', 1];
  return relativeFormat({ numeric: 'auto' }).format(Math.round(seconds / size), unit);
}
