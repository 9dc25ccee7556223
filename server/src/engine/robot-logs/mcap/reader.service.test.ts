import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { McapRecordBuilder } from '@mcap/core';
import { describe, expect, test } from 'vitest';
import { footage, hasFootage } from '#test/footage';
import { recordingBytes, recordingTimeNs } from '#test/mcap/recordings';
import { openRecording } from './reader.ts';
import { FIFTY, number, numbers, readAll, sourceOf, valuesOf, zstd } from './recordings.fixture.ts';

/** The first bytes of every MCAP file. */
const MAGIC = Buffer.from('\x89MCAP0\r\n', 'latin1');

describe('reading', () => {
  test.each([
    ['chunks and an index', {}, true],
    ['compressed chunks', zstd, true],
    ['no chunks', { useChunks: false }, false],
    ['no index', { useChunkIndex: false, useMessageIndex: false }, false],
    ['no summary of channels', { repeatChannels: false, repeatSchemas: false }, false],
  ] as const)('%s', async (_, options, indexed) => {
    const read = await readAll(await recordingBytes(numbers(options)));
    expect(read).toMatchObject({ indexed, losses: [], startNs: recordingTimeNs(0), endNs: recordingTimeNs(4.9) });
    expect(read.channels.map(({ name }) => name)).toEqual(['/a', '/b']);
    expect(valuesOf(read.messages)).toEqual(FIFTY);
  });

  test('reads only chunks with wanted messages', async () => {
    const plan = numbers();
    const messages = [...plan.messages].sort((a, b) => a.channel - b.channel);
    const bytes = await recordingBytes({ ...plan, messages });
    const source = sourceOf(bytes);
    const ranges: number[] = [];
    const recording = await openRecording({
      ...source,
      read(at, length) {
        ranges.push(at);
        return source.read(at, length);
      },
    });
    const opened = ranges.length;
    const came = [];
    for await (const message of recording.messages(new Set([recording.channels[1]!.id]))) came.push(message);
    expect(valuesOf(came)).toEqual(FIFTY.filter((i) => i % 2 === 1));
    expect(ranges.length - opened).toBeLessThan(15);
  });

  test('sorts messages by time', async () => {
    const plan = numbers();
    const shuffled = [...plan.messages].sort((a, b) => Number((a.logNs / 7n) % 11n) - Number((b.logNs / 7n) % 11n));
    expect(valuesOf((await readAll(await recordingBytes({ ...plan, messages: shuffled }))).messages)).toEqual(FIFTY);
  });

  test('distinguishes two channels of one topic', async () => {
    const plan = numbers();
    const channels = plan.channels.map((channel) => ({ ...channel, topic: '/same' }));
    const { channels: read } = await readAll(await recordingBytes({ ...plan, channels }));
    expect(read.map(({ name }) => name)).toEqual(['/same#0', '/same#1']);
  });

  test('ten thousand channels', async () => {
    const channels = Array.from({ length: 10_000 }, (_, i) => ({ topic: `/t${i}`, ...number }));
    const messages = FIFTY.map((i) => ({
      channel: i * 200,
      logNs: recordingTimeNs(i),
      data: number.encode({ value: i }),
    }));
    const read = await readAll(await recordingBytes({ channels, messages }));
    expect([read.channels.length, read.messages.length]).toEqual([10_000, 50]);
  });

  test.runIf(hasFootage)('the conformance files of the format', async () => {
    const folder = footage('mcap/conformance');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.mcap'));
    const counted = { read: 0, messages: 0, empty: 0 };
    for (const file of files) {
      const bytes = readFileSync(join(folder, file));
      // A Git LFS pointer is text in place of the file.
      expect(bytes.subarray(0, MAGIC.length).equals(MAGIC), `${file} is an MCAP file`).toBe(true);
      const { records } = JSON.parse(readFileSync(join(folder, file.replace(/mcap$/, 'json')), 'utf8')) as {
        records: { type: string; fields: [string, unknown][] }[];
      };
      const listed = records.filter(({ type }) => type === 'Message').map(({ fields }) => Object.fromEntries(fields));
      const expected = listed.map(({ log_time, data }) => [String(log_time), (data as string[]).map(Number)]);
      if (expected.length === 0) {
        await expect(readAll(bytes), file).rejects.toMatchObject({ code: 'recording_empty' });
        counted.empty++;
        continue;
      }
      const { messages } = await readAll(bytes);
      const read = messages.map(({ logTimeNs, data }) => [String(logTimeNs), [...data]]);
      expect(read.sort(), file).toEqual(expected.sort());
      counted.read++;
      counted.messages += read.length;
    }
    // Fewer would mean that files are missing; those without a message are empty.
    expect(counted).toEqual({ read: 215, messages: 989, empty: 19 });
  });
});

