import { zstdCompressSync } from 'node:zlib';
import { McapRecordBuilder, type McapTypes } from '@mcap/core';

/** Recordings that ask for far more than their size: each a few kilobytes, or at most a few megabytes. */

const MiB = 2 ** 20;
type Write = (builder: McapRecordBuilder) => void;

const recordsOf = (write: Write): Buffer => {
  const builder = new McapRecordBuilder();
  write(builder);
  return Buffer.from(builder.buffer);
};

/** A record with any content, also invalid one. `claims` is the stated length. */
function record(opcode: number, content: Uint8Array, claims: number | bigint = content.length): Buffer {
  const head = Buffer.alloc(9);
  head[0] = opcode;
  head.writeBigUInt64LE(BigInt(claims), 1);
  return Buffer.concat([head, content]);
}

const CAMERA = 'foxglove.CompressedImage';
type ChannelOf = Partial<McapTypes.TypedMcapRecords['Channel']>;
const channel = (more: ChannelOf = {}): Write => {
  const { type: _, ...rest } = { type: 'Channel', id: 1, schemaId: 1, topic: '/a', messageEncoding: 'json', ...more };
  return (builder) => builder.writeChannel({ metadata: new Map(), ...rest });
};
const schema = (name: string, data: Uint8Array = Buffer.from('{}'), encoding = 'jsonschema', id = 1): Write => {
  return (builder) => builder.writeSchema({ id, name, encoding, data });
};
const messages = (count: number, data: Uint8Array = new Uint8Array()): Buffer =>
  recordsOf((builder) => {
    for (let i = 0; i < count; i++) {
      builder.writeMessage({ channelId: 1, sequence: 0, logTime: 1n, publishTime: 1n, data });
    }
  });

type Packed = { compression: 'zstd' | 'lz4' | ''; stored: Uint8Array; size: number };
const zstd = (records: Uint8Array): Packed => ({
  compression: 'zstd',
  size: records.length,
  stored: zstdCompressSync(records),
});
/**
 * Zeros as an LZ4 frame with blocks of 4 MiB (LZ4 Frame Format 1.6): one literal, a match of the block's length, five
 * literals.
 */
function lz4Zeros(blocks: number): Packed {
  const length = 4 * MiB - 1 - 5 - 4 - 15;
  const more = Buffer.alloc(Math.floor(length / 255) + 1, 255);
  more[more.length - 1] = length % 255;
  const block = Buffer.concat([Buffer.from([0x1f, 0, 1, 0]), more, Buffer.from([0x50, 0, 0, 0, 0, 0])]);
  const head = Buffer.alloc(4);
  head.writeUInt32LE(block.length);
  const frames = Array.from({ length: blocks }, () => [head, block]).flat();
  const stored = Buffer.concat([Buffer.from('04224d18607073', 'hex'), ...frames, Buffer.alloc(4)]);
  return { compression: 'lz4', stored, size: blocks * 4 * MiB };
}
const plain = (records: Uint8Array): Packed => ({ compression: '', stored: records, size: records.length });

const chunk = ({ compression, stored, size }: Packed, { crc = 0, endNs = 1n } = {}): Buffer =>
  recordsOf((builder) =>
    builder.writeChunk({
      messageStartTime: 1n,
      messageEndTime: endNs,
      uncompressedSize: BigInt(size),
      uncompressedCrc: crc,
      compression,
      records: stored,
    }),
  );

const MAGIC = recordsOf((builder) => builder.writeMagic());
const HEAD = recordsOf((builder) => {
  builder.writeMagic();
  builder.writeHeader({ profile: '', library: '' });
});

/** A complete recording of these parts, with an index that `index` builds from their offsets. */
function recording(parts: readonly Buffer[], index?: (places: Place[]) => Buffer): Buffer {
  let at = HEAD.length;
  const places = parts.map((part) => {
    const place = { at, length: part.length };
    at += part.length;
    return place;
  });
  const dataEnd = recordsOf((builder) => builder.writeDataEnd({ dataSectionCrc: 0 }));
  const summary = index?.(places) ?? Buffer.alloc(0);
  const summaryStart = summary.length > 0 ? BigInt(at + dataEnd.length) : 0n;
  const footer = recordsOf((builder) => builder.writeFooter({ summaryStart, summaryOffsetStart: 0n, summaryCrc: 0 }));
  return Buffer.concat([HEAD, ...parts, dataEnd, summary, footer, MAGIC]);
}
type Place = { at: number; length: number };

