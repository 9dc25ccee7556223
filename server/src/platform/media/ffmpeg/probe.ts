import {
  checkDecodedFrames,
  checkDuration,
  checkHeaderClaims,
  limitTags,
  type Probe,
  parseCreatedAt,
  UPLOAD_CHECK_FRAMES,
} from '../engine/index.ts';
import { mediaProblem } from '../problems.ts';
import { firstTimestamps } from './decode.ts';
import { claimedDuration, openInput, type ProbedInput, ratio } from './input.ts';
import type { FfmpegPrograms } from './program.ts';

const HDR = new Map<string, 'PQ' | 'HLG'>([
  ['smpte2084', 'PQ'],
  ['arib-std-b67', 'HLG'],
]);

/** See `Media.probe`. Also decodes and converts the first frames, because headers may be wrong. */
export async function probe(programs: FfmpegPrograms, path: string, maxSeconds: number): Promise<Probe> {
  const input = await openInput(programs, path);
  const { container, video, audio, tick, timeBase, display: shown, orientation, format } = input;
  const frames = Number(video.nb_frames) > 0 ? Number(video.nb_frames) : null;
  const claims = { frames, sizeBytes: container.sizeBytes, maxSeconds };
  checkHeaderClaims({ ...claims, durationS: claimedDuration(input, 0).seconds });

  const first = await convertedStamps(programs, input);
  checkDecodedFrames(first.length, frames);
  const origin = first[0]!;
  const durationS = claimedDuration(input, origin).seconds || (await walkToEnd(programs, input)) - origin * tick;
  checkDuration(durationS);
  checkHeaderClaims({ ...claims, durationS });

  const rate = ratio(video.avg_frame_rate, '/');
  const tags = format.tags ?? {};
  return {
    container: container.name,
    durationS,
    startS: origin * tick,
    sizeBytes: container.sizeBytes,
    video: {
      codec: video.codec_name ?? 'unknown',
      pixelFormat: video.pix_fmt ?? 'unknown',
      hdr: HDR.get(video.color_transfer ?? '') ?? null,
      ...shown,
      rotation: orientation.rotation,
      frameRate: rate && rate[0] > 0 && rate[1] > 0 ? rate[0] / rate[1] : null,
      timeBase,
      frames,
    },
    audio: audio && {
      codec: audio.codec_name ?? 'unknown',
      sampleRate: Number(audio.sample_rate),
      channels: audio.channels ?? 0,
    },
    createdAt: parseCreatedAt(tags),
    tags: limitTags(tags),
  };
}

/** Timestamps of the first frames, converted as for analysis and stills; throws `media_unsupported`. */
async function convertedStamps(programs: FfmpegPrograms, input: ProbedInput): Promise<number[]> {
  const stamps = await firstTimestamps(programs, input, UPLOAD_CHECK_FRAMES, { convert: true });
  if (stamps.length === 0 && (await firstTimestamps(programs, input, 1)).length > 0)
    throw mediaProblem.media_unsupported();
  return stamps;
}

/** End of the last packet in seconds of the file's own time, for containers without a duration. */
async function walkToEnd(programs: FfmpegPrograms, input: ProbedInput): Promise<number> {
  const shown = ['-select_streams', String(input.video.index), '-show_entries', 'packet=pts,duration'];
  const { packets } = (await programs.ffprobe([...input.args, ...shown])) as {
    packets?: { pts?: number; duration?: number }[];
  };
  return (packets ?? []).reduce((end, { pts = 0, duration = 0 }) => Math.max(end, pts + duration), 0) * input.tick;
}