describe('damage', () => {
  const TEN = FIFTY.slice(0, 10);
  /** Each variant is damaged at other bytes; together they cover every byte. */
  const DAMAGED = [{}, zstd, { useChunks: false }];
  test('reads a truncated file up to its end, or rejects it', async () => {
    for (const [i, options] of DAMAGED.entries()) {
      const bytes = await recordingBytes(numbers(options, 10));
      for (let length = i; length < bytes.length; length += DAMAGED.length) {
        const read = await readAll(bytes.subarray(0, length)).catch((error: unknown) => error as Error);
        if (read instanceof Error) expect(read).toMatchObject({ status: 400 });
        else {
          expect(valuesOf(read.messages)).toEqual(TEN.slice(0, read.messages.length));
          expect(read.losses.length).toBeGreaterThan(0);
        }
      }
    }
  });

  test('reports the loss around any changed byte, or rejects the file', async () => {
    for (const [i, options] of DAMAGED.entries()) {
      const bytes = await recordingBytes(numbers(options, 10));
      for (let at = i; at < bytes.length; at += DAMAGED.length) {
        const changed = Buffer.from(bytes);
        changed[at]! ^= 1 << (at % 8);
        const read = await readAll(changed).catch((error: unknown) => error as Error);
        if (read instanceof Error) expect(read).toMatchObject({ status: 400 });
        else if (read.losses.length === 0) expect(valuesOf(read.messages)).toEqual(TEN);
      }
    }
  });

  test.each([
    ['of a chunk', {}, /CRC/, [2, 3, 4]],
    ['of a recording without chunks', { useChunks: false }, /its checksum says/, []],
  ] as const)('a wrong checksum %s', async (_, options, reason, lost) => {
    const bytes = await recordingBytes(numbers(options));
    const at = bytes.indexOf('{"value":4}');
    bytes[at + 9] = '9'.charCodeAt(0);
    const { losses, messages } = await readAll(bytes);
    expect(losses).toMatchObject([{ reason: expect.stringMatching(reason) }]);
    const rest = FIFTY.filter((i) => !(lost as readonly number[]).includes(i));
    expect(valuesOf(messages)).toEqual(rest.map((i) => (i === 4 ? 9 : i)));
  });

  test('reports a damaged chunk by its times and reads the others', async () => {
    for (const options of [zstd, { ...zstd, useChunkIndex: false, useMessageIndex: false }]) {
      const bytes = await recordingBytes(numbers(options));
      const chunk = bytes.indexOf(Buffer.from('zstd'), bytes.length >> 2);
      bytes[chunk + 30]! ^= 0xff;
      const { losses, messages } = await readAll(bytes);
      expect(losses).toHaveLength(1);
      const [{ fromNs, untilNs }] = losses as unknown as [{ fromNs: bigint; untilNs: bigint }];
      const missing = FIFTY.filter((i) => !valuesOf(messages).includes(i));
      expect([fromNs, untilNs]).toEqual([recordingTimeNs(missing[0]! / 10), recordingTimeNs(missing.at(-1)! / 10)]);
      expect(missing.length).toBeLessThan(10);
    }
  });

  test('reports the loss of every chunk with an unknown compression', async () => {
    const compressChunk = (data: Uint8Array) => ({ compression: 'snappy', compressedData: data });
    const { losses, messages } = await readAll(await recordingBytes(numbers({ compressChunk })));
    expect(messages).toEqual([]);
    expect(losses[0]!.reason).toMatch(/snappy/);
  });

  test('rejects a chunk that claims gigabytes before decompressing it', async () => {
    const builder = new McapRecordBuilder();
    builder.writeMagic();
    builder.writeHeader({ profile: '', library: '' });
    const channel = { id: 1, schemaId: 0, topic: '/a', messageEncoding: 'json', metadata: new Map() };
    builder.writeChannel(channel);
    const bomb = zstdCompressSync(Buffer.alloc(64 * 2 ** 20));
    builder.writeChunk({
      messageStartTime: 1n,
      messageEndTime: 2n,
      uncompressedSize: 4n * 2n ** 30n,
      uncompressedCrc: 0,
      compression: 'zstd',
      records: bomb,
    });
    const before = process.memoryUsage().rss;
    const { messages, losses } = await readAll(Buffer.from(builder.buffer));
    expect(messages).toEqual([]);
    expect(losses[0]!.reason).toMatch(/claims 4294967296 bytes/);
    expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
  });

  test.each(['', 'MCAP', 'not a recording', '\x89MCAP1\r\n rest'])('%j is not a recording', async (text) => {
    await expect(readAll(Buffer.from(text, 'latin1'))).rejects.toMatchObject({ code: 'recording_unreadable' });
  });
});
