import { stat } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { AV_PIX_FMT_RGBA, AVSEEK_FLAG_BACKWARD } from 'node-av/constants';
import { type CodecContext, FFmpegError, Frame } from 'node-av/lib';
import { copyUpright, limitSize, SEEK_BACK_S, type StillFrame, seekTimestamp } from '../../engine/index.ts';
import { mediaProblem } from '../../problems.ts';
import {
  createConverter,
  decodeFrames,
  findOrigin,
  getTimestamp,
  isPaletted,
  type LibavInput,
  openDecoder,
  openInput,
} from '../core/index.ts';

type OpenVideo = { input: LibavInput; context: CodecContext; origin: number; version: string };

/** Number and lifetime of files that stay open between calls, because users view several frames of few videos. */
const OPEN_FILES = 4;
const OPEN_MS = 60_000;

/** Creates `MediaEngine.still`. */
export function createStill(): (path: string, timeS: number, maxSide: number) => Promise<StillFrame> {
  const files = new LRUCache<string, OpenVideo>({
    max: OPEN_FILES,
    ttl: OPEN_MS,
    ttlAutopurge: true,
    dispose: (video) => {
      video.context.freeContext();
      video.input[Symbol.dispose]();
    },
  });

  async function take(path: string): Promise<OpenVideo> {
    const { mtimeMs, size, ino } = await stat(path);
    const version = `${mtimeMs} ${size} ${ino}`;
    const known = files.get(path);
    if (known?.version === version) return known;
    const origin = await findOrigin(path);
    const input = await openInput(path);
    const video = { input, context: openDecoder(input.video), origin, version };
    files.set(path, video);
    return video;
  }

  return async (path, timeS, maxSide) => {
    const frame = new Frame();
    frame.alloc();
    try {
      for (const backS of SEEK_BACK_S) {
        const video = await take(path);
        const target = seekTimestamp(timeS, video.input.tick, video.origin);
        if (!position(video, target - backS / video.input.tick)) files.delete(path);
        const { input, context, origin } = await take(path);
        if (lastUpTo(target, input, context, frame)) {
          const pts = getTimestamp(frame) ?? target;
          return { ...toRgba(frame, input, maxSide), pts, timeS: (pts - origin) * input.tick };
        }
      }
      throw mediaProblem.media_damaged('No picture could be decoded at this time: the video is damaged there.');
    } catch (error) {
      files.delete(path);
      throw error;
    } finally {
      frame.free();
    }
  };
}

/** Seeks to before a timestamp; false if the file cannot seek and must be reopened. */
function position({ input, context, origin }: OpenVideo, stamp: number): boolean {
  if (stamp <= origin || isPaletted(input.video)) return false;
  context.flushBuffers();
  return input.format.seekFrameSync(input.video.index, BigInt(Math.floor(stamp)), AVSEEK_FLAG_BACKWARD) >= 0;
}

/** Decodes the last frame at or before a timestamp into `kept`; false if the first frame is later. */
function lastUpTo(target: number, input: LibavInput, context: CodecContext, latest: Frame): boolean {
  let found = false;
  for (const frame of decodeFrames(input, context)) {
    if ((getTimestamp(frame) ?? target) > target) return found;
    latest.unref();
    FFmpegError.throwIfError(latest.ref(frame), 'keeping a picture');
    found = true;
  }
  return found;
}

/** Scales to at most `maxSide`, rotates upright, and converts HDR to SDR for viewing. */
export function toRgba(frame: Frame, input: LibavInput, maxSide: number): Omit<StillFrame, 'timeS' | 'pts'> {
  const { orientation } = input;
  const shown = limitSize(input.display, maxSide);
  const coded = orientation.transpose ? { width: shown.height, height: shown.width } : shown;
  const converter = createConverter();
  const scaled = new Frame();
  scaled.alloc();
  try {
    scaled.width = coded.width;
    scaled.height = coded.height;
    scaled.format = AV_PIX_FMT_RGBA;
    FFmpegError.throwIfError(scaled.getBuffer(0), 'allocating a picture');
    converter.convert(scaled, frame);
    const data = new Uint8Array(shown.width * shown.height * 4);
    copyUpright(scaled.data![0]!, coded, scaled.linesize[0]!, 4, orientation, data, shown.width * 4);
    return { ...shown, data };
  } finally {
    converter.free();
    scaled.free();
  }
}