const statistics = (messageCount: number, chunkCount: number): Write => {
  const counts = { messageCount: BigInt(messageCount), schemaCount: 1, channelCount: 1, chunkCount };
  const rest = { attachmentCount: 0, metadataCount: 0, messageStartTime: 1n, messageEndTime: 1n };
  const channelMessageCounts = new Map([[1, BigInt(messageCount)]]);
  return (builder) => builder.writeStatistics({ ...counts, ...rest, channelMessageCounts });
};
const indexOf = (places: readonly Place[], name: string, messageCount: number) =>
  recordsOf((builder) => {
    schema(name)(builder);
    channel()(builder);
    for (const { at, length } of places) {
      builder.writeChunkIndex({
        messageStartTime: 1n,
        messageEndTime: 1n,
        chunkStartOffset: BigInt(at),
        chunkLength: BigInt(length),
        messageIndexOffsets: new Map(),
        messageIndexLength: 1n,
        compression: 'zstd',
        compressedSize: BigInt(length),
        uncompressedSize: 1n,
      });
    }
    statistics(messageCount, places.length)(builder);
  });

const described = (name: string) =>
  recordsOf((builder) => {
    schema(name)(builder);
    channel()(builder);
  });
const withChannel = (name: string, records: Buffer) => Buffer.concat([described(name), records]);
const lying = Buffer.alloc(40, 0xff);
const many = (count: number, of: (i: number) => Write) =>
  recordsOf((builder) => Array.from({ length: count }, (_, i) => of(i)(builder)));

