import { spawnSync } from 'node:child_process';

const [WIDTH, HEIGHT] = [64, 48];
/** A keyframe every so many frames. */
export const KEYFRAME_INTERVAL = 5;

const ENCODERS = {
  h265: '-c:v libx265 -preset ultrafast -x265-params log-level=error:scenecut=0:bframes=0 -bsf:v hevc_metadata=aud=insert -f hevc',
  vp9: '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -lag-in-frames 0 -auto-alt-ref 0 -f ivf',
  av1: '-c:v libaom-av1 -usage realtime -cpu-used 8 -lag-in-frames 0 -f ivf',
} as const;
export type EncodedCodec = keyof typeof ENCODERS;

/**
 * Encodes gray frames of these levels with ffmpeg. Returns one encoded frame each, with a keyframe every
 * `KEYFRAME_INTERVAL`.
 */
export function encodeFrames(ffmpeg: string, codec: EncodedCodec, levels: readonly number[]): Buffer[] {
  const raw = Buffer.concat(levels.map((level) => Buffer.alloc(WIDTH * HEIGHT, level)));
  const size = `${WIDTH}x${HEIGHT}`;
  const input = `-v error -f rawvideo -pix_fmt gray -s ${size} -r 1 -i -`.split(' ');
  const output = `-pix_fmt yuv420p -g ${KEYFRAME_INTERVAL} -keyint_min ${KEYFRAME_INTERVAL} ${ENCODERS[codec]} -`.split(
    ' ',
  );
  const { stdout, stderr, status } = spawnSync(ffmpeg, [...input, ...output], { input: raw });
  if (status !== 0) throw new Error(`ffmpeg made no ${codec}: ${stderr}`);
  const frames = codec === 'h265' ? accessUnits(stdout) : ivfFrames(stdout);
  if (frames.length !== levels.length) throw new Error(`ffmpeg made ${frames.length} frames of ${levels.length}`);
  return frames;
}

/** Each begins with an access unit delimiter. */
function accessUnits(stream: Buffer): Buffer[] {
  const starts: number[] = [];
  const delimiter = Buffer.from([0, 0, 1, 35 << 1]);
  for (let at = stream.indexOf(delimiter); at >= 0; at = stream.indexOf(delimiter, at + 1)) starts.push(at);
  return starts.map((at, i) => stream.subarray(at, starts[i + 1]));
}

/** A file header of 32 bytes, then frames, each after its size and a time in 12 bytes. */
function ivfFrames(file: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 32; at < file.length; ) {
    const size = file.readUInt32LE(at);
    frames.push(file.subarray(at + 12, at + 12 + size));
    at += 12 + size;
  }
  return frames;
}
