import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  AV_CODEC_ID_H264,
  AV_FRAME_FLAG_CORRUPT,
  AV_LOG_INFO,
  AV_PKT_FLAG_DISCARD,
  AV_PKT_FLAG_KEY,
  AVERROR_EAGAIN,
  AVERROR_EOF,
} from 'node-av/constants';
import { Frame, Log, Packet } from 'node-av/lib';
import type { DecodedFrame, DecodeRequest, DecodeSummary, PictureRequest } from '../decoder.ts';
import { createPictureSink } from '../picture-sink.ts';
import { mediaProblem } from '../problems.ts';
import { stateOf } from '../summary.ts';
import { decodedFrames } from './frames.ts';
import { AV_NOPTS, claimedDuration, type Input, openDecoder, openInput, stampOf } from './input.ts';
import { createScaler } from './scale.ts';
import { createSoundSink } from './sound.ts';

/** Longest time without a turn of the event loop: progress goes out and an abort comes in between. */
const TURN_MS = 50;

const SKIP = { none: 'default', 'non-reference': 'noref', 'non-key': 'nokey', all: 'all' } as const;

/**
 * Each thread decodes a frame of its own; damage that a decoder would pass over is an error to it. For H.264 alone: others leave what was not decoded as it was in
 * memory, and tell nobody.
 */
const FRAME_THREADS = { thread_type: 'frame', err_detect: '+explode' };
/** What FFmpeg logs when it makes up what a frame lacks: with several threads the frame may be handed out before it is marked as such. */
const CONCEALING = /^concealing \d/;

