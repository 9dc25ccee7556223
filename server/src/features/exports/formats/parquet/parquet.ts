import type { EventSource, ExportedEvent } from '../../types.ts';
import { COLUMNS, toJson } from '../table.ts';
import { DOUBLE, type ParquetColumn, single, TEXT, writeParquetTable } from './table.ts';

const KINDS: Record<string, Parameters<typeof single>[1]> = {
  start_s: DOUBLE,
  end_s: DOUBLE,
  confidence: DOUBLE,
  added: { type: 'BOOLEAN' },
  created_at: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
};

/** The columns of the table, and `evidence` with the frames of the event as JSON. */
const FIELDS: Record<string, (event: ExportedEvent) => unknown> = {
  ...COLUMNS,
  created_at: (event) => new Date(event.createdAt),
  evidence: toJson,
};

/** A Parquet table of events. */
export function writeParquet(events: EventSource): AsyncGenerator<Uint8Array> {
  const columns = Object.entries(FIELDS).map(
    ([name, read]): ParquetColumn<ExportedEvent> => ({ schema: single(name, KINDS[name] ?? TEXT), read }),
  );
  return writeParquetTable(columns, events());
}
