import { readdirSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DecodeRequest, DecodeSummary, FrameRequest, TaskContext, VideoPacket } from '#platform/media/index';

/** Tasks that the media tests run inside media processes. */
export type DecodedClip = {
  summary: DecodeSummary;
  frames: { timeS: number; pts: number; keyframe: boolean; data: Uint8Array }[];
  /** Pictures of a second size, decoded in the same pass. */
  others: { timeS: number; data: Uint8Array }[];
  sound: { timeS: number; samples: Float32Array }[];
  packets: VideoPacket[];
};

export type DecodeClipArgs = {
  path: string;
  picture: Omit<FrameRequest, 'onFrame'>;
  other?: Omit<FrameRequest, 'onFrame'>;
  sampleRate?: number;
} & Pick<DecodeRequest, 'range' | 'skip' | 'skipDeblocking' | 'threads'>;

/** Decodes a clip and returns everything. For short clips and small frames. */
export async function decodeClip(args: DecodeClipArgs, { decoder, progress }: TaskContext): Promise<DecodedClip> {
  const { path, picture, other, sampleRate, range, skip, skipDeblocking, threads } = args;
  const seen: Omit<DecodedClip, 'summary'> = { frames: [], others: [], sound: [], packets: [] };
  const pictures: FrameRequest[] = [
    { ...picture, onFrame: (frame) => void seen.frames.push({ ...frame, data: frame.data.slice() }) },
  ];
  if (other) {
    const onFrame: FrameRequest['onFrame'] = ({ timeS, data }) => void seen.others.push({ timeS, data: data.slice() });
    pictures.push({ ...other, onFrame });
  }
  const onSamples = (samples: Float32Array, timeS: number) => void seen.sound.push({ timeS, samples: samples.slice() });
  const sound = sampleRate === undefined ? undefined : { sampleRate, onSamples };
  const onPacket = range ? undefined : (packet: VideoPacket) => void seen.packets.push(packet);
  const options = { range, skip, skipDeblocking, threads, onProgress: progress };
  const request = { frames: pictures, audio: sound, onPacket, ...options };
  const summary = await decoder.decode(path, request);
  return { summary, ...seen };
}

type Slow = { path: string; threads: number };

/** Returns the largest number of frames processed concurrently by a slow consumer. */
export async function countConcurrentFrames({ path, threads }: Slow, { decoder }: TaskContext): Promise<number> {
  let now = 0;
  let most = 0;
  const onFrame = async () => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 5));
    now--;
  };
  await decoder.decode(path, { frames: [{ width: 16, height: 16, format: 'gray', onFrame }], threads });
  return most;
}

/** A consumer that fails half way. */
export async function failInConsumer({ path, threads }: Slow, { decoder }: TaskContext): Promise<void> {
  const onFrame = ({ timeS }: { timeS: number }) => {
    if (timeS > 0.1) throw new Error('the consumer failed');
  };
  await decoder.decode(path, { frames: [{ width: 16, height: 16, format: 'gray', onFrame }], threads });
}

/** Writes pictures of one gray level each, and a tone. */
export async function writeClip(
  args: { path: string; times: number[]; endS: number },
  { encoder }: TaskContext,
): Promise<void> {
  const { path, times, endS } = args;
  const pictures = times.values().map((timeS, i) => ({ timeS, data: new Uint8Array(64 * 48 * 4).fill(40 + i * 20) }));
  const samples = Float32Array.from(
    { length: endS * 48_000 },
    (_, i) => 0.5 * Math.sin((2 * Math.PI * 1_000 * i) / 48_000),
  );
  await encoder.encode(path, { width: 64, height: 48, frames: pictures, endS, audio: { sampleRate: 48_000, samples } });
}

export async function environment(): Promise<NodeJS.ProcessEnv> {
  return { ...process.env };
}

/** The folder of the process's compiled modules, and the number of its files. */
export async function compileCache(): Promise<{ folder: string | undefined; files: number }> {
  const folder = getCompileCacheDir();
  return { folder, files: folder === undefined ? 0 : readdirSync(folder).length };
}

/** Leaves a file in the temporary folder. */
export async function leaveFile(): Promise<void> {
  writeFileSync(join(tmpdir(), 'half.mp4'), 'film');
}

export async function processId(): Promise<number> {
  return process.pid;
}

/** Emits its process id, then works on for a while. */
export async function sayProcessId(milliseconds: number, { emit }: TaskContext): Promise<string> {
  await emit(process.pid);
  await sleep(milliseconds);
  return 'done';
}

export async function echo(value: unknown): Promise<unknown> {
  return value;
}

export async function fail(): Promise<never> {
  throw new TypeError('a mistake in a task');
}

/** Crashes like native code. */
export async function crash(): Promise<void> {
  process.kill(process.pid, 'SIGSEGV');
  await new Promise(() => {});
}

/** Dies once; `marker` is a file that the first death leaves behind. */
/** Hands over three values without a wait, and dies of a mistake. */
export async function transferAndFail(_: unknown, { emit }: TaskContext): Promise<never> {
  for (const value of [1, 2, 3]) void emit(value);
  throw new Error('a mistake after the last');
}

/** Crashes once; `marker` is a file that the first crash leaves. */
export async function crashOnce({ marker }: { marker: string }): Promise<string> {
  const { existsSync, writeFileSync } = await import('node:fs');
  if (existsSync(marker)) return 'alive';
  writeFileSync(marker, '');
  await crash();
  return 'unreachable';
}

/** Waits without reporting progress. */
export async function waitFor(milliseconds: number): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return 'done';
}

/** Blocks the event loop, like a hung decoder. */
export async function busyLoop(): Promise<void> {
  for (;;);
}

/** Allocates more memory than a media process may have. Returns the gigabytes it got. */
export async function exhaustMemory(): Promise<number> {
  const chunks: Buffer[] = [];
  while (chunks.length < 40) chunks.push(Buffer.alloc(100 * 2 ** 20, 1));
  return (chunks.length * 100) / 1024;
}

/** Reports these fractions, `everyMs` apart. */
export async function reportFractions(
  { fractions, everyMs }: { fractions: number[]; everyMs: number },
  { progress }: TaskContext,
): Promise<void> {
  for (const fraction of fractions) {
    progress(fraction);
    if (everyMs > 0) await sleep(everyMs);
  }
}
