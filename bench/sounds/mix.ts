import { spawnSync } from 'node:child_process';
import type { Recording } from './recordings.ts';

const RATE = 16_000;
/** Ratios of recording to background in dB. */
export const SNRS = [20, 10, 5, 0, -5] as const;
const MAX_S = 5;
const LOOPED_S = 3;
/** Background before and after the recording in seconds. */
const AROUND_S = 2;
/** Frames of the recording that are heard, and those that its level is measured in, relative to the loudest. */
const FRAME = 320;
const HEARD = 0.03;
const LOUD = 0.1;

/** A recording in the sound of other footage, and where it is in it. */
export type Mix = { mixed: Float32Array; fromS: number; untilS: number };

/** Decodes audio to mono at 16 kHz with the ffmpeg command line. */
export function readAudio(path: string, fromS = 0): Float32Array {
  const args = [
    '-v',
    'error',
    '-ss',
    String(fromS),
    '-i',
    path,
    '-vn',
    '-ac',
    '1',
    '-ar',
    String(RATE),
    '-f',
    'f32le',
    '-',
  ];
  const { stdout } = spawnSync('ffmpeg', args, { maxBuffer: 2 ** 30 });
  return new Float32Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + (stdout.length & ~3)));
}

/** Mixes a recording into a background; null if nothing is heard in it. */
export function mixIn(recording: Recording, background: Float32Array, snrDb: number): Mix | null {
  const sound = heardPart(recording);
  if (sound === null) return null;
  const before = AROUND_S * RATE;
  const length = sound.samples.length + 2 * before;
  const own = Float32Array.from({ length }, (_, at) => background[at % background.length]!);
  const gain = (rms(own) * 10 ** (snrDb / 20)) / sound.level;
  const mixed = own.map((sample, at) => sample + gain * (sound.samples[at - before] ?? 0));
  const peak = mixed.reduce((max, sample) => Math.max(max, Math.abs(sample)), 1);
  return {
    mixed: mixed.map((sample) => sample / peak),
    fromS: AROUND_S,
    untilS: AROUND_S + sound.samples.length / RATE,
  };
}

const cache = new Map<Recording, { samples: Float32Array; level: number } | null>();

/** The part of a recording that is heard, and its level: files are padded with silence. */
function heardPart(recording: Recording) {
  const known = cache.get(recording);
  if (known !== undefined) return known;
  const read = readAudio(recording.path, recording.fromS);
  const looped = recording.isLooped
    ? Float32Array.from({ length: LOOPED_S * RATE }, (_, at) => read[at % read.length]!)
    : read;
  const samples = looped.subarray(0, MAX_S * RATE);
  const levels = Array.from({ length: Math.floor(samples.length / FRAME) }, (_, at) =>
    rms(samples.subarray(at * FRAME, (at + 1) * FRAME)),
  );
  const max = Math.max(0, ...levels);
  const isHeard = (level: number) => level > HEARD * max;
  const loud = levels.filter((level) => level > LOUD * max);
  const part =
    max > 0
      ? {
          samples: samples.slice(levels.findIndex(isHeard) * FRAME, (levels.findLastIndex(isHeard) + 1) * FRAME),
          level: Math.sqrt(loud.reduce((sum, level) => sum + level * level, 0) / loud.length),
        }
      : null;
  cache.set(recording, part);
  return part;
}

const rms = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length));
