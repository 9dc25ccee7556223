import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import type { Container } from '../bitstream/index.ts';
import { LIMITS } from '../limits.ts';
import { findLifeline } from '../process/index.ts';

/** The `ffmpeg` and `ffprobe` programs. Only for media processes, whose limits and environment they inherit. */
export type FfmpegPrograms = {
  /** Starts ffmpeg with `pipes` additional file descriptors, from 3 on. */
  ffmpeg(args: readonly string[], pipes?: number): RunningFfmpeg;
  /** Runs ffprobe and parses its JSON output. Rejects with its error message. */
  ffprobe(args: readonly string[]): Promise<unknown>;
};

export type RunningFfmpeg = {
  /** stdout, then the additional pipes. */
  outputs: Readable[];
  /** stdin, then the additional pipes. */
  inputs: Writable[];
  onLine(listener: (line: string) => void): void;
  /** Resolves with the exit code when the program has exited and all its output is read. */
  ended: Promise<number | null>;
  kill(): void;
};

const OLDEST_MAJOR = 5;
/** Time without output after which a program counts as hung. */
const SILENCE_MS = 120_000;
const PROBE_BYTES = 32 * 2 ** 20;

/** Finds the programs. Throws if they are missing or too old. */
export async function findPrograms(ffmpegPath: string): Promise<FfmpegPrograms> {
  const ffprobePath =
    ffmpegPath.includes('/') || ffmpegPath.includes('\\') ? join(dirname(ffmpegPath), 'ffprobe') : 'ffprobe';
  const major = await versionOf(ffmpegPath);
  await versionOf(ffprobePath);
  if (major < OLDEST_MAJOR) {
    throw new Error(`the program ${ffmpegPath} is version ${major}; version ${OLDEST_MAJOR}.1 or later is needed`);
  }
  const lifeline = await findLifeline();
  return {
    ffmpeg: (args, pipes = 0) => start([...lifeline, ffmpegPath, ...args], pipes),
    async ffprobe(args) {
      const [program, ...rest] = [...lifeline, ffprobePath, '-v', 'error', '-print_format', 'json', ...args];
      const { stdout } = await promisify(execFile)(program!, rest, { maxBuffer: PROBE_BYTES, timeout: SILENCE_MS });
      return JSON.parse(stdout);
    },
  };
}

/** Input options, including `-i`, that open a file as its detected container only. */
export function safeInput(path: string, container: Container): string[] {
  const single = container.demuxers.includes(',') ? [] : ['-f', container.demuxers];
  return [
    '-protocol_whitelist',
    'file',
    '-format_whitelist',
    container.demuxers,
    ...single,
    '-max_pixels',
    String(LIMITS.pixels),
    '-i',
    `file:${path}`,
  ];
}

async function versionOf(program: string): Promise<number> {
  try {
    const { stdout } = await promisify(execFile)(program, ['-version']);
    // Versions of distributions have prefixes. Builds without a version are recent.
    const version = /version n?(\d+)\.\d+/.exec(stdout)?.[1];
    return version === undefined ? Number.POSITIVE_INFINITY : Number(version);
  } catch (error) {
    throw new Error(`the program ${program} could not be run (${(error as Error).message.split('\n')[0]})`);
  }
}

function start([program, ...args]: string[], pipes: number): RunningFfmpeg {
  const extra = Array.from({ length: pipes }, () => 'pipe' as const);
  const child = spawn(program!, args, { stdio: ['pipe', 'pipe', 'pipe', ...extra] }) as ChildProcessByStdio<
    Writable,
    Readable,
    Readable
  >;
  const listeners: ((line: string) => void)[] = [];
  const silence = setTimeout(() => child.kill('SIGKILL'), SILENCE_MS);
  let rest = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    silence.refresh();
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) for (const listener of listeners) listener(line);
  });
  const { promise: ended, resolve } = Promise.withResolvers<number | null>();
  child.on('error', () => resolve(null));
  child.on('close', (code) => {
    clearTimeout(silence);
    for (const listener of listeners) listener(rest);
    resolve(code);
  });
  const more = child.stdio.slice(3) as unknown as (Readable & Writable)[];
  // The program may close pipes early. Its exit code reports errors, so broken pipes are ignored.
  for (const pipe of [child.stdin, child.stdout, ...more]) pipe.on('error', () => {});
  return {
    outputs: [child.stdout, ...more],
    inputs: [child.stdin, ...more],
    onLine: (listener) => void listeners.push(listener),
    ended,
    kill: () => void child.kill('SIGKILL'),
  };
}
