import {
  AV_CHANNEL_ORDER_UNSPEC,
  AV_CODEC_ID_PCM_S16LE,
  AV_SAMPLE_FMT_S16,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { FFmpegError, FormatContext, Packet, Rational } from 'node-av/lib';

/** Two channels of a sine, without their names. `peak`: of 1. */
export type Tone = { hertz: number; peak: number; seconds: number };

type RemuxArgs = { source: string; path: string; format: string; tone?: Tone };

const SAMPLE_RATE = 48_000;

/**
 * Copies a video with its sound into another container, the one that `format` names as FFmpeg does. A `tone` replaces
 * the sound.
 */
export function remuxTask({ source, path, format, tone }: RemuxArgs): void {
  const check = (code: number, doing: string) => FFmpegError.throwIfError(code, doing);
  const [input, output] = [new FormatContext(), new FormatContext()];
  check(input.openInputSync(`file:${source}`, null, null), 'opening the source');
  check(input.findStreamInfoSync(null), 'reading the source');
  check(output.allocOutputContext2(null, format, `file:${path}`), 'creating the file');
  const tracks = new Map(
    (tone ? [AVMEDIA_TYPE_VIDEO] : [AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO])
      .map((type) => input.streams[input.findBestStream(type)])
      .filter((stream) => stream !== undefined)
      .map((stream) => {
        const track = output.newStream(null);
        check(stream.codecpar.copy(track.codecpar), 'describing a track');
        track.codecpar.codecTag = 0;
        track.timeBase = stream.timeBase;
        return [stream.index, { from: stream.timeBase, track }] as const;
      }),
  );
  const sound = tone && output.newStream(null);
  if (sound) {
    sound.codecpar.codecType = AVMEDIA_TYPE_AUDIO;
    sound.codecpar.codecId = AV_CODEC_ID_PCM_S16LE;
    sound.codecpar.format = AV_SAMPLE_FMT_S16;
    sound.codecpar.sampleRate = SAMPLE_RATE;
    sound.codecpar.bitsPerCodedSample = 16;
    sound.codecpar.channelLayout = { nbChannels: 2, order: AV_CHANNEL_ORDER_UNSPEC, mask: 0n };
    sound.timeBase = new Rational(1, SAMPLE_RATE);
  }
  check(output.openOutputSync(), 'opening the file');
  check(output.writeHeaderSync(null), 'writing the header');
  const packet = new Packet();
  packet.alloc();
  if (sound) {
    packet.data = toSamples(tone);
    packet.pts = packet.dts = 0n;
    packet.streamIndex = sound.index;
    check(output.interleavedWriteFrameSync(packet), 'writing the sound');
    packet.unref();
  }
  while (input.readFrameSync(packet) >= 0) {
    const target = tracks.get(packet.streamIndex);
    if (target) {
      packet.streamIndex = target.track.index;
      packet.rescaleTs(target.from, target.track.timeBase);
      packet.pos = -1n;
      check(output.interleavedWriteFrameSync(packet), 'writing a packet');
    }
    packet.unref();
  }
  packet.free();
  check(output.writeTrailerSync(), 'writing the index');
  output.closeOutputSync();
  output.freeContext();
  input.closeInputSync();
}

function toSamples({ hertz, peak, seconds }: Tone): Buffer {
  const bytes = Buffer.alloc(seconds * SAMPLE_RATE * 4);
  for (let at = 0; at < bytes.length / 2; at++) {
    const timeS = (at >> 1) / SAMPLE_RATE;
    bytes.writeInt16LE(Math.round(peak * 32_767 * Math.sin(2 * Math.PI * hertz * timeS)), at * 2);
  }
  return bytes;
}
