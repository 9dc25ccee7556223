import type { AVPixelFormat } from 'node-av/constants';
import { avGetCodecName, avGetPixFmtName, Packet } from 'node-av/lib';
import { boundedTags, checkClaims, checkDecoded, createdAtOf } from '../facts.ts';
import type { Probe } from '../index.ts';
import { decodedFrames } from './frames.ts';
import { AV_NOPTS, claimedDuration, type Input, openDecoder, openInput, stampOf } from './input.ts';

/** Reads the headers and decodes two pictures: headers lie. See `Media.probe`. */
export async function probe(path: string, maxSeconds: number): Promise<Probe> {
  using input = await openInput(path);
  const { format, container, video, audio, tick, shown, orientation } = input;
  const frames = video.nbFrames > 0n ? Number(video.nbFrames) : null;
  const claims = { frames, sizeBytes: container.sizeBytes, maxSeconds };
  checkClaims({ ...claims, durationS: claimedDuration(input, 0).seconds });

  const first = firstStamps(input);
  checkDecoded(first.length, frames);
  const origin = first[0]!;
  const durationS = claimedDuration(input, origin).seconds || (await walkToEnd(path)) - origin * tick;
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

/** Time stamps of the first two frames that decode. */
function firstStamps(input: Input): number[] {
  const context = openDecoder(input.video);
  const stamps: number[] = [];
  try {
    for (const frame of decodedFrames(input, context)) {
      stamps.push(stampOf(frame) ?? stamps.length);
      if (stamps.length === 2) break;
    }
  } finally {
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
