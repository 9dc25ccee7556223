import {
  AV_CODEC_ID_H264,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUVJ420P,
  AV_PKT_FLAG_DISCARD,
  AV_PKT_FLAG_KEY,
  AVDISCARD_ALL,
} from 'node-av/constants';
import { Packet } from 'node-av/lib';
import type { VideoPacket } from '../../engine/index.ts';
import { AV_NOPTS, decodeFrames, getTimestamp, isInterlaced, openDecoder, openInput } from '../core/index.ts';

/** See `MediaEngine.copyablePackets`. Reads the whole file and decodes its first frame only. */
export async function copyablePackets(path: string): Promise<VideoPacket[] | null> {
  const origin = await originOfPlayed(path);
  if (origin === null) return null;
  using input = await openInput(path);
  const { format, video, tick } = input;
  for (const stream of format.streams) if (stream.index !== video.index) stream.discard = AVDISCARD_ALL;
  const packets: VideoPacket[] = [];
  const packet = new Packet();
  packet.alloc();
  try {
    while (format.readFrameSync(packet) >= 0) {
      if (packet.streamIndex === video.index && !packet.hasFlags(AV_PKT_FLAG_DISCARD)) {
        if (packet.pts === AV_NOPTS) return null;
        const timeS = (Number(packet.pts) - origin) * tick;
        packets.push({ timeS, bytes: packet.size, keyframe: packet.hasFlags(AV_PKT_FLAG_KEY) });
      }
      packet.unref();
    }
    return packets;
  } finally {
    packet.free();
  }
}

/** Timestamp of the first frame of a video that every browser plays; null for any other video. */
async function originOfPlayed(path: string): Promise<number | null> {
  using input = await openInput(path);
  const { codecId, format } = input.video.codecpar;
  const { transpose, flipX, flipY } = input.orientation;
  const played = codecId === AV_CODEC_ID_H264 && (format === AV_PIX_FMT_YUV420P || format === AV_PIX_FMT_YUVJ420P);
  if (!played || transpose || flipX || flipY) return null;
  const context = openDecoder(input.video);
  try {
    for (const frame of decodeFrames(input, context)) return isInterlaced(frame) ? null : getTimestamp(frame);
    return null;
  } finally {
    context.freeContext();
  }
}
