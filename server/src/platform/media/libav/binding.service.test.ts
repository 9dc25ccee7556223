import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { sceneClip } from '#test/media/clips';
import { temporaryFolder } from '#test/temporary-folder';

/**
 * Bugs of node-av 6.1.1, each case in a process of its own, and the rules for our sources that avoid them. If a case
 * fails after an upgrade, its bug is fixed and the rule can be removed.
 */
const SOURCES = fileURLToPath(new URL('../../../../', import.meta.url));
const BINDING = createRequire(import.meta.url).resolve('node-av/lib');

const CRASHES: Record<string, string> = {
  'opening a codec synchronously with options frees them twice': `
    const codec = L.Codec.findDecoder(C.AV_CODEC_ID_H264);
    const context = new L.CodecContext();
    context.allocContext3(codec);
    context.open2Sync(codec, L.Dictionary.fromObject({ flags2: '+export_mvs' }));
    context.freeContext();`,
  'freeing a decoder while it is being opened': `
    const codec = L.Codec.findDecoder(C.AV_CODEC_ID_H264);
    const context = new L.CodecContext();
    context.allocContext3(codec);
    const opening = context.open2(codec, null);
    context.freeContext();
    await opening.catch(() => {});`,
  'closing a file while it is being analyzed': `
    const format = new L.FormatContext();
    format.openInputSync('file:' + path, null, null);
    const analyzing = format.findStreamInfo(null);
    format.closeInputSync();
    await analyzing.catch(() => {});`,
  'analyzing streams with options reads past them': `
    const format = new L.FormatContext();
    format.openInputSync('file:' + path + '.many.mp4', null, null);
    format.findStreamInfoSync(L.Dictionary.fromObject({ threads: '1', nonsense: '1' }));
    format.closeInputSync();`,
};

const ATTEMPTS = 20;

const SAFE = `
  const format = new L.FormatContext();
  format.openInputSync('file:' + path, null, L.Dictionary.fromObject({ protocol_whitelist: 'file' }));
  format.findStreamInfoSync(null);
  const stream = format.streams[0];
  const codec = L.Codec.findDecoder(stream.codecpar.codecId);
  const context = new L.CodecContext();
  context.allocContext3(codec);
  context.parametersToContext(stream.codecpar);
  context.setOption('threads', '3');
  let lines = 0;
  L.Log.setCallback(() => void lines++, { maxLevel: C.AV_LOG_VERBOSE });
  context.open2Sync(codec, null);
  const packet = new L.Packet();
  packet.alloc();
  const frame = new L.Frame();
  frame.alloc();
  let frames = 0;
  while (format.readFrameSync(packet) >= 0) {
    // The one call that is not synchronous: nothing else is done with either until it is over.
    const sent = packet.streamIndex === 0 ? context.sendPacket(packet) : null;
    frame.unref();
    await sent;
    if (context.receiveFrameSync(frame) >= 0) frames++;
    packet.unref();
  }
  if (frames < 100 || lines === 0) process.exit(1);
  frame.free();
  packet.free();
  context.freeContext();
  L.Log.resetCallback();
  format.closeInputSync();`;

describe('the binding', () => {
  let path: string;
  beforeAll(async () => {
    path = join(await temporaryFolder(), 'scene.mp4');
    await copyFile(await sceneClip(), path);
    await writeFile(`${path}.many.mp4`, manyTracks(readFileSync(path)));
  });

  test.each(Object.entries(CRASHES))('still crashes: %s', async (_, code) => {
    // Some are races, which now and then are won thirty times.
    let outcome = 'lived';
    for (let attempt = 0; outcome === 'lived' && attempt < ATTEMPTS; attempt++) outcome = await outcomeOf(code, path);
    expect(outcome).toMatch(/^SIG(SEGV|ABRT|BUS|TRAP)$/);
  });

  test('does not crash the way we call it', async () => {
    expect(await outcomeOf(SAFE, path)).toBe('lived');
  });
});

