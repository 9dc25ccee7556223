import { boundedTags, checkClaims, checkDecoded, checkDuration, createdAtOf } from '../facts.ts';
import type { Probe } from '../index.ts';
import { mediaProblem } from '../problems.ts';
import { TRIAL_FRAMES } from '../trial.ts';
import { firstStamps } from './decode.ts';
import { claimedDuration, type Input, openInput, ratio } from './input.ts';
import type { Programs } from './program.ts';

/** Reads the headers, and decodes and converts the first frames: headers lie. See `Media.probe`. */
export async function probe(programs: Programs, path: string, maxSeconds: number): Promise<Probe> {
  const input = await openInput(programs, path);
  const { container, video, audio, tick, timeBase, shown, orientation, format } = input;
  const frames = Number(video.nb_frames) > 0 ? Number(video.nb_frames) : null;
  const claims = { frames, sizeBytes: container.sizeBytes, maxSeconds };
  checkClaims({ ...claims, durationS: claimedDuration(input, 0).seconds });

  const first = await convertedStamps(programs, input);
  checkDecoded(first.length, frames);
  const origin = first[0]!;
  const durationS = claimedDuration(input, origin).seconds || (await walkToEnd(programs, input)) - origin * tick;
  checkDuration(durationS);
  checkClaims({ ...claims, durationS });

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
    createdAt: createdAtOf(tags),
    tags: boundedTags(tags),
  };
}

/** Time stamps of the first frames, each converted as analysis and stills do; throws `media_unsupported`. */
async function convertedStamps(programs: Programs, input: Input): Promise<number[]> {
  const stamps = await firstStamps(programs, input, TRIAL_FRAMES, { convert: true });
  if (stamps.length === 0 && (await firstStamps(programs, input, 1)).length > 0) throw mediaProblem.media_unsupported();
  return stamps;
}

/** Where the last packet ends in the file's own time, in seconds: for the few containers that do not say how long they are. */
async function walkToEnd(programs: Programs, input: Input): Promise<number> {
  const shown = ['-select_streams', String(input.video.index), '-show_entries', 'packet=pts,duration'];
  const { packets } = (await programs.ffprobe([...input.args, ...shown])) as {
    packets?: { pts?: number; duration?: number }[];
  };
  return (packets ?? []).reduce((end, { pts = 0, duration = 0 }) => Math.max(end, pts + duration), 0) * input.tick;
}
