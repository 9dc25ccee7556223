import { type KnownFact, round, type SearchMatches } from '../find/index.ts';
import type { Fact } from '../plan/index.ts';
import { clock } from './words.ts';

/** Names of facts in restated prompts. */
export const FACT_NAMES: Record<Fact, string> = {
  duration: 'length of the video',
  resolution: 'resolution of the video',
  frame_rate: 'frame rate of the video, in frames per second',
  frame_count: 'number of frames of the video',
  orientation: 'orientation and aspect ratio of the video',
  codec: 'codec of the video',
  container: 'file type (container format) of the video',
  file_size: 'file size',
  bit_rate: 'bit rate of the file',
  dynamic_range: 'dynamic range of the video (HDR or not) and its bit depth',
  audio_track: 'whether the video has an audio track with sound',
  recorded_at: 'date and time when the video was recorded',
  camera_model: 'camera that recorded the video',
  shot_count: 'number of shots: cuts, dissolves and fades separate them',
  mean_speed: 'average speed, from telemetry',
  top_speed: 'top speed, from telemetry',
};

const MINUTE_S = 60;

/** Answers a prompt for a fact about the recording in words; null for any other prompt. */
export function answerFact(results: readonly SearchMatches[]): string | null {
  const [result] = results;
  if (results.length !== 1 || result?.search.steps[0]?.what.kind !== 'fact') return null;
  const [outcome] = result.outcomes;
  return outcome?.fact ? factText(outcome.fact) : `Not known for "${result.search.text}": ${outcome?.reasons[0]}.`;
}

function factText(value: KnownFact): string {
  switch (value.fact) {
    case 'duration': {
      const inMinutes = value.seconds >= MINUTE_S ? ` (${clock(value.seconds)})` : '';
      return `The video is ${round(value.seconds, 1)} s long${inMinutes}.`;
    }
    case 'resolution':
      return `${value.width} × ${value.height} pixels.`;
    case 'orientation':
      return orientationText(value);
    case 'frame_rate':
      return `${round(value.perSecond, 2)} frames per second.`;
    case 'frame_count':
      return `${value.frames} frames.`;
    case 'codec':
      return `${nameOf(value.codec)}${value.audioCodec === null ? '' : `, with ${nameOf(value.audioCodec)} audio`}.`;
    case 'container':
      return `${CONTAINERS[value.container] ?? value.container.toUpperCase()}.`;
    case 'file_size':
      return `${bytesText(value.bytes)}.`;
    case 'bit_rate':
      return `${round(value.bitsPerSecond / 1e6, 2)} Mbit/s on average, for the whole file.`;
    case 'dynamic_range':
      return rangeText(value);
    case 'audio_track':
      return audioText(value);
    case 'recorded_at':
      if ('clock' in value)
        return `The clock in the picture shows ${value.clock}, at ${clock(value.timeS)} of the video.`;
      return `The file states ${timeText(value.createdAt)} as its creation time; converting a file may change it.`;
    case 'camera_model':
      return `${value.camera}, as stated by the ${value.by === 'telemetry' ? 'telemetry track' : 'file'}.`;
    case 'shot_count':
      return `${value.shots} ${value.shots === 1 ? 'shot' : 'shots'}.`;
    case 'mean_speed':
      return `${speedText(value.speedMps)} on average.`;
    case 'top_speed':
      return `${speedText(value.speedMps)}, at ${clock(value.timeS)}.`;
  }
}

const speedText = (mps: number) => `${round(mps, 1)} m/s (${round(mps * 3.6, 1)} km/h)`;

/** "2024-06-09 07:30:40 UTC". */
const timeText = (iso: string) => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;

const CODECS: Record<string, string> = {
  h264: 'H.264 (AVC)',
  hevc: 'H.265 (HEVC)',
  av1: 'AV1',
  vp8: 'VP8',
  vp9: 'VP9',
  mpeg4: 'MPEG-4 Part 2 (mpeg4)',
  mpeg2video: 'MPEG-2',
  mjpeg: 'Motion JPEG',
  gif: 'GIF',
  aac: 'AAC',
  mp3: 'MP3',
  opus: 'Opus',
  ac3: 'AC-3',
};
const nameOf = (codec: string) => CODECS[codec] ?? codec;

const CONTAINERS: Record<string, string> = {
  mp4: 'MP4',
  mov: 'QuickTime (MOV)',
  matroska: 'Matroska (MKV)',
  webm: 'WebM',
  mpegts: 'MPEG transport stream (TS)',
};

function bytesText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const exact = power === 0 ? '' : ` (${bytes.toLocaleString('en')} bytes)`;
  return `${round(bytes / 1000 ** power, 1)} ${units[power]}${exact}`;
}

function orientationText({ width, height }: { width: number; height: number }): string {
  const divisor = greatestDivisor(width, height);
  const name = width === height ? 'Square' : width > height ? 'Landscape' : 'Portrait';
  return `${name}: ${width} × ${height} pixels, aspect ratio ${width / divisor}:${height / divisor}.`;
}
const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));

function rangeText({ hdr, bits }: { hdr: string | null; bits: number }): string {
  if (hdr !== null) return `Yes: HDR (${hdr}), ${bits} bits per sample.`;
  if (bits > 8) return `No HDR is stated: ${bits} bits per sample, and the file states no HDR transfer function.`;
  return `No: ${bits} bits per sample, and the file states no HDR transfer function.`;
}

function audioText({
  hasAudio,
  codec,
  isSilent,
}: {
  hasAudio: boolean;
  codec: string | null;
  isSilent: boolean | null;
}): string {
  if (!hasAudio) return 'No: the video has no audio track.';
  const track = codec === null ? 'an audio track' : `an audio track (${nameOf(codec)})`;
  if (isSilent) return `No: there is ${track}, but nothing can be heard in it.`;
  return `Yes: there is ${track}${isSilent === null ? '; whether it is silent was not measured' : ', and it is not silent'}.`;
}
