import { McapIndexedReader, McapStreamReader, type McapTypes } from '@mcap/core';
import { Problem } from '#platform/problem';
import { addLoss, type Bounds, checkChannels, checkSize, createBounds } from './bounds.ts';
import { loadDecompressors } from './decompress.ts';
import { recordingProblem } from './problems.ts';
import { type Loss, type Records, recordsFrom, recordsOf } from './records.ts';
import type { Source } from './source.ts';

export type Channel = {
  id: number;
  /** What the channel is called towards users: its topic, or `topic#id` where several channels have one topic. */
  name: string;
  topic: string;
  messageEncoding: string;
  schema: { name: string; encoding: string; data: Uint8Array } | null;
  /** How many messages it has; null when the recording does not say. */
  messages: number | null;
};

export type Message = { channelId: number; logTimeNs: bigint; data: Uint8Array };

export type Recording = {
  channels: readonly Channel[];
  /** Times of the first and the last message, by the recorder's clock; null when there are none. */
  startNs: bigint | null;
  endNs: bigint | null;
  /** Whether the messages are found by an index, so that only what is wanted is read. */
  indexed: boolean;
  /** What was lost, as far as was read: grows while messages are read. */
  losses: readonly Loss[];
  /** The messages of some channels in the order of their log times, as far as the file has that order; those that cannot be read become losses. */
  messages(channelIds: ReadonlySet<number>): AsyncGenerator<Message>;
};

const HEAD = Buffer.from([0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a]);

/**
 * Opens a recording: by its index where it has one that can be trusted, else by reading all of it. What is damaged costs what lies there and no
 * more. Throws `recording_unreadable` (400) when it is no MCAP file, `recording_empty` (400) when it names no channel,
 * and `recording_over_limit` (400), also while messages are read, when that takes more than `bounds`.
 */
export async function openRecording(source: Source, bounds = createBounds(source.size)): Promise<Recording> {
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
  source: Source,
  decompressHandlers: McapTypes.DecompressHandlers,
): Promise<McapIndexedReader | { unusable: string }> {
  const readable = {
    size: async () => BigInt(source.size),
    read: (at: bigint, length: bigint) => {
      checkSize(length);
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

function hasOverlap(chunks: readonly Records['ChunkIndex'][]): boolean {
  const placed = chunks.toSorted((a, b) => compare(a.chunkStartOffset, b.chunkStartOffset));
  return placed.some((chunk, i) => {
    const before = placed[i - 1];
    return before && before.chunkStartOffset + before.chunkLength > chunk.chunkStartOffset;
  });
}

/** By the index: only the chunks that hold messages of the wanted channels are read, each on its own, so that a damaged one costs itself. */
function byIndex(
  source: Source,
  handlers: McapTypes.DecompressHandlers,
  bounds: Bounds,
  { chunkIndexes, channelsById, schemasById, statistics }: McapIndexedReader,
): Recording {
  checkChannels(channelsById.size, 0);
  bounds.addRecords(statistics?.messageCount ?? 0);
  const losses: Loss[] = [];
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
      const holds = ({ messageIndexOffsets: offsets }: Records['ChunkIndex']) =>
        offsets.size === 0 || offsets.keys().some((id) => wanted.has(id));
      bounds.startPass();
      const pending = createPending(bounds);
      const chunkReader = createChunkReader(handlers, bounds, channelsById, wanted);
      const holding = chunks.filter(holds);
      let next = load(source, holding[0]);
      for (const [i, chunk] of holding.entries()) {
        yield* pending.before(chunk.messageStartTime);
        const coming = next;
        // Read from the disk or the network while this one is worked on.
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

/** Begins to read a chunk's bytes; what is wrong is told to who waits for them. */
function load(source: Source, chunk: Records['ChunkIndex'] | undefined): Promise<Uint8Array> {
  const loading = (async () => {
    if (!chunk) return new Uint8Array();
    checkSize(chunk.chunkLength);
    checkSize(chunk.uncompressedSize);
    return source.read(Number(chunk.chunkStartOffset), Number(chunk.chunkLength));
  })();
  loading.catch(() => {});
  return loading;
}

/** Reads the wanted messages of one chunk after the other; after a damaged one it starts with a new reader. */
function createChunkReader(
  decompressHandlers: McapTypes.DecompressHandlers,
  bounds: Bounds,
  channels: ReadonlyMap<number, Records['Channel']>,
  wanted: ReadonlySet<number>,
) {
  // Messages are copied out of the reader's memory, which is used for each chunk again.
  let reader: McapStreamReader | null = null;
  const told = new Set<number>();
  return (bytes: Uint8Array, { messageIndexOffsets }: Records['ChunkIndex']): Message[] => {
    if (!reader) told.clear();
    const current = reader ?? new McapStreamReader({ noMagicPrefix: true, includeChunks: true, decompressHandlers });
    reader = null;
    const missed = [...messageIndexOffsets.keys()].filter((id) => !told.has(id));
    current.append(recordsOf(missed.flatMap((id) => channels.get(id) ?? [])));
    current.append(bytes);
    const messages: Message[] = [];
    let found = false;
    for (let record = current.nextRecord(); record; record = current.nextRecord()) {
      bounds.tick();
      if (record.type === 'Chunk') {
        found = true;
        if (record.compression === '') bounds.checkRecords(record.records, record.records.length);
      } else if (record.type === 'Message' && wanted.has(record.channelId)) messages.push(messageOf(record));
    }
    if (!found || current.bytesRemaining() > 0) throw new Error('there is no whole chunk where the index says');
    for (const id of missed) told.add(id);
    reader = current;
    return messages;
  };
}

/** What a message takes in memory besides its data, roughly. */
const MESSAGE_BYTES = 1024;
/** Messages that overlap the next chunk in time and wait for it take at most this much memory. */
const MAX_PENDING_BYTES = 64 * 2 ** 20;

/** Messages that wait for those of later chunks that may come before them. Past a bound they go all the same. */
function createPending(bounds: Bounds) {
  let messages: Message[] = [];
  let bytes = 0;
  function* take(count: number): Generator<Message> {
    const taken = messages.splice(0, count);
    for (const message of taken) bytes -= message.data.length + MESSAGE_BYTES;
    for (const message of taken) {
      bounds.tick();
      yield message;
    }
  }
  const sort = () => messages.sort((a, b) => compare(a.logTimeNs, b.logTimeNs));
  return {
    add(message: Message) {
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

/** Without an index: everything is read once to know what there is, and once more for each who wants messages. */
async function scan(
  source: Source,
  handlers: McapTypes.DecompressHandlers,
  bounds: Bounds,
  unindexed: string,
): Promise<Recording> {
  const channels = new Map<number, Records['Channel']>();
  const schemas = new Map<number, Records['Schema']>();
  const counts = new Map<number, bigint>();
  const losses: Loss[] = [];
  let startNs: bigint | null = null;
  let endNs: bigint | null = null;
  let schemaBytes = 0;
  for await (const record of recordsFrom(source, handlers, bounds, losses)) {
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
  // An index that is there and cannot be read says something of the file, also when all of its messages could be.
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
      for await (const record of recordsFrom(source, handlers, bounds, [])) {
        if (record.type === 'Message' && wanted.has(record.channelId)) yield messageOf(record);
      }
    },
  };
}

const messageOf = ({ channelId, logTime, data }: Records['Message']): Message => ({
  channelId,
  logTimeNs: logTime,
  data,
});

function channelsOf(
  channels: ReadonlyMap<number, Records['Channel']>,
  schemas: ReadonlyMap<number, Records['Schema']>,
  count: (id: number) => bigint | undefined,
): Channel[] {
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
