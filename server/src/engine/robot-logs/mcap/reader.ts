import { McapIndexedReader, McapStreamReader, type McapTypes } from '@mcap/core';
import { Problem } from '#platform/problem';
import { recordingProblem } from '../problems.ts';
import { loadDecompressors } from './decompress.ts';
import { addLoss, checkChannels, checkChunkSize, createReadLimits, type ReadLimits } from './limits.ts';
import { type DataLoss, encodeChannels, type McapRecords, streamRecords } from './record-stream.ts';
import type { RecordingSource } from './source.ts';

export type RecordingChannel = {
  id: number;
  /** Displayed name: its topic, or `topic#id` if several channels have the same topic. */
  name: string;
  topic: string;
  messageEncoding: string;
  schema: { name: string; encoding: string; data: Uint8Array } | null;
  /** Number of its messages; null if the recording does not state it. */
  messages: number | null;
};

export type RecordedMessage = { channelId: number; logTimeNs: bigint; data: Uint8Array };

export type OpenRecording = {
  channels: readonly RecordingChannel[];
  /** Times of the first and the last message by the recorder's clock; null without messages. */
  startNs: bigint | null;
  endNs: bigint | null;
  /** True if messages are found by an index, so that only requested chunks are read. */
  indexed: boolean;
  /** Unreadable ranges, as far as the recording was read; grows while messages are read. */
  losses: readonly DataLoss[];
  /** Messages of some channels by log time, as far as the file has that order. Unreadable ones become losses. */
  messages(channelIds: ReadonlySet<number>): AsyncGenerator<RecordedMessage>;
};

const HEAD = Buffer.from([0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a]);

/**
 * Opens a recording by its index if it has a reliable one, otherwise by reading all of it. Damage affects only the
 * damaged range. Throws `recording_unreadable` (400) for other files, `recording_empty` (400) without channels, and
 * `recording_over_limit` (400), also while messages are read.
 */
export async function openRecording(
  source: RecordingSource,
  bounds = createReadLimits(source.size),
): Promise<OpenRecording> {
  const head = await source.read(0, Math.min(HEAD.length, source.size));
  if (!HEAD.equals(head)) throw recordingProblem.recording_unreadable();
  const handlers = await loadDecompressors(bounds);
  const index = await readIndex(source, handlers);
  const recording =
    'unusable' in index
      ? await scan(source, handlers, bounds, index.unusable)
      : byIndex(source, handlers, bounds, index);
  if (recording.channels.length === 0) {
    const [lost] = recording.losses;
    throw recordingProblem.recording_empty(lost && `No message of the recording could be read: ${lost.reason}.`);
  }
  return recording;
}

async function readIndex(
  source: RecordingSource,
  decompressHandlers: McapTypes.DecompressHandlers,
): Promise<McapIndexedReader | { unusable: string }> {
  const readable = {
    size: async () => BigInt(source.size),
    read: (at: bigint, length: bigint) => {
      checkChunkSize(length);
      return source.read(Number(at), Number(length));
    },
  };
  try {
    const index = await McapIndexedReader.Initialize({ readable, decompressHandlers });
    const { statistics, chunkIndexes, channelsById } = index;
    const chunks = statistics?.chunkCount ?? chunkIndexes.length;
    const messages = statistics?.messageCount ?? 1n;
    if (hasOverlap(chunkIndexes)) return { unusable: 'it points to the same bytes more than once' };
    const complete = chunkIndexes.length === chunks && (chunkIndexes.length > 0 || messages === 0n);
    return complete && (channelsById.size > 0 || messages === 0n) ? index : { unusable: '' };
  } catch (error) {
    return { unusable: (error as Error).message };
  }
}

function hasOverlap(chunks: readonly McapRecords['ChunkIndex'][]): boolean {
  const placed = chunks.toSorted((a, b) => compare(a.chunkStartOffset, b.chunkStartOffset));
  return placed.some((chunk, i) => {
    const before = placed[i - 1];
    return before && before.chunkStartOffset + before.chunkLength > chunk.chunkStartOffset;
  });
}

