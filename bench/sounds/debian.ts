import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Packages of Debian with recordings, and their licenses. They are downloaded, and never part of this repository. */
const PACKAGES = {
  'openttd-opensfx': 'CC BY-SA 3.0, CC BY 3.0 and CC0 1.0',
  'fluid-soundfont-gs': 'MIT',
  scratch: 'CC BY-SA 3.0',
  'asterisk-core-sounds-en-wav': 'CC BY-SA 3.0',
} as const;
export type DebianPackage = keyof typeof PACKAGES;

const CACHE = join(tmpdir(), 'sightline-bench-sounds');

/** Folder with the unpacked files of a package; null where packages of Debian cannot be downloaded. */
export function unpackDebian(name: DebianPackage): string | null {
  const folder = join(CACHE, name);
  if (existsSync(folder)) return folder;
  try {
    const part = `${folder}.part`;
    mkdirSync(part, { recursive: true });
    execFileSync('apt-get', ['download', name], { cwd: part, stdio: 'ignore' });
    const archive = readdirSync(part).find((file) => file.endsWith('.deb'))!;
    execFileSync('dpkg-deb', ['-x', join(part, archive), part], { stdio: 'ignore' });
    renameSync(part, folder);
    return folder;
  } catch {
    return null;
  }
}

/** Writes the sounds of OpenTTD's archive format as WAV files named by their number in it. Returns their folder. */
export function unpackCat(file: string): string {
  const folder = `${file}.sounds`;
  if (existsSync(folder)) return folder;
  const bytes = readFileSync(file);
  const count = (bytes.readUInt32LE(0) & 0x7fffffff) / 8;
  mkdirSync(`${folder}.part`, { recursive: true });
  for (let at = 0; at < count; at++) {
    const entry = bytes.subarray(bytes.readUInt32LE(8 * at) & 0x7fffffff);
    const riff = entry.subarray(1 + entry[0]!);
    writeFileSync(join(`${folder}.part`, `${at}.wav`), riff.subarray(0, riff.readUInt32LE(4) + 8));
  }
  renameSync(`${folder}.part`, folder);
  return folder;
}

/** Writes the samples of a SoundFont as WAV files named as in it. Returns their folder. */
export function unpackSoundFont(file: string): string {
  const folder = `${file}.samples`;
  if (existsSync(folder)) return folder;
  const bytes = readFileSync(file);
  const samplesAt = bytes.indexOf('smpl') + 8;
  const headersAt = bytes.indexOf('shdr');
  const count = bytes.readUInt32LE(headersAt + 4) / 46 - 1;
  mkdirSync(`${folder}.part`, { recursive: true });
  for (let at = 0; at < count; at++) {
    const header = bytes.subarray(headersAt + 8 + 46 * at);
    const name = header.subarray(0, 20).toString('latin1').split('\0')[0]!.replaceAll('/', ' ');
    const [from, to, rate] = [header.readUInt32LE(20), header.readUInt32LE(24), header.readUInt32LE(36)];
    const samples = bytes.subarray(samplesAt + 2 * from, samplesAt + 2 * to);
    writeFileSync(join(`${folder}.part`, `${name}.wav`), wav(samples, rate));
  }
  renameSync(`${folder}.part`, folder);
  return folder;
}

/** A WAV file of 16-bit mono samples. */
function wav(samples: Uint8Array, rate: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  for (const [offset, value] of [
    [16, 16],
    [24, rate],
    [28, 2 * rate],
    [40, samples.length],
  ] as const)
    head.writeUInt32LE(value, offset);
  for (const [offset, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    head.writeUInt16LE(value, offset);
  head.write('data', 36, 'latin1');
  return Buffer.concat([head, samples]);
}
