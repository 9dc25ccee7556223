import { AV_CHANNEL_ORDER_NATIVE, AV_CODEC_ID_AAC, AV_SAMPLE_FMT_FLTP } from 'node-av/constants';
import { type CodecContext, FFmpegError, Frame, type Packet, Rational } from 'node-av/lib';
import { drainPackets, openEncoder } from './encode.ts';

const check = (code: number, doing: string) => FFmpegError.throwIfError(code, doing);

/** Samples in an AAC packet; each packet is coded together with the one before. */
export const PACKET_SAMPLES = 1_024;

/** Far more than any sound has, of full scale. */
const LOUDEST = 1e6;

export type SoundEncoder = {
  readonly context: CodecContext;
  /** The sample that comes next. */
  readonly next: number;
  /** Adds `count` samples, interleaved in `source` from sample `offset` on; without a source, silence. */
  put(count: number, source?: Float32Array, offset?: number): void;
  /** Goes on at another sample; less than a packet that was put before is dropped. */
  moveTo(sample: number): void;
  finish(): void;
  free(): void;
};

/**
 * AAC of samples that are put one after the other, the first of them being sample `from`. `take` is called with each packet, its times in samples, which lasts as long as the call.
 */
export function createSoundEncoder(
  sound: { channels: 1 | 2; sampleRate: number; bitsPerSecond: number; from: number },
  take: (packet: Packet) => void,
): SoundEncoder {
  const { channels, sampleRate } = sound;
  const layout = { nbChannels: channels, order: AV_CHANNEL_ORDER_NATIVE, mask: channels === 2 ? 3n : 4n };
  const context = openEncoder(AV_CODEC_ID_AAC, (encoder) => {
    encoder.sampleRate = sampleRate;
    encoder.sampleFormat = AV_SAMPLE_FMT_FLTP;
    encoder.channelLayout = layout;
    encoder.bitRate = BigInt(sound.bitsPerSecond);
    encoder.timeBase = new Rational(1, sampleRate);
  });
  /** One plane per channel, one after the other. */
  let planes = new Float32Array(PACKET_SAMPLES * channels);
  let filled = 0;
  let next = sound.from;

  function send(): void {
    if (filled === 0) return;
    const last = filled < PACKET_SAMPLES;
    const data = last ? Float32Array.from(joined(planes, filled, channels)) : planes;
    const frame = Frame.fromAudioBuffer(Buffer.from(data.buffer, data.byteOffset, data.byteLength), {
      nbSamples: filled,
      format: AV_SAMPLE_FMT_FLTP,
      sampleRate,
      channelLayout: layout,
      timeBase: { num: 1, den: sampleRate },
      pts: BigInt(next - filled),
    });
    check(context.sendFrameSync(frame), 'encoding sound');
    frame.free();
    planes = new Float32Array(PACKET_SAMPLES * channels);
    filled = 0;
    drainPackets(context, take);
  }

  return {
    context,
    get next() {
      return next;
    },
    put(count, source, offset = 0) {
      for (let i = offset; i < offset + count; i++) {
        for (let channel = 0; source && channel < channels; channel++) {
          const value = source[i * channels + channel]!;
          // The encoder ends with an error at what is no number, which a damaged file may hold.
          planes[channel * PACKET_SAMPLES + filled] = Math.abs(value) < LOUDEST ? value : 0;
        }
        next++;
        if (++filled === PACKET_SAMPLES) send();
      }
    },
    moveTo(sample) {
      planes.fill(0);
      filled = 0;
      next = sample;
    },
    finish() {
      send();
      check(context.sendFrameSync(null), 'finishing the sound');
      drainPackets(context, take);
    },
    free: () => context.freeContext(),
  };
}

/** The first `filled` samples of each plane, one plane after the other. */
function* joined(planes: Float32Array, filled: number, channels: number): Generator<number> {
  for (let channel = 0; channel < channels; channel++) {
    yield* planes.subarray(channel * PACKET_SAMPLES, channel * PACKET_SAMPLES + filled);
  }
}
