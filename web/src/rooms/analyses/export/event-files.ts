import type { ExportedEvent } from './exported-events.ts';

export const FORMATS = ['csv', 'json'] as const;
export type Format = (typeof FORMATS)[number];

const TYPES: Record<Format, string> = { csv: 'text/csv;charset=utf-8', json: 'application/json' };
const COLUMNS = [
  'video_name',
  'folder_name',
  'start_s',
  'end_s',
  'label',
  'type',
  'severity',
  'confidence',
  'query',
  'created_at',
  'video_id',
  'analysis_id',
  'event_id',
  'batch_id',
  'url',
] as const satisfies readonly (keyof ExportedEvent)[];

/** The file of exported events. */
export function eventFile(events: readonly ExportedEvent[], format: Format): Blob {
  const text = format === 'csv' ? toCsv(events) : `${JSON.stringify({ events }, null, 2)}\n`;
  return new Blob([text], { type: TYPES[format] });
}

/** RFC 4180 with a byte order mark, by which spreadsheets recognize UTF-8. */
export function toCsv(events: readonly ExportedEvent[]): string {
  const rows = events.map((event) => COLUMNS.map((column) => toCell(event[column] as string | number | null)));
  return `\uFEFF${[COLUMNS, ...rows].map((row) => `${row.join(',')}\r\n`).join('')}`;
}

function toCell(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  // Spreadsheets run texts that start like this as formulas.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
