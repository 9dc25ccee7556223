import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  AV_CODEC_ID_NONE,
  AVDISCARD_ALL,
  AVDISCARD_DEFAULT,
  AVMEDIA_TYPE_DATA,
  AVMEDIA_TYPE_SUBTITLE,
} from 'node-av/constants';
import { avGetCodecName, Packet } from 'node-av/lib';
import { extractText } from '../../bitstream/index.ts';
import type { MetadataPacket, MetadataTrack } from '../../engine/index.ts';
import { AV_NOPTS, findOrigin, openInput } from '../core/index.ts';

const TURN_PACKETS = 500;

/** See `Decoder.sideTracks`. */
export async function metadataTracks(path: string): Promise<MetadataTrack[]> {
  using input = await openInput(path);
  return input.format.streams.flatMap(
    ({ index, metadata, codecpar: { codecType, codecId, codecTagString } }): MetadataTrack[] => {
      const kind = codecType === AVMEDIA_TYPE_SUBTITLE ? 'text' : codecType === AVMEDIA_TYPE_DATA ? 'data' : null;
      // A tag of zero bytes is formatted as `[0][0][0][0]`.
      const tag = codecTagString?.includes('[') ? '' : (codecTagString?.trim() ?? '');
      const codec = codecId === AV_CODEC_ID_NONE ? '' : (avGetCodecName(codecId) ?? '');
      return kind ? [{ index, kind, tag, codec, language: metadata?.get('language') ?? '' }] : [];
    },
  );
}

/** See `Decoder.readSideTrack`. */
export async function readMetadataTrack(
  path: string,
  { index, kind, tag }: MetadataTrack,
  onPacket: (packet: MetadataPacket) => void,
): Promise<void> {
  const origin = await findOrigin(path);
  using input = await openInput(path);
  const { format } = input;
  // Packets of discarded streams are skipped without reading them.
  for (const stream of format.streams) stream.discard = stream.index === index ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
  const { num, den } = format.streams[index]!.timeBase;
  const packet = new Packet();
  packet.alloc();
  try {
    for (let n = 1; format.readFrameSync(packet) >= 0; n++) {
      const { data } = packet;
      if (packet.streamIndex === index && packet.pts !== AV_NOPTS && data) {
        onPacket({
          timeS: (Number(packet.pts) * num) / den - origin * input.tick,
          durationS: (Number(packet.duration) * num) / den,
          data: kind === 'text' ? extractText(data, tag) : data,
        });
      }
      packet.unref();
      if (n % TURN_PACKETS === 0) await nextTurn();
    }
  } finally {
    packet.free();
  }
}
