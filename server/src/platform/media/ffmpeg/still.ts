import { copyUpright, limitSize, SCALER_FLAGS, SEEK_BACK_S, type StillFrame, seekTimestamp } from '../engine/index.ts';
import { mediaProblem } from '../problems.ts';
import { originOf } from './decode.ts';
import { createFrameLog, fixedChunks } from './frame-log.ts';
import { isPaletted, openInput, type ProbedInput } from './input.ts';
import type { FfmpegPrograms } from './program.ts';

type Found = { pts: number; data: Uint8Array };

/** See `MediaEngine.still`. Starts a program per seek, and two more for a file that is not cached. */
export async function still(
  programs: FfmpegPrograms,
  path: string,
  timeS: number,
  maxSide: number,
): Promise<StillFrame> {
  const input = await openInput(programs, path);
  const { orientation, tick } = input;
  const origin = await originOf(programs, input);
  if (origin === undefined) throw mediaProblem.media_damaged();
  const target = seekTimestamp(timeS, tick, origin);
  const shown = limitSize(input.display, maxSide);
  const coded = orientation.transpose ? { width: shown.height, height: shown.width } : shown;
  for (const backS of SEEK_BACK_S) {
    const from = target - backS / tick;
    const found = await lastUpTo(
      programs,
      input,
      target,
      from > origin && !isPaletted(input.video) ? from * tick : null,
      coded,
    );
    if (!found) continue;
    const data = new Uint8Array(shown.width * shown.height * 4);
    copyUpright(found.data, coded, coded.width * 4, 4, orientation, data, shown.width * 4);
    return { ...shown, data, pts: found.pts, timeS: (found.pts - origin) * tick };
  }
  throw mediaProblem.media_damaged('No picture could be decoded at this time: the video is damaged there.');
}

/**
 * Decodes from the keyframe before `fromS` (null: from the start) to the last frame at or before a timestamp; null if
 * the first frame is later.
 */
async function lastUpTo(
  programs: FfmpegPrograms,
  { args, video }: ProbedInput,
  target: number,
  fromS: number | null,
  { width, height }: { width: number; height: number },
): Promise<Found | null> {
  const seek = fromS === null ? [] : ['-noaccurate_seek', '-seek_timestamp', '1', '-ss', fromS.toFixed(6)];
  const running = programs.ffmpeg([
    '-hide_banner',
    '-nostats',
    '-nostdin',
    '-loglevel',
    'level+info',
    '-copyts',
    '-noautorotate',
    '-threads',
    '1',
    ...seek,
    ...args,
    '-map',
    `0:${video.index}`,
    '-vf',
    `scale=${width}:${height}:flags=${SCALER_FLAGS},format=rgba,showinfo@still=checksum=0`,
    '-fps_mode',
    'passthrough',
    '-f',
    'rawvideo',
    'pipe:1',
  ]);
  const log = createFrameLog();
  running.onLine(log.line);
  void running.ended.then(log.end);
  let found: Found | null = null;
  try {
    for await (const data of fixedChunks(running.outputs[0]!, width * height * 4)) {
      const facts = await log.next('still');
      if (!facts || facts.pts > target) break;
      found = { pts: facts.pts, data: data.slice() };
    }
  } finally {
    running.kill();
    await running.ended;
  }
  return found;
}
