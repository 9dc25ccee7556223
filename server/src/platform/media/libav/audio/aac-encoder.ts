import { AV_CHANNEL_ORDER_NATIVE, AV_CODEC_ID_AAC, AV_SAMPLE_FMT_FLTP } from 'node-av/constants';
import { type CodecContext, Frame, type Packet, Rational } from 'node-av/lib';
import { check, openEncoder, receivePackets } from '../core/index.ts';

/** Samples per AAC packet. Each packet is coded with overlap to the previous one. */
export const SAMPLES_PER_PACKET = 1_024;

/** Maximum plausible sample value, relative to full scale. */
const LOUDEST = 1e6;

export type AacEncoder = {
  readonly context: CodecContext;
  /** Index of the next sample. */
  readonly nextSample: number;
  /** Adds `count` samples from the interleaved `source`, starting at sample `offset`; silence without a source. */
  addSamples(count: number, source?: Float32Array, offset?: number): void;
  /** Continues at another sample index. An incomplete packet is dropped. */
  restartAt(sample: number): void;
  finish(): void;
  free(): void;
};

/**
 * Encodes consecutive samples as AAC, starting with sample index `from`. `take` receives each packet, with times in
 * samples; a packet is valid during the call only.
 */
export function createAacEncoder(
  sound: { channels: 1 | 2; sampleRate: number; bitsPerSecond: number; from: number },
  take: (packet: Packet) => void,
): AacEncoder {
  const { channels, sampleRate } = sound;
  const layout = { nbChannels: channels, order: AV_CHANNEL_ORDER_NATIVE, mask: channels === 2 ? 3n : 4n };
  const context = openEncoder(AV_CODEC_ID_AAC, (encoder) => {
    encoder.sampleRate = sampleRate;
    encoder.sampleFormat = AV_SAMPLE_FMT_FLTP;
    encoder.channelLayout = layout;
    encoder.bitRate = BigInt(sound.bitsPerSecond);
    encoder.timeBase = new Rational(1, sampleRate);
  });
  /** One plane per channel, concatenated. */
  let planes = new Float32Array(SAMPLES_PER_PACKET * channels);
  let filled = 0;
  let next = sound.from;

  function send(): void {
    if (filled === 0) return;
    const last = filled < SAMPLES_PER_PACKET;
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
    planes = new Float32Array(SAMPLES_PER_PACKET * channels);
    filled = 0;
    receivePackets(context, take);
  }

  return {
    context,
    get nextSample() {
      return next;
    },
    addSamples(count, source, offset = 0) {
      for (let i = offset; i < offset + count; i++) {
        for (let channel = 0; source && channel < channels; channel++) {
          const value = source[i * channels + channel]!;
          // The encoder fails on NaN, which damaged files may contain.
          planes[channel * SAMPLES_PER_PACKET + filled] = Math.abs(value) < LOUDEST ? value : 0;
        }
        next++;
        if (++filled === SAMPLES_PER_PACKET) send();
      }
    },
    restartAt(sample) {
      planes.fill(0);
      filled = 0;
      next = sample;
    },
    finish() {
      send();
      check(context.sendFrameSync(null), 'finishing the sound');
      receivePackets(context, take);
    },
    free: () => context.freeContext(),
  };
}

/** The first `filled` samples of each plane, concatenated. */
function* joined(planes: Float32Array, filled: number, channels: number): Generator<number> {
  for (let channel = 0; channel < channels; channel++) {
    yield* planes.subarray(channel * SAMPLES_PER_PACKET, channel * SAMPLES_PER_PACKET + filled);
  }
}
