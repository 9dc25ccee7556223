import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { EventSource, ExportedEvent } from '../types.ts';
import { COLUMNS, toJson } from './table.ts';

/** Events of a row group, which is in memory as a whole. */
const GROUP_ROWS = 5_000;

const KINDS: Record<
  string,
  { type: 'DOUBLE' } | { type: 'BOOLEAN' } | { type: 'INT64'; converted_type: 'TIMESTAMP_MILLIS' }
> = {
  start_s: { type: 'DOUBLE' },
  end_s: { type: 'DOUBLE' },
  confidence: { type: 'DOUBLE' },
  added: { type: 'BOOLEAN' },
  created_at: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
};
const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;

/** The columns of the table, and `evidence` with the frames of the event as JSON. */
const FIELDS: Record<string, (event: ExportedEvent) => unknown> = {
  ...COLUMNS,
  created_at: (event) => new Date(event.createdAt),
  evidence: toJson,
};

/** A Parquet table, compressed with Snappy. */
export async function* writeParquet(events: EventSource): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter();
  const fields = Object.keys(FIELDS).map((name) => ({
    ...{ name, repetition_type: 'OPTIONAL' as const },
    ...(KINDS[name] ?? TEXT),
  }));
  const writer = new ParquetWriter({
    writer: bytes,
    schema: [{ name: 'events', num_children: fields.length }, ...fields],
    createdBy: 'sightline',
  });
  const drain = () => {
    const written = bytes.getBytes().slice();
    bytes.index = 0;
    return written;
  };
  const writeGroup = async (rows: ExportedEvent[]) => {
    const columnData = Object.entries(FIELDS).map(([name, read]) => ({ name, data: rows.map(read) }));
    await writer.write({ columnData, rowGroupSize: GROUP_ROWS });
  };
  let rows: ExportedEvent[] = [];
  for await (const event of events()) {
    rows.push(event);
    if (rows.length < GROUP_ROWS) continue;
    await writeGroup(rows);
    yield drain();
    rows = [];
  }
  if (rows.length > 0) await writeGroup(rows);
  await writer.finish();
  yield drain();
}
