import { McapRecordBuilder, McapStreamReader, type McapTypes } from '@mcap/core';
import { Problem } from '#platform/problem';
import { createDataChecksum } from './data-checksum.ts';
import { addLoss, MAX_CHUNK_BYTES, type ReadLimits } from './limits.ts';
import type { RecordingSource } from './source.ts';

export type McapRecords = McapTypes.TypedMcapRecords;

/** A range that could not be read, by the recorder's clock; null: from the start, until the end. */
export type DataLoss = { reason: string; fromNs: bigint | null; untilNs: bigint | null };

/** Maximum size of a record; chunks have their own limit. */
const MAX_RECORD_BYTES = MAX_CHUNK_BYTES + 2 ** 20;
const PRIVATE_OPCODES = 0x80;

type Read = McapRecords['Channel'] | McapRecords['Schema'] | McapRecords['Message'];

/** Reads channels, schemas and messages from the start of a file to its last readable record. Skips damaged chunks. */
export async function* streamRecords(
  source: RecordingSource,
  decompressHandlers: McapTypes.DecompressHandlers,
  bounds: ReadLimits,
  losses: DataLoss[],
): AsyncGenerator<Read> {
  bounds.startPass();
  const known = new Map<number, McapRecords['Channel']>();
  let lastNs: bigint | null = null;
  for (let from = 0; ; ) {
    const reader = new McapStreamReader({ decompressHandlers, includeChunks: true, noMagicPrefix: from > 0 });
    if (from > 0) reader.append(encodeChannels(known.values()));
    const crc = createDataChecksum();
    let at = from;
    /** The current chunk, and the offset after it. */
    let chunk: { record: McapRecords['Chunk']; end: number } | null = null;
    let read = 0;
    const lose = (reason: string, fromNs: bigint | null, untilNs: bigint | null) =>
      addLoss(losses, { reason, fromNs, untilNs });
    bounds.checkTime();
    try {
      for await (const bytes of source.stream(from)) {
        reader.append(bytes);
        crc.add(bytes);
        at += bytes.length;
        for (let record = reader.nextRecord(); record; record = reader.nextRecord()) {
          if (at > from && record.type !== 'Channel') read++;
          bounds.tick();
          if (record.type === 'Chunk') {
            chunk = { record, end: at - reader.bytesRemaining() };
            if (record.compression === '') bounds.checkRecords(record.records, record.records.length);
          } else if (record.type === 'Message' || record.type === 'Channel' || record.type === 'Schema') {
            if (record.type === 'Message') lastNs = record.logTime;
            if (record.type === 'Channel') known.set(record.id, record);
            yield record;
          } else {
            chunk = null;
            const end = at - reader.bytesRemaining();
            if (record.type === 'DataEnd' && from === 0 && ![0, crc.before(end)].includes(record.dataSectionCrc))
              lose('its checksum says that something in it was changed', null, null);
            // Private opcodes belong to the writer of the recording; other unknown ones are damage.
            if (record.type === 'Unknown' && record.opcode < PRIVATE_OPCODES)
              lose('a record is of no known kind', lastNs, lastNs);
          }
        }
        if (reader.done()) return;
        checkRecord(reader.bytesRemaining());
      }
      lose('the file ends in the middle of the recording', lastNs, null);
      return;
    } catch (error) {
      if (error instanceof Problem) throw error;
      const { message: reason } = error as Error;
      if (!chunk) {
        // The previous chunk was readable; the data after it is damaged.
        if (read === 0) losses.pop();
        lose(reason, lastNs, null);
        return;
      }
      lose(reason, chunk.record.messageStartTime, chunk.record.messageEndTime);
      from = chunk.end;
    }
  }
}

function checkRecord(waitingBytes: number): void {
  if (waitingBytes > MAX_RECORD_BYTES) throw new Error('a record claims more bytes than are accepted');
}

/** Encodes channel records for a reader that starts in the middle of a file. */
export function encodeChannels(channels: Iterable<McapRecords['Channel']>): Uint8Array {
  const builder = new McapRecordBuilder();
  for (const channel of channels) builder.writeChannel(channel);
  return builder.buffer;
}