/** Each with what its reading has to end with: a sentence of a refusal, or of what was lost. */
export const HOSTILE_RECORDINGS: Record<string, { bytes: () => Buffer; reason: RegExp }> = {
  'a chunk of zeros, zstd': {
    bytes: () => recording([described('t'), chunk(zstd(Buffer.alloc(255 * MiB)))]),
    reason: /expands to 267386880/,
  },
  'a smaller chunk of zeros, zstd': {
    bytes: () => recording([described('t'), chunk(zstd(Buffer.alloc(24 * MiB)))]),
    reason: /more than the \d+ records/,
  },
  'a chunk of zeros, lz4': {
    bytes: () => recording([described('t'), chunk(lz4Zeros(63))]),
    reason: /expands to 264241152/,
  },
  'a smaller chunk of zeros, lz4': {
    bytes: () => recording([described('t'), chunk(lz4Zeros(6))]),
    reason: /more than the \d+ records/,
  },
  'zeros without compression': {
    bytes: () => recording([described('t'), chunk(plain(Buffer.alloc(2 * MiB)))]),
    reason: /no known kind/,
  },
  'empty messages in one chunk': {
    bytes: () => recording([chunk(zstd(withChannel('t', messages(700_000))))]),
    reason: /more than the \d+ records/,
  },
  ...Object.fromEntries(
    ['t', CAMERA].flatMap((name) =>
      [true, false].map((indexed) => {
        const packed = zstd(withChannel(name, messages(49_000)));
        const parts = Array.from({ length: 143 }, () => chunk(packed));
        const bytes = () => recording(parts, indexed ? (places) => indexOf(places, name, 143 * 49_000) : undefined);
        const title = `7 million empty messages in small chunks of ${name}, ${indexed ? 'with' : 'without'} an index`;
        return [title, { bytes, reason: /more than the \d+ records/ }];
      }),
    ),
  ),
  'an index that does not say how many messages there are': {
    bytes: () => {
      const packed = zstd(withChannel('t', messages(49_000)));
      return recording(
        Array.from({ length: 143 }, () => chunk(packed)),
        (places) => indexOf(places, 't', 1),
      );
    },
    reason: /accepted of its size/,
  },
  'a chunk in a chunk': {
    bytes: () => recording([described('t'), chunk(zstd(chunk(zstd(Buffer.alloc(200 * MiB)))))]),
    reason: /not allowed inside a chunk/,
  },
  'a size that is a lie': {
    bytes: () => {
      const { stored } = zstd(Buffer.alloc(255 * MiB));
      return recording([described('t'), chunk({ compression: 'zstd', stored, size: 1_000 })]);
    },
    reason: /./,
  },
  ...Object.fromEntries(
    [0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f].map((opcode) => [
      `counts and lengths without end in records of kind ${opcode}`,
      { bytes: () => recording([described('t'), record(opcode, lying)]), reason: /^/ },
    ]),
  ),
  ...Object.fromEntries(
    [2 ** 28, 2 ** 31, 2n ** 63n].map((claims) => [
      `a record that claims ${claims} bytes`,
      { bytes: () => recording([described('t'), record(0x09, lying, claims)]), reason: /./ },
    ]),
  ),
  'more channels than there are topics': {
    bytes: () => recording([chunk(zstd(many(65_000, (id) => channel({ id, schemaId: 0, topic: `/${id}` }))))]),
    reason: /more than 16384 channels/,
  },
  'hundreds of cameras': {
    bytes: () =>
      recording([described(CAMERA), many(300, (id) => channel({ id: id + 1, topic: id === 0 ? '/a' : `/${id}` }))]),
    reason: /300 image channels/,
  },
  'schemas by the megabyte': {
    bytes: () => {
      const chunks = Array.from({ length: 20 }, (_, i) =>
        chunk(zstd(many(4, (j) => schema(`s${j}`, Buffer.alloc(MiB, ' '), 'jsonschema', 1 + i * 4 + j)))),
      );
      return recording([described('t'), ...chunks]);
    },
    reason: /schemas take more than/,
  },
  'a channel with millions of words': {
    bytes: () => {
      const metadata = new Map(Array.from({ length: 500_000 }, (_, i) => [`${i}`, '']));
      return recording([described('t'), chunk(zstd(recordsOf(channel({ id: 2, schemaId: 0, metadata }))))]);
    },
    reason: /a channel takes \d+ bytes/,
  },
  'an index that points to one chunk again and again': {
    bytes: () => {
      const one = chunk(zstd(withChannel('t', messages(49_000))));
      return recording([one], (places) => indexOf(Array<Place>(10_000).fill(places[0]!), 't', 1_000));
    },
    reason: /the same bytes more than once/,
  },
  'an index that points everywhere': {
    bytes: () => {
      const one = chunk(zstd(withChannel('t', messages(10))));
      const places = Array.from({ length: 2_000 }, (_, i) => ({ at: i * 1_000_003, length: 200 * MiB }));
      return recording([one], () => indexOf(places, 't', 10));
    },
    reason: /./,
  },
  'chunks that lie over each other in time': {
    bytes: () => {
      const packed = zstd(withChannel('t', messages(40_000, Buffer.from('{}'))));
      const parts = Array.from({ length: 30 }, () => chunk(packed, { endNs: 2n ** 62n }));
      return recording(parts, (places) => indexOf(places, 't', 1_000));
    },
    reason: /more than the \d+ records/,
  },
  'damaged chunks by the thousand, after thousands of channels': {
    bytes: () => {
      const channels = many(16_000, (id) => channel({ id, schemaId: 0, topic: `/${id}` }));
      const damaged = chunk(plain(messages(1)), { crc: 1 });
      return recording([chunk(zstd(channels)), ...Array<Buffer>(1_000).fill(damaged)]);
    },
    reason: /./,
  },
  'a bomb that is cut off': {
    bytes: () => recording([described('t'), chunk(zstd(Buffer.alloc(255 * MiB)))]).subarray(0, 6_000),
    reason: /ends in the middle/,
  },
  'a list of four billion elements without content': {
    bytes: () => {
      const text = `Nothing[] list\n${'='.repeat(80)}\nMSG: pkg/Nothing\n`;
      const counts = Buffer.alloc(4, 0xff);
      const ros1 = schema('pkg/List', Buffer.from(text), 'ros1msg');
      const described = recordsOf((builder) =>
        [ros1, channel({ messageEncoding: 'ros1' })].map((write) => write(builder)),
      );
      return recording([described, messages(10, counts)]);
    },
    reason: /^$/, // The channel measures nothing; the recording is read.
  },
};
