// When an event was recorded, in each format as its readers expect it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { McapIndexedReader } from '@mcap/core';
import { parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { createExportMedia } from '../media/export-media.ts';
import type { ExportedEvent, ExportMedia } from '../types.ts';
import { type ExportFormat, FORMATS } from './index.ts';

const EVENT: ExportedEvent = {
  eventId: 'a1-0',
  analysisId: 'a1',
  batchId: null,
  videoId: 'v1',
  videoName: 'gate.mp4',
  folderName: null,
  durationS: 60,
  width: 640,
  height: 360,
  frameRate: 25,
  query: 'a red car',
  type: 'object',
  label: 'red car',
  severity: 'info',
  confidence: 0.8,
  approval: 'pending',
  reason: null,
  note: null,
  added: false,
  startS: 10,
  endS: 12.5,
  startAt: '2026-11-27T22:59:58.000Z',
  endAt: '2026-11-27T23:00:00.500Z',
  timeZone: 'Europe/Berlin',
  incidentId: 'a1-0',
  explanation: '',
  caveats: [],
  frames: [
    {
      timeS: 11,
      at: '2026-11-27T22:59:59.000Z',
      role: 'best',
      boxes: [{ x: 0, y: 0, width: 0.5, height: 0.5, label: 'car' }],
    },
  ],
  position: { start: [13.4, 52.5], end: [13.4, 52.5] },
  url: 'https://example.com/videos/v1',
  createdAt: '2026-11-28T08:00:00.000Z',
};
const [START, END] = [EVENT.startAt!, EVENT.endAt!];
const LOCAL = '2026-11-27 23:59:58 to 2026-11-28 00:00:00 (Europe/Berlin)';

/** Reads the times that a file of the format states. */
const STATED: Record<ExportFormat, (bytes: Buffer) => unknown | Promise<unknown>> = {
  csv: (bytes) => [...String(bytes).matchAll(/2026-11-27T[\d:.]+Z/g)].map(([time]) => time),
  json: (bytes) => times(JSON.parse(String(bytes)).events[0]),
  jsonl: (bytes) => times(JSON.parse(String(bytes))),
  parquet: async (bytes) => times((await rowsOf(bytes))[0]!),
  vtt: (bytes) => /^NOTE (.*)\n\na1-0\n/m.exec(String(bytes))?.[1],
  srt: (bytes) => /\nred car\n(.*)\n\n$/.exec(String(bytes))?.[1],
  chapters: (bytes) => /^title=red car\n(start_at=.*\nend_at=.*)\n/m.exec(String(bytes))?.[1],
  otio: (bytes) => times(JSON.parse(String(bytes)).tracks.children[0].children[0].metadata.sightline),
  edl: (bytes) => /^\* COMMENT: (START_AT=.*)$/m.exec(String(bytes))?.[1],
  fcpxml: (bytes) => [...String(bytes).matchAll(/<md key="[^"]*" value="([^"]*)"\/>/g)].map(([, value]) => value),
  coco: (bytes) => {
    const [image] = JSON.parse(String(bytes)).images;
    return [image.date_captured, ...(times(image.event) as string[])];
  },
  cvat: (bytes) =>
    [...String(bytes).matchAll(/<attribute name="(?:start|end)_at">([^<]*)</g)].map(([, value]) => value),
  label_studio: (bytes) => times(JSON.parse(String(bytes))[0].data),
  fiftyone: (bytes) => {
    const { attrs } = JSON.parse(String(entryOf(bytes, 'labels/'))).events.events[0].attrs;
    return times(Object.fromEntries(attrs.map(({ name, value }: { name: string; value: unknown }) => [name, value])));
  },
  geojson: (bytes) => times(JSON.parse(String(bytes)).features[0].properties),
  html: (bytes) => /<dt>Recorded<\/dt> <dd>([^<]*)</.exec(String(bytes))?.[1],
  zip: (bytes) => times(JSON.parse(String(entryOf(bytes, 'events.json'))).events[0]),
  lerobot: async (bytes) => times((await rowsOf(entryOf(bytes, 'meta/episodes/')))[0]!),
  recap: (bytes) => String(bytes),
  mcap: async (bytes) => {
    const readable = {
      size: async () => BigInt(bytes.length),
      read: async (from: bigint, length: bigint) => bytes.subarray(Number(from), Number(from + length)),
    };
    const reader = await McapIndexedReader.Initialize({ readable });
    for await (const { data } of reader.readMessages({ topics: ['/events'] }))
      return times(JSON.parse(new TextDecoder().decode(data)));
  },
};
const EXPECTED: Record<ExportFormat, unknown> = {
  csv: [START, END],
  json: [START, END],
  jsonl: [START, END],
  parquet: [START, END],
  vtt: `start_at=${START} end_at=${END}`,
  srt: LOCAL,
  chapters: `start_at=${START}\nend_at=${END}`,
  otio: [START, END],
  edl: `START_AT=${START} END_AT=${END}`,
  fcpxml: ['2026-11-27 22:59:58 +0000', START, END],
  coco: ['2026-11-27T22:59:59.000Z', START, END],
  cvat: [START, END],
  label_studio: [START, END],
  fiftyone: [START, END],
  geojson: [START, END],
  html: LOCAL,
  zip: [START, END],
  lerobot: [START, END],
  recap: `gate.mp4 · 0:10.0 to 0:12.5 · ${LOCAL}`,
  mcap: [START, END],
};

/** The times of an event in fields; instants of Parquet as text. */
const times = (fields: Record<string, unknown>): unknown[] =>
  [fields.start_at, fields.end_at].map((at) => (at instanceof Date ? at.toISOString() : at));

const rowsOf = ({ buffer, byteOffset, length }: Buffer) =>
  parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer });

