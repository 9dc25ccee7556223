import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Database } from '../../server/src/platform/db/index.ts';

const execute = promisify(execFile);
/** Clock ticks per second in Linux process times. */
const TICKS = 100;

/**
 * One minute of 720p30 as cameras send it (H.264, a keyframe per second, 3 Mbit/s), from `footage` or rendered; dark
 * for three seconds of every ten. Returns its path.
 */
export function cameraClip(folder: string, footage: string | null): Promise<string> {
  const input = footage
    ? ['-stream_loop', '-1', '-i', footage]
    : ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=30'];
  const dark = "eq=brightness=-0.8:enable='gte(mod(t,10),5)*lt(mod(t,10),8)'";
  return encodeMinute(`${folder}/camera.ts`, [...input, '-vf', `scale=1280:720,fps=30,${dark}`], 30, '3M');
}

/** Frames per second of `wallClip`. */
export const WALL_RATE = 15;

/** One minute of 360p, as cameras send it in their second stream (H.264, a keyframe per second). Returns its path. */
export const wallClip = (folder: string): Promise<string> =>
  encodeMinute(
    `${folder}/wall.ts`,
    ['-f', 'lavfi', '-i', `testsrc2=size=640x360:rate=${WALL_RATE}`],
    WALL_RATE,
    '500k',
  );

/** Encodes a minute of an input of ffmpeg as MPEG-TS with a keyframe every second; `rate`: frames per second. */
async function encodeMinute(path: string, input: readonly string[], rate: number, bitrate: string): Promise<string> {
  const coded = ['-an', '-c:v', 'libx264', '-preset', 'veryfast', '-g', String(rate), '-sc_threshold', '0'];
  const limited = ['-b:v', bitrate, '-maxrate', bitrate, '-bufsize', bitrate, '-pix_fmt', 'yuv420p'];
  const args = ['-nostdin', '-v', 'error', '-y', ...input, '-t', '60', ...coded, ...limited, '-f', 'mpegts', path];
  await execute('ffmpeg', args);
  return path;
}

export type ResourceUsage = { cpuS: number; rssBytes: number; files: number };

/** CPU and memory of this process and its children, except programs named `except`. */
export async function usage(except: string): Promise<ResourceUsage> {
  const all = await Promise.all((await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(readProcess));
  const running = all.filter((one) => one !== null);
  const ours = new Set([process.pid]);
  for (let before = 0; before !== ours.size; ) {
    before = ours.size;
    for (const { pid, parent, name } of running) if (ours.has(parent) && name !== except) ours.add(pid);
  }
  const sum = (of: (one: (typeof running)[number]) => number) =>
    running.filter(({ pid }) => ours.has(pid)).reduce((total, one) => total + of(one), 0);
  return { cpuS: sum(({ cpuS }) => cpuS), rssBytes: sum(({ rssBytes }) => rssBytes), files: sum(({ files }) => files) };
}

/** Returns null if the process has ended. */
async function readProcess(pid: string) {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent, user, system] = [fields[1]!, fields[11]!, fields[12]!];
    // Shared memory of database processes would count once per process.
    const [, resident, shared] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ').map(Number);
    const files = (await readdir(`/proc/${pid}/fd`)).length;
    return {
      pid: Number(pid),
      parent,
      name,
      cpuS: (user + system) / TICKS,
      rssBytes: (resident! - shared!) * 4096,
      files,
    };
  } catch {
    return null;
  }
}

/** Number of observation rows of the last segments of all sessions. */
export async function observedRows({ db }: Database): Promise<number> {
  return (await db.selectFrom('liveSegmentObservations').select('sequence').execute()).length;
}
