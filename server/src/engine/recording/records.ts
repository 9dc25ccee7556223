import { McapRecordBuilder, McapStreamReader, type McapTypes } from '@mcap/core';
import { Problem } from '#platform/problem';
import { addLoss, type Bounds, MAX_CHUNK_BYTES } from './bounds.ts';
import { createDataCrc } from './data-crc.ts';
import type { Source } from './source.ts';

export type Records = McapTypes.TypedMcapRecords;

/** A stretch that could not be read, by the recorder's clock; null: from the start, until the end. */
export type Loss = { reason: string; fromNs: bigint | null; untilNs: bigint | null };

/** A record larger than this is no message of a recording that can be worked on. Chunks are held apart. */
const MOST_RECORD_BYTES = MAX_CHUNK_BYTES + 2 ** 20;
const PRIVATE_OPCODES = 0x80;

type Read = Records['Channel'] | Records['Schema'] | Records['Message'];

/** Channels, schemas and messages from the start of the file to its end, or to where nothing more can be made of it; damaged chunks are passed over. */
export async function* recordsFrom(
  source: Source,
  decompressHandlers: McapTypes.DecompressHandlers,
  bounds: Bounds,
  losses: Loss[],
): AsyncGenerator<Read> {
  bounds.startPass();
  const known = new Map<number, Records['Channel']>();
  let lastNs: bigint | null = null;
  for (let from = 0; ; ) {
    const reader = new McapStreamReader({ decompressHandlers, includeChunks: true, noMagicPrefix: from > 0 });
    if (from > 0) reader.append(recordsOf(known.values()));
    const crc = createDataCrc();
    let at = from;
    /** The chunk whose contents are being read, and where what follows it begins. */
    let chunk: { record: Records['Chunk']; end: number } | null = null;
    let read = 0;
    const lose = (reason: string, fromNs: bigint | null, untilNs: bigint | null) =>
      addLoss(losses, { reason, fromNs, untilNs });
    bounds.checkTime();
    try {
      for await (const piece of source.stream(from)) {
        reader.append(piece);
        crc.add(piece);
        at += piece.length;
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
            // Kinds that are not the format's own to define belong to whoever wrote them; the others are damage.
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
        // Nothing came after the chunk before: it was what follows it that cannot be read.
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
  if (waitingBytes > MOST_RECORD_BYTES) throw new Error('a record claims more bytes than are accepted');
}

/** Channel records to tell a reader that begins in the middle what it has missed. */
export function recordsOf(channels: Iterable<Records['Channel']>): Uint8Array {
  const builder = new McapRecordBuilder();
  for (const channel of channels) builder.writeChannel(channel);
  return builder.buffer;
}