/** The content of a file in an archive, by its entry in the directory at the end. */
function entryOf(bytes: Buffer, folder: string): Buffer {
  for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 4)) {
    const [method, size, nameLength] = [
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
    ];
    if (!bytes.toString('utf8', at + 46, at + 46 + nameLength).startsWith(folder)) continue;
    const local = bytes.readUInt32LE(at + 42);
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const content = bytes.subarray(from, from + size);
    return method === 0 ? content : inflateRawSync(content);
  }
  throw new Error(`the archive has nothing in ${folder}`);
}

/** Media of which nothing can be decoded, except that an episode is an empty file, and a recap its captions. */
function createMedia(folder: string): ExportMedia {
  const target = join(folder, 'recap.mp4');
  const file = { path: folder, [Symbol.asyncDispose]: async () => {} };
  const captions = createExportMedia(
    {
      storage: { local: async () => file },
      videos: { find: async () => ({ status: 'UPLOADED', storageKey: 'v1' }) },
      media: {
        async run({ args }: { args: { clips: { subtitle: string }[] } }) {
          await writeFile(target, args.clips.map(({ subtitle }) => subtitle).join('\n'));
        },
      },
    } as unknown as Parameters<typeof createExportMedia>[0],
    { folder, orgId: 'o1', signal: new AbortController().signal },
  );
  const channels = [0, 0, 0] as [number, number, number];
  return {
    image: async () => null,
    clip: async () => null,
    async episode() {
      const path = join(folder, 'episode.mp4');
      await writeFile(path, '');
      const pixels = { min: channels, max: channels, mean: channels, std: channels };
      return { path, frames: 25, pixels, [Symbol.asyncDispose]: async () => {} };
    },
    recap: captions.recap,
  };
}

async function write(format: ExportFormat, ...written: ExportedEvent[]): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'recorded-times-'));
  try {
    const pieces: Buffer[] = [];
    const events = async function* () {
      yield* written;
    };
    for await (const piece of FORMATS[format].write(events, createMedia(folder))) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test.each(Object.keys(FORMATS) as ExportFormat[])('%s states when an event was recorded', async (format) => {
  expect(await STATED[format](await write(format, EVENT))).toEqual(EXPECTED[format]);
});

test.each(Object.keys(FORMATS) as ExportFormat[])('%s states nothing that is not known', async (format) => {
  const frames = EVENT.frames.map((frame) => ({ ...frame, at: null }));
  const unknown = { ...EVENT, startAt: null, endAt: null, timeZone: null, frames };
  const text = String(await write(format, unknown));
  // Of archives, which are compressed, the readers above see what is inside.
  expect(text).not.toMatch(
    /(?:start|end|START|END)_(?:at|AT)=|2026-11-27|kMDItem|date_captured|<dt>Recorded|NOTE start|undefined/,
  );
});

/** Formats that people watch or read along with a video have each incident once, and the others all events. */
const ONCE: readonly ExportFormat[] = ['vtt', 'srt', 'chapters', 'recap'];
test.each([...ONCE, 'csv', 'jsonl', 'edl'] satisfies ExportFormat[])(
  'incidents of several questions in %s',
  async (format) => {
    const found = (n: number, more: Partial<ExportedEvent>) => ({
      ...EVENT,
      eventId: `a${n}-0`,
      startS: 10 + n,
      endS: 13 + n,
      ...more,
    });
    const text = String(
      await write(
        format,
        found(1, { label: 'red car', incidentId: 'i1' }),
        found(2, { label: 'moving car', incidentId: 'i1' }),
        found(3, { label: 'dog', incidentId: 'i2' }),
        found(4, { label: 'not computed', incidentId: null }),
        found(5, { label: 'the same', incidentId: null }),
        found(6, { label: 'other video', videoId: 'v2', videoName: 'yard.mp4', incidentId: 'i1' }),
      ),
    );
    const shown = ['0:11.0', '0:12.0', '0:13.0', '0:14.0', '0:15.0', '0:16.0'];
    const labels =
      format === 'recap' ? shown : ['red car', 'moving car', 'dog', 'not computed', 'the same', 'other video'];
    const isOnce = ONCE.includes(format);
    expect(labels.filter((label) => text.includes(format === 'recap' ? `· ${label} to` : label))).toEqual(
      labels.filter((_, index) => !isOnce || index !== 1),
    );
  },
);