/** One pass over the file; see `Decoder.decode`. */
export async function decode(path: string, request: DecodeRequest): Promise<DecodeSummary> {
  const origin = await findOrigin(path);
  using input = await openInput(path);
  const { format, video, audio, tick } = input;
  // What keyframes are wanted depends on those looked at before.
  const ordered = request.skip !== 'non-key';
  const threads = ordered && video.codecpar.codecId === AV_CODEC_ID_H264 ? (request.threads ?? 1) : 1;
  const context = openDecoder(video, {
    skip_frame: SKIP[request.skip ?? 'none'],
    skip_loop_filter: SKIP[request.skipDeblocking ?? 'none'],
    // Keyframes come in order: holding one back for the next would give it, in files without time stamps, the next one's time.
    ...(request.skip === 'non-key' ? { flags: '+low_delay' } : {}),
    ...(threads > 1 ? { threads: String(threads), ...FRAME_THREADS } : {}),
  });
  const sinks = request.pictures.map((picture) => scaledSink(picture, input));
  const sound = request.sound && audio ? createSoundSink(audio, request.sound, origin * tick) : null;
  const soundTick = audio ? audio.timeBase.num / audio.timeBase.den : 0;
  const packet = new Packet();
  packet.alloc();
  /** Decoded frames that nobody looked at yet, and those that hold nothing. */
  const ready: Frame[] = [];
  const spare: Frame[] = [];

  const claimed = claimedDuration(input, origin);
  let frames = 0;
  let errors = 0;
  let stopped = false;
  let last = Number.NEGATIVE_INFINITY;
  let end = origin;
  /** End of the last packet of sound in seconds; a file may go on after its last picture. */
  let soundEndS = 0;
  let turn = performance.now();

  // The decoder would drop the same frames, but only after reading through each. Packets without time stamps it has to count.
  const wanted = (keyframe: boolean, timeS: number) =>
    request.skip !== 'non-key' || packet.pts === AV_NOPTS || (keyframe && sinks.some((sink) => sink.due(timeS)));

  const damaged = () => {
    errors++;
    stopped = threads > 1;
  };

  const decodeNext = async (next: Packet | null) => {
    // On several threads the next frame is decoded while this one is scaled and looked at. On one that saves no time, and costs what it takes to hand frames over.
    const sent = threads > 1 ? context.sendPacket(next) : context.sendPacketSync(next);
    try {
      await lookAtReady();
    } finally {
      // Before anything else is done with the context, or to it.
      if ((await sent) < 0) damaged();
    }
    for (;;) {
      const frame = spare.pop() ?? emptyFrame();
      const code = context.receiveFrameSync(frame);
      if (code >= 0) ready.push(frame);
      else {
        spare.push(frame);
        if (code !== AVERROR_EAGAIN && code !== AVERROR_EOF) damaged();
        break;
      }
    }
    if (threads === 1) await lookAtReady();
  };

  const lookAtReady = async () => {
    for (let frame = ready[0]; frame; frame = ready[0]) {
      await lookAt(frame);
      frame.unref();
      spare.push(ready.shift()!);
    }
  };

  const lookAt = async (frame: Frame) => {
    const pts = stampOf(frame) ?? (frames === 0 ? origin : last + 1);
    if (frame.hasFlags(AV_FRAME_FLAG_CORRUPT) || frame.decodeErrorFlags !== 0) damaged();
    // A frame that is not later than the one before has no time at which it is shown.
    if (pts <= last) {
      errors++;
      return;
    }
    last = pts;
    frames++;
    end = Math.max(end, pts + Number(frame.duration));
    const timeS = (pts - origin) * tick;
    for (const sink of sinks) {
      if (!sink.wants(timeS)) continue;
      const held = sink.deliver(frame, { timeS, pts, keyframe: frame.keyFrame === 1 });
      if (held) await held;
    }
  };

  if (threads > 1) Log.setCallback((_, line) => CONCEALING.test(line) && damaged(), { maxLevel: AV_LOG_INFO });
  try {
    while (!stopped) {
      const code = format.readFrameSync(packet);
      if (code < 0) {
        if (code !== AVERROR_EOF) errors++;
        break;
      }
      if (packet.streamIndex === video.index) {
        const shown = !packet.hasFlags(AV_PKT_FLAG_DISCARD);
        if (packet.pts !== AV_NOPTS && shown) end = Math.max(end, Number(packet.pts + packet.duration));
        const stamp = packet.pts !== AV_NOPTS ? packet.pts : packet.dts;
        const timeS = (Number(stamp) - origin) * tick;
        const keyframe = packet.hasFlags(AV_PKT_FLAG_KEY);
        // An empty packet repeats the frame before; decoders take it for an error.
        const empty = packet.size === 0;
        if (stamp !== AV_NOPTS && shown && !empty) request.onPacket?.({ timeS, bytes: packet.size, keyframe });
        if (!empty && wanted(keyframe, timeS)) await decodeNext(packet);
      } else if (audio) {
        if (packet.pts !== AV_NOPTS) soundEndS = Number(packet.pts + packet.duration) * soundTick - origin * tick;
        sound?.take(packet);
      }
      packet.unref();
      if (performance.now() - turn > TURN_MS) {
        if (claimed.seconds > 0) request.onProgress?.(Math.min(1, ((end - origin) * tick) / claimed.seconds));
        await nextTurn();
        turn = performance.now();
      }
    }
    await decodeNext(null);
    await lookAtReady();
    // What other threads logged comes with a turn of the event loop.
    for (let turns = 0; threads > 1 && turns < 2; turns++) await nextTurn();
    sound?.finish();
  } finally {
    for (const sink of sinks) sink.free();
    sound?.free();
    packet.free();
    for (const frame of [...ready, ...spare]) frame.free();
    context.freeContext();
    if (threads > 1) Log.resetCallback();
  }
  if (stopped) return { frames, errors, endS: (end - origin) * tick, state: 'stopped' };
  // The search for the origin has shown that frames decode; a video may have no keyframe all the same.
  if (frames === 0 && request.skip !== 'non-key') throw mediaProblem.media_damaged();
  request.onProgress?.(1);
  const endS = (end - origin) * tick;
  const reachedS = claimed.of === 'video' ? endS : Math.max(endS, soundEndS);
  return { frames, errors, endS, state: stateOf({ frames, errors, reachedS, claimedS: claimed.seconds }) };
}

function emptyFrame(): Frame {
  const frame = new Frame();
  frame.alloc();
  return frame;
}

/**
 * The time stamp of the first frame that decodes, in presentation order: zero of all times. Found by decoding without any short cut, so that it is
 * the same whatever frames are left out later.
 */
export async function findOrigin(path: string): Promise<number> {
  using input = await openInput(path);
  const context = openDecoder(input.video);
  try {
    for (const frame of decodedFrames(input, context)) return stampOf(frame) ?? 0;
    throw mediaProblem.media_damaged();
  } finally {
    context.freeContext();
  }
}

/** A picture request with its scaler. */
export function scaledSink(request: PictureRequest, { shown, orientation }: Input) {
  const { due, wants, deliver, scaled, channels } = createPictureSink(request, shown, orientation);
  const { scale, free } = createScaler(scaled, channels === 1);
  return {
    due,
    wants,
    deliver(frame: Frame, facts: Omit<DecodedFrame, 'data'>): void | Promise<void> {
      const { pixels, stride } = scale(frame);
      return deliver(pixels, stride, facts);
    },
    free,
  };
}
