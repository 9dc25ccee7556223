import type { Still } from '../backend.ts';
import { copyUpright, stillSize } from '../geometry.ts';
import { SCALER_FLAGS } from '../picture-sink.ts';
import { mediaProblem } from '../problems.ts';
import { SEEK_BACK_S, targetStamp } from '../seek.ts';
import { firstStamps } from './decode.ts';
import { createFrameLog, pieces } from './frame-log.ts';
import { type Input, isPaletted, openInput } from './input.ts';
import type { Programs } from './program.ts';

type Found = { pts: number; data: Uint8Array };

/** See `Backend.still`. Nothing stays open between calls: every picture costs two or three starts of a program. */
export async function still(programs: Programs, path: string, timeS: number, maxSide: number): Promise<Still> {
  const input = await openInput(programs, path);
  const { orientation, tick } = input;
  const origin = (await firstStamps(programs, input, 1))[0];
  if (origin === undefined) throw mediaProblem.media_damaged();
  const target = targetStamp(timeS, tick, origin);
  const shown = stillSize(input.shown, maxSide);
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

/** The last frame at or before a time stamp, decoding from the keyframe before `fromS` (null: from the start); null when the first that comes is later. */
async function lastUpTo(
  programs: Programs,
  { args, video }: Input,
  target: number,
  fromS: number | null,
  { width, height }: { width: number; height: number },
): Promise<Found | null> {
  const seek = fromS === null ? [] : ['-noaccurate_seek', '-seek_timestamp', '1', '-ss', fromS.toFixed(6)];
  const running = programs.ffmpeg([
    ...['-hide_banner', '-nostats', '-nostdin', '-loglevel', 'level+info', '-copyts', '-noautorotate'],
    ...['-threads', '1', ...seek, ...args, '-map', `0:${video.index}`],
    ...['-vf', `scale=${width}:${height}:flags=${SCALER_FLAGS},format=rgba,showinfo@still=checksum=0`],
    ...['-fps_mode', 'passthrough', '-f', 'rawvideo', 'pipe:1'],
  ]);
  const log = createFrameLog();
  running.onLine(log.line);
  void running.ended.then(log.end);
  let found: Found | null = null;
  try {
    for await (const data of pieces(running.outputs[0]!, width * height * 4)) {
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
