import type { EventSource, ExportedEvent } from '../../types.ts';
import { COLUMNS, toJson } from '../table.ts';
import { DOUBLE, type ParquetColumn, single, TEXT, writeParquetTable } from './table.ts';

const INSTANT = { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' } as const;
const KINDS: Record<string, Parameters<typeof single>[1]> = {
  start_s: DOUBLE,
  end_s: DOUBLE,
  confidence: DOUBLE,
  added: { type: 'BOOLEAN' },
  created_at: INSTANT,
  start_at: INSTANT,
  end_at: INSTANT,
};

/** The columns of the table, and `evidence` with the frames of the event as JSON. */
const FIELDS: Record<string, (event: ExportedEvent) => unknown> = {
  ...COLUMNS,
  created_at: (event) => new Date(event.createdAt),
  start_at: ({ startAt }) => startAt && new Date(startAt),
  end_at: ({ endAt }) => endAt && new Date(endAt),
  evidence: toJson,
};

/** A Parquet table of events. */
export function writeParquet(events: EventSource): AsyncGenerator<Uint8Array> {
  const columns = Object.entries(FIELDS).map(
    ([name, read]): ParquetColumn<ExportedEvent> => ({ schema: single(name, KINDS[name] ?? TEXT), read }),
  );
  return writeParquetTable(columns, events());
}
