import { stringify } from 'csv-stringify/sync';
import { roundedJson } from '#platform/numbers';
import type { EventSource, ExportedEvent } from '../types.ts';

type Cell = string | number | boolean | null;

/** Columns of tables, and fields of JSON, in their order. */
export const COLUMNS: Record<string, (event: ExportedEvent) => Cell> = {
  event_id: (event) => event.eventId,
  video_id: (event) => event.videoId,
  video_name: (event) => event.videoName,
  folder_name: (event) => event.folderName,
  start_s: (event) => event.startS,
  end_s: (event) => event.endS,
  label: (event) => event.label,
  type: (event) => event.type,
  severity: (event) => event.severity,
  confidence: (event) => event.confidence,
  approval: (event) => event.approval,
  reason: (event) => event.reason,
  note: (event) => event.note,
  added: (event) => event.added,
  query: (event) => event.query,
  explanation: (event) => event.explanation,
  analysis_id: (event) => event.analysisId,
  batch_id: (event) => event.batchId,
  created_at: (event) => event.createdAt,
  url: (event) => event.url,
  start_at: (event) => event.startAt,
  end_at: (event) => event.endAt,
  time_zone: (event) => event.timeZone,
  incident_id: (event) => event.incidentId,
};

const toFields = (event: ExportedEvent) =>
  Object.fromEntries(Object.entries(COLUMNS).map(([name, read]) => [name, read(event)]));

/** The event as JSON, with its evidence. */
export function toJson(event: ExportedEvent): string {
  const frames = event.frames.map(({ timeS, boxes }) => ({ time_s: timeS, boxes }));
  return roundedJson({ ...toFields(event), caveats: event.caveats, frames, position: event.position });
}

/** A table for spreadsheets (RFC 4180). Texts that they would run as formulas are prefixed with an apostrophe. */
export async function* writeCsv(events: EventSource): AsyncGenerator<string> {
  const form = { record_delimiter: '\r\n' };
  yield stringify([Object.keys(COLUMNS)], { ...form, bom: true });
  for await (const event of events()) {
    const row = Object.values(COLUMNS).map((read) => toCell(read(event)));
    yield stringify([row], { ...form, cast: { boolean: String } });
  }
}

const toCell = (value: Cell): Cell => (typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value);

export async function* writeJsonLines(events: EventSource): AsyncGenerator<string> {
  for await (const event of events()) yield `${toJson(event)}\n`;
}

export async function* writeJson(events: EventSource): AsyncGenerator<string> {
  yield* writeJsonList('{"events":[', events, toJson, '\n]}\n');
}

/** Items between a head and a tail, separated by commas. Events without an item are left out. */
export async function* writeJsonList(
  head: string,
  events: EventSource,
  toItem: (event: ExportedEvent) => string | null,
  tail: string,
): AsyncGenerator<string> {
  yield head;
  let separator = '';
  for await (const event of events()) {
    const item = toItem(event);
    if (item === null) continue;
    yield `${separator}\n${item}`;
    separator = ',';
  }
  yield tail;
}
