import { stat } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { AV_PIX_FMT_RGBA, AVSEEK_FLAG_BACKWARD } from 'node-av/constants';
import { type CodecContext, FFmpegError, Frame } from 'node-av/lib';
import type { Still } from '../backend.ts';
import { copyUpright, stillSize } from '../geometry.ts';
import { mediaProblem } from '../problems.ts';
import { SEEK_BACK_S, targetStamp } from '../seek.ts';
import { createConverter } from './convert.ts';
import { findOrigin } from './decode.ts';
import { decodedFrames } from './frames.ts';
import { type Input, isPaletted, openDecoder, openInput, stampOf } from './input.ts';

type OpenVideo = { input: Input; context: CodecContext; origin: number; version: string };

/** Files kept open between calls: people look at several moments of the same few videos. */
const OPEN_FILES = 4;
const OPEN_MS = 60_000;

/** Makes `Backend.still`. */
export function createStill(): (path: string, timeS: number, maxSide: number) => Promise<Still> {
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
        const target = targetStamp(timeS, video.input.tick, video.origin);
        if (!position(video, target - backS / video.input.tick)) files.delete(path);
        const { input, context, origin } = await take(path);
        if (lastUpTo(target, input, context, frame)) {
          const pts = stampOf(frame) ?? target;
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

/** Puts the file before a time stamp; false when it cannot seek and must be opened anew. */
function position({ input, context, origin }: OpenVideo, stamp: number): boolean {
  if (stamp <= origin || isPaletted(input.video)) return false;
  context.flushBuffers();
  return input.format.seekFrameSync(input.video.index, BigInt(Math.floor(stamp)), AVSEEK_FLAG_BACKWARD) >= 0;
}

/** Decodes into `kept` the last frame at or before a time stamp; false when the first that comes is later. */
function lastUpTo(target: number, input: Input, context: CodecContext, kept: Frame): boolean {
  let found = false;
  for (const frame of decodedFrames(input, context)) {
    if ((stampOf(frame) ?? target) > target) return found;
    kept.unref();
    FFmpegError.throwIfError(kept.ref(frame), 'keeping a picture');
    found = true;
  }
  return found;
}

/** Scales to at most `maxSide` and turns upright. HDR becomes SDR here: people look at it. */
export function toRgba(frame: Frame, input: Input, maxSide: number): Omit<Still, 'timeS' | 'pts'> {
  const { orientation } = input;
  const shown = stillSize(input.shown, maxSide);
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
