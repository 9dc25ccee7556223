import { AVCOL_TRC_ARIB_STD_B67, AVCOL_TRC_SMPTE2084, type AVPixelFormat } from 'node-av/constants';
import { avGetCodecName, avGetPixFmtName, Packet } from 'node-av/lib';
import {
  checkDecodedFrames,
  checkDuration,
  checkHeaderClaims,
  limitTags,
  type Probe,
  parseCreatedAt,
  UPLOAD_CHECK_FRAMES,
  UPLOAD_CHECK_REQUESTS,
  UPLOAD_CHECK_SIDE,
} from '../../engine/index.ts';
import {
  AV_NOPTS,
  claimedDuration,
  decodeFrames,
  getTimestamp,
  type LibavInput,
  openDecoder,
  openInput,
} from '../core/index.ts';
import { scaledSink } from './decode.ts';
import { toRgba } from './still.ts';

const HDR = new Map<number, 'PQ' | 'HLG'>([
  [AVCOL_TRC_SMPTE2084, 'PQ'],
  [AVCOL_TRC_ARIB_STD_B67, 'HLG'],
]);

/** See `Media.probe`. Also decodes and converts the first frames, because headers may be wrong. */
export async function probe(path: string, maxSeconds: number): Promise<Probe> {
  using input = await openInput(path);
  const { format, container, video, audio, tick, display: shown, orientation } = input;
  const frames = video.nbFrames > 0n ? Number(video.nbFrames) : null;
  const claims = { frames, sizeBytes: container.sizeBytes, maxSeconds };
  checkHeaderClaims({ ...claims, durationS: claimedDuration(input, 0).seconds });

  const first = await firstStamps(input);
  checkDecodedFrames(first.length, frames);
  const origin = first[0]!;
  const durationS = claimedDuration(input, origin).seconds || (await walkToEnd(path)) - origin * tick;
  checkDuration(durationS);
  checkHeaderClaims({ ...claims, durationS });

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
      hdr: HDR.get(video.codecpar.colorTrc) ?? null,
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
    createdAt: parseCreatedAt(tags),
    tags: limitTags(tags),
  };
}

/** Timestamps of the first decodable frames. Converts each as analysis and stills do; throws `media_unsupported`. */
async function firstStamps(input: LibavInput): Promise<number[]> {
  const context = openDecoder(input.video);
  const sinks = UPLOAD_CHECK_REQUESTS.map((picture) => scaledSink(picture, input));
  const stamps: number[] = [];
  try {
    for (const frame of decodeFrames(input, context)) {
      const pts = getTimestamp(frame) ?? stamps.length;
      for (const sink of sinks) await sink.deliver(frame, { timeS: 0, pts, keyframe: true });
      toRgba(frame, input, UPLOAD_CHECK_SIDE);
      stamps.push(pts);
      if (stamps.length === UPLOAD_CHECK_FRAMES) break;
    }
  } finally {
    for (const sink of sinks) sink.free();
    context.freeContext();
  }
  return stamps;
}

/** End of the last packet in seconds of the file's own time, for containers without a duration. */
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
