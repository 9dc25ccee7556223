import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import type { EncodeRequest } from '../engine/index.ts';
import { matroskaFrame, matroskaHeader } from './matroska.ts';
import type { FfmpegPrograms } from './program.ts';

/** See `Encoder.encode`. */
export async function encode(programs: FfmpegPrograms, path: string, clip: EncodeRequest): Promise<void> {
  const { audio: sound } = clip;
  const running = programs.ffmpeg(
    [
      '-hide_banner',
      '-loglevel',
      'error',
      '-y',
      '-f',
      'matroska',
      '-i',
      'pipe:0',
      ...(sound ? ['-f', 'f32le', '-ar', String(sound.sampleRate), '-ac', '1', '-i', 'pipe:3'] : []),
      '-map',
      '0:v',
      '-vf',
      'scale=out_color_matrix=bt709:out_range=tv',
      '-c:v',
      'libx264',
      '-preset',
      'veryfast',
      '-crf',
      '20',
      '-threads',
      '1',
      '-pix_fmt',
      'yuv420p',
      '-g',
      String(clip.gopSize ?? 60),
      '-colorspace',
      'bt709',
      '-color_primaries',
      'bt709',
      '-color_trc',
      'bt709',
      '-color_range',
      'tv',
      '-fps_mode',
      'passthrough',
      '-enc_time_base',
      '1:90000',
      '-video_track_timescale',
      '90000',
      ...(sound ? ['-map', '1:a', '-c:a', 'aac', '-b:a', '96k'] : []),
      '-movflags',
      '+faststart',
      '-f',
      'mp4',
      `file:${resolve(path)}`,
    ],
    sound ? 1 : 0,
  );
  const output: string[] = [];
  running.onLine((line) => output.push(line));
  const [pictures, samples] = running.inputs;
  const written = [writePictures(pictures!, clip)];
  if (sound)
    written.push(
      writeChunks(samples!, [new Uint8Array(sound.samples.buffer, sound.samples.byteOffset, sound.samples.byteLength)]),
    );
  await Promise.race([Promise.all(written), running.ended]);
  const code = await running.ended;
  if (code !== 0) throw new Error(`ffmpeg could not write the video: ${output.join(' ').trim()}`);
}

async function writePictures(pipe: Writable, { width, height, frames: pictures, endS }: EncodeRequest): Promise<void> {
  await writeChunks(
    pipe,
    (async function* () {
      yield matroskaHeader({ kind: 'raw', fourcc: 'RGBA', width, height });
      let pending: { timeS: number; data: Uint8Array } | null = null;
      for await (const { timeS, data } of pictures) {
        if (pending) yield matroskaFrame(pending.data, pending.timeS, timeS);
        pending = { timeS, data: data.slice() };
      }
      if (pending) yield matroskaFrame(pending.data, pending.timeS, endS);
    })(),
  );
}

/** Writes chunks with backpressure and closes the pipe. */
export async function writeChunks(
  pipe: Writable,
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  for await (const part of parts) {
    if (pipe.destroyed) return;
    if (!pipe.write(part)) await Promise.race([once(pipe, 'drain'), once(pipe, 'close')]);
  }
  pipe.end();
}
