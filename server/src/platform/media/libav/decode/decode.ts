import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  AV_CODEC_ID_H264,
  AV_FRAME_FLAG_CORRUPT,
  AV_LOG_INFO,
  AV_PKT_FLAG_DISCARD,
  AV_PKT_FLAG_KEY,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  AVSEEK_FLAG_BACKWARD,
} from 'node-av/constants';
import { Frame, Log, Packet } from 'node-av/lib';
import {
  createFrameSink,
  type DecodedFrame,
  type DecodePosition,
  type DecodeRange,
  type DecodeRequest,
  type DecodeSummary,
  type FrameRequest,
  ROUNDING_S,
  SEEK_BACK_S,
  seekTimestamp,
  toDecodeState,
} from '../../engine/index.ts';
import { mediaProblem } from '../../problems.ts';
import { createAudioDecoder } from '../audio/index.ts';
import {
  AV_NOPTS,
  claimedDuration,
  findOrigin,
  getTimestamp,
  isPaletted,
  type LibavInput,
  openDecoder,
  openInput,
} from '../core/index.ts';
import { createScaler } from './scaler.ts';

/** Maximum time between turns of the event loop, for progress messages and aborts. */
const TURN_MS = 50;

/** Frames that a resumed pass decodes at least again, to compare them with those of the earlier one. */
const REPEATED_FRAMES = 8;

const SKIP = { none: 'default', 'non-reference': 'noref', 'non-key': 'nokey', all: 'all' } as const;

/**
 * Options of frame threads, where damage that a decoder would conceal is an error. For H.264 only: other decoders leave
 * undecoded areas uninitialized without reporting an error.
 */
const FRAME_THREADS = { thread_type: 'frame', err_detect: '+explode' };
/** FFmpeg's log message on error concealment. With several threads a frame may be returned before it is marked. */
const CONCEALING = /^concealing \d/;

/** Without timestamps, the first keyframe may be before the first frame in presentation order. */
const WHOLE: DecodeRange = { fromS: Number.NEGATIVE_INFINITY, untilS: Number.POSITIVE_INFINITY };

/** One pass over the file, or over a range of it; see `Decoder.decode`. */
export async function decode(path: string, request: DecodeRequest): Promise<DecodeSummary> {
  const origin = await findOrigin(path);
  const { resume } = request;
  if (resume) return (await decodeFrom(path, request, origin, resume.seekS))!;
  for (const backS of request.range ? SEEK_BACK_S : []) {
    const summary = await decodeFrom(path, request, origin, request.range!.fromS - backS);
    if (summary) return summary;
  }
  return (await decodeFrom(path, request, origin, 0))!;
}

/**
 * Decodes from the keyframe at or before `seekS`. Null, before any frame was delivered, if the file cannot seek or
 * continues after the start of the range.
 */
