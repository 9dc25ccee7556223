import { ByteWriter, ParquetWriter } from 'hyparquet-writer';

type WriterOptions = ConstructorParameters<typeof ParquetWriter>[0];
type SchemaElement = WriterOptions['schema'][number];
type KeyValue = NonNullable<WriterOptions['kvMetadata']>[number];

/** A column: its schema, whose first element has the name of the column, and its values. */
export type ParquetColumn<Row> = { schema: SchemaElement[]; read: (row: Row) => unknown };

/** Rows of a group, which is in memory as a whole. */
const GROUP_ROWS = 5_000;

/** Writes a Parquet table, compressed with Snappy. */
export async function* writeParquetTable<Row>(
  columns: readonly ParquetColumn<Row>[],
  rows: Iterable<Row> | AsyncIterable<Row>,
  kvMetadata: KeyValue[] = [],
): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({
    writer: bytes,
    schema: [{ name: 'schema', num_children: columns.length }, ...columns.flatMap(({ schema }) => schema)],
    kvMetadata,
    createdBy: 'sightline',
  });
  const drain = () => {
    const written = bytes.getBytes().slice();
    bytes.index = 0;
    return written;
  };
  const writeGroup = (group: readonly Row[]) => {
    const columnData = columns.map(({ schema, read }) => ({ name: schema[0]!.name, data: group.map(read) }));
    return writer.write({ columnData, rowGroupSize: GROUP_ROWS });
  };
  let group: Row[] = [];
  for await (const row of rows) {
    group.push(row);
    if (group.length < GROUP_ROWS) continue;
    await writeGroup(group);
    yield drain();
    group = [];
  }
  if (group.length > 0) await writeGroup(group);
  await writer.finish();
  yield drain();
}

type Leaf = Pick<SchemaElement, 'type' | 'converted_type'>;

export const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
export const DOUBLE = { type: 'DOUBLE' } as const;
/** Values are of type `bigint`. */
export const INT64 = { type: 'INT64' } as const;

/** The schema of a column of single values, which may be null. */
export const single = (name: string, leaf: Leaf): SchemaElement[] => [{ name, repetition_type: 'OPTIONAL', ...leaf }];

/** The schema of a column of lists; `depth` 2 for lists of lists. */
export function list(name: string, leaf: Leaf, depth = 1): SchemaElement[] {
  if (depth === 0) return single(name, leaf);
  return [
    { name, repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    ...list('element', leaf, depth - 1),
  ];
}