/** Reads by the index: only chunks with messages of the requested channels, each independently of damage in others. */
function byIndex(
  source: RecordingSource,
  handlers: McapTypes.DecompressHandlers,
  bounds: ReadLimits,
  { chunkIndexes, channelsById, schemasById, statistics }: McapIndexedReader,
): OpenRecording {
  checkChannels(channelsById.size, 0);
  bounds.addRecords(statistics?.messageCount ?? 0);
  const losses: DataLoss[] = [];
  const chunks = chunkIndexes.toSorted((a, b) => compare(a.messageStartTime, b.messageStartTime));
  const filled = chunks.filter((chunk) => chunk.messageStartTime > 0n || chunk.messageIndexLength > 0n);
  return {
    channels: channelsOf(
      channelsById,
      schemasById,
      (id) => statistics && (statistics.channelMessageCounts.get(id) ?? 0n),
    ),
    startNs: filled[0]?.messageStartTime ?? null,
    endNs: filled.reduce<bigint | null>((end, { messageEndTime: at }) => (end === null || at > end ? at : end), null),
    indexed: true,
    losses,
    async *messages(wanted) {
      const holds = ({ messageIndexOffsets: offsets }: McapRecords['ChunkIndex']) =>
        offsets.size === 0 || offsets.keys().some((id) => wanted.has(id));
      bounds.startPass();
      const pending = createPending(bounds);
      const chunkReader = createChunkReader(handlers, bounds, channelsById, wanted);
      const holding = chunks.filter(holds);
      let next = load(source, holding[0]);
      for (const [i, chunk] of holding.entries()) {
        yield* pending.before(chunk.messageStartTime);
        const coming = next;
        // Loads the next chunk while this one is processed.
        next = load(source, holding[i + 1]);
        try {
          for (const message of chunkReader(await coming, chunk)) pending.add(message);
        } catch (error) {
          if (error instanceof Problem) throw error;
          const { messageStartTime: fromNs, messageEndTime: untilNs } = chunk;
          addLoss(losses, { reason: (error as Error).message, fromNs, untilNs });
        }
      }
      yield* pending.rest();
    },
  };
}

/** Starts to read a chunk. Errors are thrown where the result is awaited. */
function load(source: RecordingSource, chunk: McapRecords['ChunkIndex'] | undefined): Promise<Uint8Array> {
  const loading = (async () => {
    if (!chunk) return new Uint8Array();
    checkChunkSize(chunk.chunkLength);
    checkChunkSize(chunk.uncompressedSize);
    return source.read(Number(chunk.chunkStartOffset), Number(chunk.chunkLength));
  })();
  loading.catch(() => {});
  return loading;
}

/** Reads the requested messages of one chunk after another. A damaged chunk is followed by a new reader. */
function createChunkReader(
  decompressHandlers: McapTypes.DecompressHandlers,
  bounds: ReadLimits,
  channels: ReadonlyMap<number, McapRecords['Channel']>,
  wanted: ReadonlySet<number>,
) {
  // The reader is reused for all chunks; messages are copied out of its memory.
  let reader: McapStreamReader | null = null;
  const sentChannels = new Set<number>();
  return (bytes: Uint8Array, { messageIndexOffsets }: McapRecords['ChunkIndex']): RecordedMessage[] => {
    if (!reader) sentChannels.clear();
    const current = reader ?? new McapStreamReader({ noMagicPrefix: true, includeChunks: true, decompressHandlers });
    reader = null;
    const missed = [...messageIndexOffsets.keys()].filter((id) => !sentChannels.has(id));
    current.append(encodeChannels(missed.flatMap((id) => channels.get(id) ?? [])));
    current.append(bytes);
    const messages: RecordedMessage[] = [];
    let found = false;
    for (let record = current.nextRecord(); record; record = current.nextRecord()) {
      bounds.tick();
      if (record.type === 'Chunk') {
        found = true;
        if (record.compression === '') bounds.checkRecords(record.records, record.records.length);
      } else if (record.type === 'Message' && wanted.has(record.channelId)) messages.push(messageOf(record));
    }
    if (!found || current.bytesRemaining() > 0) throw new Error('there is no whole chunk where the index says');
    for (const id of missed) sentChannels.add(id);
    reader = current;
    return messages;
  };
}