async function decodeFrom(
  path: string,
  request: DecodeRequest,
  origin: number,
  seekS: number,
): Promise<DecodeSummary | null> {
  using input = await openInput(path);
  const { fromS, untilS } = request.range ?? WHOLE;
  const isSought = seekS > 0;
  if (isSought && !seek(input, origin, seekS)) return null;
  const { format, video, audio, tick } = input;
  // With `non-key`, the next due keyframe depends on previously delivered ones.
  const ordered = request.skip !== 'non-key';
  const threads = ordered && video.codecpar.codecId === AV_CODEC_ID_H264 ? (request.threads ?? 1) : 1;
  const context = openDecoder(video, {
    skip_frame: SKIP[request.skip ?? 'none'],
    skip_loop_filter: SKIP[request.skipDeblocking ?? 'none'],
    // Keyframes are in order. Delaying one would assign it the next timestamp in files without timestamps.
    ...(request.skip === 'non-key' ? { flags: '+low_delay' } : {}),
    ...(threads > 1 ? { threads: String(threads), ...FRAME_THREADS } : {}),
  });
  const sinks = request.frames.map((picture) => scaledSink(picture, input));
  const { resume = null } = request;
  if (resume) for (const [at, sink] of sinks.entries()) sink.restoreDue(resume.due[at]!);
  const repeats = (resume ? request.frames : []).flatMap(({ onRepeated, ...picture }) =>
    onRepeated ? [scaledSink({ ...picture, minIntervalS: 0, onFrame: onRepeated }, input)] : [],
  );
  const sound = request.audio && audio ? createAudioDecoder(audio, request.audio, origin * tick) : null;
  const soundTick = audio ? audio.timeBase.num / audio.timeBase.den : 0;
  const packet = new Packet();
  packet.alloc();
  /** Decoded frames to deliver, and unused frame objects. */
  const ready: Frame[] = [];
  const spare: Frame[] = [];

  const claimed = claimedDuration(input, origin);
  const claimedS = Math.min(claimed.seconds, untilS);
  let frames = resume?.frames ?? 0;
  let errors = resume?.errors ?? 0;
  /** Packets of the video that were read. */
  let read = 0;
  /** Packets of keyframes, with the number of errors before each, and the timestamps of the last frames. */
  const keyframes: { packet: number; pts: number; errors: number }[] = [];
  const recent: number[] = [];
  let hasStamps = true;
  const delay = context.hasBFrames;
  let stopped = false;
  let last = Number.NEGATIVE_INFINITY;
  let end = Math.max(origin, resume?.end ?? origin);
  /** End of the last audio packet in seconds. Audio may continue after the last frame. */
  let soundEndS = 0;
  let turn = performance.now();
  /** State of a pass over a range: the file continues after its start, or its end was reached. */
  let isLate = false;
  let isPast = false;
  /** All packets were read. */
  let isFlushing = false;

  // The decoder would skip the same frames, but only after parsing them. Packets without timestamps must be counted.
  const wanted = (keyframe: boolean, timeS: number) =>
    request.skip !== 'non-key' || packet.pts === AV_NOPTS || (keyframe && sinks.some((sink) => sink.due(timeS)));

  // The earlier pass has counted those of the packets that it read.
  const countError = () => {
    if (!resume || read > resume.read || isFlushing) errors++;
  };

  const damaged = () => {
    // Frames before the range may refer to frames before the keyframe.
    if (isSought && frames === 0) return;
    stopped = threads > 1;
    countError();
  };

  const decodeNext = async (next: Packet | null) => {
    // With several threads the next frame is decoded during delivery. With one thread this would only add overhead.
    const sent = threads > 1 ? context.sendPacket(next) : context.sendPacketSync(next);
    try {
      await lookAtReady();
    } finally {
      // Must settle before the context is used again or freed.
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
    const stamp = getTimestamp(frame);
    const isFirst = last === Number.NEGATIVE_INFINITY;
    const pts = stamp ?? (isFirst ? origin : last + 1);
    hasStamps &&= stamp !== null;
    const timeS = (pts - origin) * tick;
    isLate ||= isSought && isFirst && !resume && (stamp === null || timeS > fromS + ROUNDING_S);
    isPast ||= timeS >= untilS - ROUNDING_S;
    if (isLate || isPast) return;
    if (frame.hasFlags(AV_FRAME_FLAG_CORRUPT) || frame.decodeErrorFlags !== 0) damaged();
    // A frame that is not later than the previous one is never shown.
    if (pts <= last) {
      countError();
      return;
    }
    last = pts;
    if (timeS < fromS - ROUNDING_S) return;
    recent.push(pts);
    if (recent.length > REPEATED_FRAMES) recent.shift();
    const facts = { timeS, pts, keyframe: frame.keyFrame === 1 };
    if (resume && pts <= resume.pts) {
      for (const sink of repeats) await sink.deliver(frame, facts);
      return;
    }
    frames++;
    end = Math.max(end, pts + Number(frame.duration));
    for (const sink of sinks) {
      if (!sink.wants(timeS)) continue;
      const held = sink.deliver(frame, facts);
      if (held) await held;
    }
  };

  const position = (): DecodePosition | null => {
    if (!ordered || frames === 0 || (resume && last <= resume.pts)) return null;
    const usable = keyframes.filter(({ pts, errors: before }) => pts <= recent[0]! && before === errors);
    // Frames without timestamps are counted from the first, and a decoder that learned how far it reorders forgets it.
    const packet = hasStamps && context.hasBFrames === delay ? (usable.at(-1)?.packet ?? 0) : 0;
    return { seekS, packet, read, pts: last, end, frames, errors, due: sinks.map((sink) => sink.saveDue()) };
  };

  if (threads > 1) Log.setCallback((_, line) => CONCEALING.test(line) && damaged(), { maxLevel: AV_LOG_INFO });
  try {
    while (!stopped && !isLate && !isPast) {
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
        // An empty packet repeats the previous frame; decoders report it as an error.
        const empty = packet.size === 0;
        if (stamp !== AV_NOPTS && shown && !empty) request.onPacket?.({ timeS, bytes: packet.size, keyframe });
        if (keyframe && packet.pts !== AV_NOPTS) {
          while (keyframes.length > 1 && keyframes[1]!.pts <= recent[0]!) keyframes.shift();
          keyframes.push({ packet: read, pts: Number(packet.pts), errors });
        }
        const isSkipped = read++ < (resume?.packet ?? 0);
        if (!empty && !isSkipped && wanted(keyframe, timeS)) await decodeNext(packet);
      } else if (audio) {
        if (packet.pts !== AV_NOPTS) soundEndS = Number(packet.pts + packet.duration) * soundTick - origin * tick;
        const held = sound?.take(packet);
        if (held) await held;
      }
      packet.unref();
      if (performance.now() - turn > TURN_MS) {
        const startS = Math.max(0, fromS);
        if (claimedS > startS) {
          const doneS = (end - origin) * tick - startS;
          request.onProgress?.(Math.max(0, Math.min(1, doneS / (claimedS - startS))));
        }
        await nextTurn();
        await request.onTurn?.(position);
        turn = performance.now();
      }
    }
    isFlushing = true;
    await decodeNext(null);
    await lookAtReady();
    // Log messages of other threads arrive in later turns of the event loop.
    for (let turns = 0; threads > 1 && turns < 2; turns++) await nextTurn();
    await sound?.finish();
  } finally {
    for (const sink of [...sinks, ...repeats]) sink.free();
    sound?.free();
    packet.free();
    for (const frame of [...ready, ...spare]) frame.free();
    context.freeContext();
    if (threads > 1) Log.resetCallback();
  }
  if (isLate || (isSought && frames === 0)) return null;
  if (stopped) return { frames, errors, endS: (end - origin) * tick, state: 'stopped' };
  // `findOrigin` has decoded a frame, but the video may have no keyframe.
  if (frames === 0 && request.skip !== 'non-key') throw mediaProblem.media_damaged();
  request.onProgress?.(1);
  const endS = Math.min((end - origin) * tick, untilS);
  const reachedS = claimed.of === 'video' ? endS : Math.max(endS, soundEndS);
  return {
    frames,
    errors,
    endS,
    state: toDecodeState({ frames, errors, reachedS, claimedS: request.range ? 0 : claimedS }),
  };
}

/** Moves to the keyframe at or before a time in seconds; false if the file cannot seek. */
function seek({ format, video, tick }: LibavInput, origin: number, timeS: number): boolean {
  if (isPaletted(video)) return false;
  const stamp = BigInt(seekTimestamp(timeS, tick, origin));
  return format.seekFrameSync(video.index, stamp, AVSEEK_FLAG_BACKWARD) >= 0;
}

function emptyFrame(): Frame {
  const frame = new Frame();
  frame.alloc();
  return frame;
}

/** Frame sink with its scaler. */
export function scaledSink(request: FrameRequest, { display: shown, orientation }: LibavInput) {
  const {
    isDue: due,
    takeIfDue: wants,
    saveDue,
    restoreDue,
    deliver,
    ...sink
  } = createFrameSink(request, shown, orientation);
  const { scale, free } = createScaler(sink.scaled, sink.channels === 1, sink.scalerFlags);
  return {
    due,
    wants,
    saveDue,
    restoreDue,
    deliver(frame: Frame, facts: Omit<DecodedFrame, 'data'>): void | Promise<void> {
      const { pixels, stride } = scale(frame);
      return deliver(pixels, stride, facts);
    },
    free,
  };
}
