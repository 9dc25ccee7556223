import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { temporaryFolder } from '../temporary-folder.ts';
import { flatClip, sceneClip } from './clips.ts';

/** Files that are not readable videos, each with the code of its Problem. */
export type InvalidFile = { name: string; path: string; code: string };

/** Writes them all into a new temporary folder. */
export async function writeInvalidFiles(): Promise<InvalidFile[]> {
  const folder = await temporaryFolder();
  const flat = await readFile(await flatClip({ times: [0, 0.1, 0.2, 0.3], endS: 0.4 }));
  const scene = await readFile(await sceneClip());
  const secret = join(folder, 'secret.mp4');
  await writeFile(secret, flat);

  const bytes: [name: string, code: string, content: Buffer | string][] = [
    ['empty.mp4', 'media_empty', ''],
    ['text.mp4', 'media_unreadable', 'This is a shopping list, not a video.\n'.repeat(50)],
    ['page.mp4', 'media_unreadable', '<!DOCTYPE html><html><body>Not found</body></html>'],
    ['random.mp4', 'media_unreadable', Buffer.from(Array.from({ length: 5_000 }, (_, i) => (i * i * 31 + 7) % 251))],
    ['zeros.mp4', 'media_unreadable', Buffer.alloc(5_000)],
    ['archive.mp4', 'media_unreadable', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(500)])],
    ['without-index.mp4', 'media_damaged', withoutIndex(scene)],
    ['cut-in-index.mp4', 'media_damaged', scene.subarray(0, 600)],
    ['audio-only.mp4', 'media_no_video', renamed(scene, 'trak', 'free')],
    ['sound.mp4', 'media_no_video', wav()],
    ['picture.mp4', 'media_still_image', png()],
    ['picture.jpg', 'media_still_image', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(500)])],
    ['single-frame.gif', 'media_still_image', gif()],
    [
      'playlist.mp4',
      'media_playlist',
      `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${secret}\n#EXT-X-ENDLIST\n`,
    ],
    ['concat.mp4', 'media_playlist', `ffconcat version 1.0\nfile ${secret}\n`],
    ['bare-concat.mp4', 'media_playlist', `# my clips\nfile '${secret}'\n`],
    ['session.mp4', 'media_playlist', 'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nm=video 5004 RTP/AVP 96\n'],
    ['manifest.mp4', 'media_playlist', '<?xml version="1.0"?>\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011"></MPD>'],
    ['line.mkv', 'media_dimensions', uncompressed(1, 100_000)],
    ['bomb.mkv', 'media_dimensions', uncompressed(60_000, 60_000)],
    ['billion-frames.mp4', 'media_damaged', billionFrames(flat)],
    ['no-frames.mp4', 'media_damaged', garbledFrames(flat)],
  ];
  const files = bytes.map(([name, code, content]) => ({ name, code, content, path: join(folder, name) }));
  for (const { path, content } of files) await writeFile(path, content);
  return files.map(({ name, code, path }) => ({ name, code, path }));
}

/** The first half of a video whose index is whole: it plays, and then ends. Returns its path. */
export async function truncatedClip(): Promise<string> {
  const folder = await temporaryFolder();
  const scene = await readFile(await sceneClip());
  const path = join(folder, 'half.mp4');
  await writeFile(path, scene.subarray(0, scene.length / 2));
  return path;
}

function withoutIndex(mp4: Buffer): Buffer {
  // Like a file of a recorder that lost power: the type, then frames without an index.
  const media = mp4.indexOf('mdat', 0, 'latin1') - 4;
  return Buffer.concat([mp4.subarray(0, mp4.readUInt32BE(0)), mp4.subarray(media, mp4.length - 1_000)]);
}

/** The first box of a kind becomes another: without its first `trak`, a file has sound only. */
function renamed(mp4: Buffer, from: string, to: string): Buffer {
  const copy = Buffer.from(mp4);
  copy.write(to, copy.indexOf(from, 0, 'latin1'), 'latin1');
  return copy;
}

/** The table of sample sizes says that a thousand million pictures of one byte follow. */
function billionFrames(mp4: Buffer): Buffer {
  const copy = Buffer.from(mp4);
  const table = copy.indexOf('stsz', 0, 'latin1') + 4 + 4;
  copy.writeUInt32BE(1, table);
  copy.writeUInt32BE(1_000_000_000, table + 4);
  return copy;
}

/** The header is sound, the pictures are noise. */
function garbledFrames(mp4: Buffer): Buffer {
  const copy = Buffer.from(mp4);
  for (let i = copy.indexOf('mdat', 0, 'latin1') + 4; i < copy.length; i++) copy[i] = (i * 73 + 11) % 256;
  return copy;
}

function wav(): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + 1_000, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  return Buffer.concat([header, Buffer.alloc(1_000)]);
}

function png(): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(64, 0);
  header.writeUInt32BE(64, 4);
  header[8] = 8;
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(65 * 64)))]);
}

/** One picture of 16 × 16, all of one color (LZW with a clear code before each run keeps the table small). */
function gif(): Buffer {
  const codes: number[] = [];
  for (let pixel = 0; pixel < 256; pixel++) codes.push(...(pixel % 2 === 0 ? [4, 1] : [1]));
  codes.push(5);
  let bits = 0n;
  for (const [i, code] of codes.entries()) bits |= BigInt(code) << BigInt(i * 3);
  const packed = Buffer.from(
    Array.from({ length: Math.ceil((codes.length * 3) / 8) }, (_, i) => Number((bits >> BigInt(i * 8)) & 255n)),
  );
  return Buffer.concat([
    Buffer.from('GIF89a', 'latin1'),
    Buffer.from([16, 0, 16, 0, 0x81, 0, 0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0, 255]),
    Buffer.from([0x2c, 0, 0, 0, 0, 16, 0, 16, 0, 0, 2, packed.length]),
    packed,
    Buffer.from([0, 0x3b]),
  ]);
}

/** A Matroska file whose header claims uncompressed pictures of this size. */
function uncompressed(width: number, height: number): Buffer {
  const element = (id: string, body: Buffer | Buffer[]): Buffer => {
    const content = Array.isArray(body) ? Buffer.concat(body) : body;
    const size = Buffer.alloc(8);
    size.writeBigUInt64BE(BigInt(content.length) | (1n << 56n));
    return Buffer.concat([Buffer.from(id, 'hex'), size, content]);
  };
  const number = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  const video = element('e0', [
    element('b0', number(width)),
    element('ba', number(height)),
    element('2eb524', Buffer.from('Y800')),
  ]);
  const track = [
    element('d7', number(1)),
    element('73c5', number(1)),
    element('83', number(1)),
    element('86', Buffer.from('V_UNCOMPRESSED')),
    video,
  ];
  const picture = Buffer.concat([Buffer.from([0x81, 0, 0, 0x80]), Buffer.alloc(Math.min(width * height, 100_000))]);
  return Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from('matroska'))),
    element('18538067', [
      element('1549a966', element('2ad7b1', number(1_000_000))),
      element('1654ae6b', element('ae', track)),
      element('1f43b675', [element('e7', number(0)), element('a3', picture)]),
    ]),
  ]);
}