/** Approximate memory of a message besides its data. */
const MESSAGE_BYTES = 1024;
/** Maximum memory of messages that wait for later chunks because of overlapping times. */
const MAX_PENDING_BYTES = 64 * 2 ** 20;

/** Sorts messages of chunks that overlap in time. Messages over the memory limit are emitted without waiting. */
function createPending(bounds: ReadLimits) {
  let messages: RecordedMessage[] = [];
  let bytes = 0;
  function* take(count: number): Generator<RecordedMessage> {
    const taken = messages.splice(0, count);
    for (const message of taken) bytes -= message.data.length + MESSAGE_BYTES;
    for (const message of taken) {
      bounds.tick();
      yield message;
    }
  }
  const sort = () => messages.sort((a, b) => compare(a.logTimeNs, b.logTimeNs));
  return {
    add(message: RecordedMessage) {
      messages.push(message);
      bytes += message.data.length + MESSAGE_BYTES;
    },
    *before(timeNs: bigint) {
      sort();
      const later = messages.findIndex(({ logTimeNs }) => logTimeNs >= timeNs);
      yield* take(later < 0 || bytes > MAX_PENDING_BYTES ? messages.length : later);
    },
    *rest() {
      sort();
      yield* take(messages.length);
      messages = [];
    },
  };
}

/** Reads without an index: everything once for the channels, and again for each request of messages. */
async function scan(
  source: RecordingSource,
  handlers: McapTypes.DecompressHandlers,
  bounds: ReadLimits,
  unindexed: string,
): Promise<OpenRecording> {
  const channels = new Map<number, McapRecords['Channel']>();
  const schemas = new Map<number, McapRecords['Schema']>();
  const counts = new Map<number, bigint>();
  const losses: DataLoss[] = [];
  let startNs: bigint | null = null;
  let endNs: bigint | null = null;
  let schemaBytes = 0;
  for await (const record of streamRecords(source, handlers, bounds, losses)) {
    if (record.type === 'Channel') channels.set(record.id, record);
    else if (record.type === 'Schema') {
      schemaBytes += record.data.length - (schemas.get(record.id)?.data.length ?? 0);
      schemas.set(record.id, record);
    } else {
      counts.set(record.channelId, (counts.get(record.channelId) ?? 0n) + 1n);
      if (startNs === null || record.logTime < startNs) startNs = record.logTime;
      if (endNs === null || record.logTime > endNs) endNs = record.logTime;
    }
    checkChannels(channels.size, schemaBytes);
  }
  // An unreadable index is a sign of damage even if all messages are readable.
  if (unindexed && losses.length === 0 && !/not indexed/.test(unindexed)) {
    losses.push({ reason: `the index cannot be used (${unindexed})`, fromNs: endNs, untilNs: endNs });
  }
  return {
    channels: channelsOf(channels, schemas, (id) => counts.get(id) ?? 0n),
    startNs,
    endNs,
    indexed: false,
    losses,
    async *messages(wanted) {
      for await (const record of streamRecords(source, handlers, bounds, [])) {
        if (record.type === 'Message' && wanted.has(record.channelId)) yield messageOf(record);
      }
    },
  };
}

const messageOf = ({ channelId, logTime, data }: McapRecords['Message']): RecordedMessage => ({
  channelId,
  logTimeNs: logTime,
  data,
});

function channelsOf(
  channels: ReadonlyMap<number, McapRecords['Channel']>,
  schemas: ReadonlyMap<number, McapRecords['Schema']>,
  count: (id: number) => bigint | undefined,
): RecordingChannel[] {
  const topics = Map.groupBy(channels.values(), ({ topic }) => topic);
  return [...channels.values()].map(({ id, topic, messageEncoding, schemaId }) => {
    const schema = schemas.get(schemaId);
    const messages = count(id);
    return {
      id,
      name: topics.get(topic)!.length > 1 ? `${topic}#${id}` : topic,
      topic,
      messageEncoding,
      schema: schema ? { name: schema.name, encoding: schema.encoding, data: schema.data } : null,
      messages: messages === undefined ? null : Number(messages),
    };
  });
}

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);
