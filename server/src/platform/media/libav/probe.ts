import type { AVPixelFormat } from 'node-av/constants';
import { avGetCodecName, avGetPixFmtName, Packet } from 'node-av/lib';
import { boundedTags, checkClaims, checkDecoded, checkDuration, createdAtOf } from '../facts.ts';
import type { Probe } from '../index.ts';
import { TRIAL_FRAMES, TRIAL_PICTURES, TRIAL_SIDE } from '../trial.ts';
import { scaledSink } from './decode.ts';
import { decodedFrames } from './frames.ts';
import { AV_NOPTS, claimedDuration, type Input, openDecoder, openInput, stampOf } from './input.ts';
import { toRgba } from './still.ts';

/** Reads the headers, and decodes and converts the first frames: headers lie. See `Media.probe`. */
export async function probe(path: string, maxSeconds: number): Promise<Probe> {
  using input = await openInput(path);
  const { format, container, video, audio, tick, shown, orientation } = input;
  const frames = video.nbFrames > 0n ? Number(video.nbFrames) : null;
  const claims = { frames, sizeBytes: container.sizeBytes, maxSeconds };
  checkClaims({ ...claims, durationS: claimedDuration(input, 0).seconds });

  const first = await firstStamps(input);
  checkDecoded(first.length, frames);
  const origin = first[0]!;
  const durationS = claimedDuration(input, origin).seconds || (await walkToEnd(path)) - origin * tick;
  checkDuration(durationS);
  checkClaims({ ...claims, durationS });

  const { num, den } = video.avgFrameRate;
  const tags = format.metadata?.getAll() ?? {};
  return {
    container: container.name,
    durationS,
    startS: origin * tick,
    sizeBytes: container.sizeBytes,
    video: {
      codec: avGetCodecName(video.codecpar.codecId) ?? 'unknown',
      pixelFormat: avGetPixFmtName(video.codecpar.format as AVPixelFormat) ?? 'unknown',
      ...shown,
      rotation: orientation.rotation,
      frameRate: num > 0 && den > 0 ? num / den : null,
      timeBase: [video.timeBase.num, video.timeBase.den],
      frames,
    },
    audio: audio && {
      codec: avGetCodecName(audio.codecpar.codecId) ?? 'unknown',
      sampleRate: audio.codecpar.sampleRate,
      channels: audio.codecpar.channels,
    },
    createdAt: createdAtOf(tags),
    tags: boundedTags(tags),
  };
}

/** Time stamps of the first frames that decode. Each is converted as analysis and stills do; throws `media_unsupported`. */
async function firstStamps(input: Input): Promise<number[]> {
  const context = openDecoder(input.video);
  const sinks = TRIAL_PICTURES.map((picture) => scaledSink(picture, input));
  const stamps: number[] = [];
  try {
    for (const frame of decodedFrames(input, context)) {
      const pts = stampOf(frame) ?? stamps.length;
      for (const sink of sinks) await sink.deliver(frame, { timeS: 0, pts, keyframe: true });
      toRgba(frame, input, TRIAL_SIDE);
      stamps.push(pts);
      if (stamps.length === TRIAL_FRAMES) break;
    }
  } finally {
    for (const sink of sinks) sink.free();
    context.freeContext();
  }
  return stamps;
}

/** Where the last packet ends in the file's own time, in seconds: for the few containers that do not say how long they are. */
async function walkToEnd(path: string): Promise<number> {
  using input = await openInput(path);
  const packet = new Packet();
  packet.alloc();
  let end = 0n;
  while (input.format.readFrameSync(packet) >= 0) {
    if (packet.streamIndex === input.video.index && packet.pts !== AV_NOPTS && packet.pts + packet.duration > end) {
      end = packet.pts + packet.duration;
    }
    packet.unref();
  }
  packet.free();
  return Number(end) * input.tick;
}