test('docs/ffmpeg.md states the version and the flags of the library', async () => {
  const page = readFileSync(join(SOURCES, '../docs/ffmpeg.md'), 'utf8');
  const [, version, flags] = /version `(.+?)`, with these flags:\s+```\s+(.+?)\s+```/s.exec(page)!;
  const script = `import { getFFmpegInfo } from ${JSON.stringify(BINDING)}; console.log(JSON.stringify(getFFmpegInfo()))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  const built = JSON.parse(stdout) as { version: string; configuration: string };
  expect(version).toBe(built.version);
  // Those of other systems have other paths and devices.
  if (process.platform === 'linux' && process.arch === 'x64')
    expect(flags!.replaceAll('\n', ' ')).toBe(built.configuration);
});

describe('our sources', () => {
  /** The engine's name alone does not make a file one of those. */
  const USES = /(from |import\()'node-av/;
  const files = globSync(['src/**/*.ts', 'test/**/*.ts'], { cwd: SOURCES })
    .filter((file) => !file.endsWith('binding.service.test.ts'))
    .map((file) => ({ file, text: readFileSync(join(SOURCES, file), 'utf8') }));

  test.each([
    ['open codecs with options other than by setOption', /\.open2Sync\((?!\w+, null\))/],
    ['analyze streams with options', /\.findStreamInfoSync\((?!null\))/],
    [
      'call the binding asynchronously but for decoding the next packet',
      /\.(open2|seekFrame|receiveFrame|sendFrame|receivePacket|scaleFrame|writeHeader|interleavedWriteFrame|writeTrailer|openOutput|closeOutput)\(/,
    ],
    [
      'read asynchronously but from a source that has to be waited for',
      /\.(openInput|findStreamInfo|readFrame|closeInput)\(/,
      ['src/platform/media/libav/live/capture.ts', 'src/platform/media/libav/live/separate-audio.ts'],
    ],
    ['import anything of the binding but its low level', /from 'node-av(?!\/(lib|constants)')/],
  ] as [string, RegExp, string[]?][])('never %s', (_, pattern, but = []) => {
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter(({ text }) => USES.test(text) && pattern.test(text)).map(({ file }) => file)).toEqual(but);
  });

  test('load the binding only in the engine that media processes load', () => {
    const allowed = /^src\/platform\/media\/libav\/|^test\/media\/(loop|captions|remux)-task\.ts$/;
    const importing = files.filter(({ text }) => /from 'node-av\//.test(text)).map(({ file }) => file);
    expect(importing.filter((file) => !allowed.test(file))).toEqual([]);
    expect(importing.length).toBeGreaterThan(4);
  });
});

/** An MP4 with its first track many times over. */
function manyTracks(mp4: Buffer): Buffer {
  const box = (type: string) => {
    const at = mp4.indexOf(type, 0, 'latin1') - 4;
    return { at, end: at + mp4.readUInt32BE(at) };
  };
  const [movie, track] = [box('moov'), box('trak')];
  const copies = Array.from({ length: 40 }, () => mp4.subarray(track.at, track.end));
  const head = Buffer.from(mp4.subarray(0, track.at));
  head.writeUInt32BE(movie.end - movie.at + copies.length * (track.end - track.at), movie.at);
  return Buffer.concat([head, ...copies, mp4.subarray(track.at)]);
}

/** Runs code many times over, with garbage collected: `lived`, or the signal it died of. */
function outcomeOf(code: string, path: string): Promise<string> {
  const script = `
    const L = await import(${JSON.stringify(`file://${BINDING}`)});
    const C = await import(${JSON.stringify(`file://${createRequire(import.meta.url).resolve('node-av/constants')}`)});
    const path = ${JSON.stringify(path)};
    L.Log.setLevel(C.AV_LOG_QUIET);
    for (let i = 0; i < 30; i++) { ${code} }
    gc();`;
  return new Promise((resolve) => {
    const args = ['--expose-gc', '--input-type=module', '--eval', script];
    execFile(process.execPath, args, { timeout: 60_000 }, (error, _, stderr) => {
      resolve(error === null ? 'lived' : (error.signal ?? stderr));
    });
  });
}
