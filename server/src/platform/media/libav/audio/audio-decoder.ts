import {
  AV_CHANNEL_ORDER_NATIVE,
  AV_CHANNEL_ORDER_UNSPEC,
  AV_SAMPLE_FMT_FLT,
  type AVSampleFormat,
} from 'node-av/constants';
import { type CodecContext, Frame, type Packet, SoftwareResampleContext, type Stream } from 'node-av/lib';
import type { DecodeRequest } from '../../engine/index.ts';
import { AV_NOPTS, openDecoder } from '../core/index.ts';

const LAYOUTS = {
  1: { nbChannels: 1, order: AV_CHANNEL_ORDER_NATIVE, mask: 4n },
  2: { nbChannels: 2, order: AV_CHANNEL_ORDER_NATIVE, mask: 3n },
};
/** FFmpeg's default channel masks by channel count, for files without a layout (PCM in Matroska and AVI). */
const USUAL_LAYOUTS = [0n, 0x4n, 0x3n, 0xbn, 0x107n, 0x37n, 0x3fn, 0x70fn, 0x63fn];

/** `take` and `finish` return what `onSamples` waits for, if it does. */
export type AudioDecoder = {
  take(packet: Packet): Promise<unknown> | undefined;
  finish(): Promise<unknown> | undefined;
  free(): void;
};

/**
 * Decodes an audio stream to float samples at `sampleRate`, mono or interleaved stereo. `originS` is the time of the
 * first video frame in the file. Audio that cannot be decoded is skipped; later samples have their own times.
 */
export function createAudioDecoder(
  stream: Stream,
  { sampleRate, onSamples }: NonNullable<DecodeRequest['audio']>,
  originS: number,
  channels: 1 | 2 = 1,
): AudioDecoder {
  const context = openSoundDecoder(stream);
  const tick = stream.timeBase.num / stream.timeBase.den;
  const input = new Frame();
  const output = new Frame();
  input.alloc();
  output.alloc();
  let resampler: SoftwareResampleContext | null = null;
  let format = '';
  /** Time of the next output sample, used if the stream has no timestamp. */
  let nextS = 0;

  let held: Promise<void>[] = [];

  const emit = (samples: number) => {
    const bytes = output.data?.[0];
    if (samples <= 0 || !bytes) return;
    const settled = onSamples(new Float32Array(bytes.buffer, bytes.byteOffset, samples * channels), nextS);
    if (settled) held.push(settled);
    nextS += samples / sampleRate;
  };
  const takeHeld = (): Promise<unknown> | undefined => {
    if (held.length === 0) return undefined;
    const all = Promise.all(held);
    held = [];
    return all;
  };
  const resample = (frame: Frame | null, room: number) => {
    if (!resampler || room <= 0) return;
    output.format = AV_SAMPLE_FMT_FLT;
    output.sampleRate = sampleRate;
    output.channelLayout = LAYOUTS[channels];
    output.nbSamples = room;
    if (output.getBuffer(0) >= 0 && resampler.convertFrame(output, frame) >= 0) emit(output.nbSamples);
    output.unref();
  };
  const takeFrames = () => {
    while (context && context.receiveFrameSync(input) >= 0) {
      nameChannels(input);
      const now = `${input.format} ${input.sampleRate} ${input.channels} ${input.channelLayout.mask}`;
      if (now !== format) {
        resample(null, resampler?.getOutSamples(0) ?? 0);
        resampler?.free();
        resampler = openResampler(input, sampleRate, channels);
        format = now;
      }
      if (resampler && input.pts !== AV_NOPTS) {
        nextS = Number(input.pts) * tick - originS - Number(resampler.getDelay(BigInt(sampleRate))) / sampleRate;
      }
      resample(input, resampler?.getOutSamples(input.nbSamples) ?? 0);
      input.unref();
    }
  };
  return {
    take(packet) {
      if (context && context.sendPacketSync(packet) >= 0) takeFrames();
      return takeHeld();
    },
    finish() {
      if (!context) return undefined;
      context.sendPacketSync(null);
      takeFrames();
      resample(null, resampler?.getOutSamples(0) ?? 0);
      return takeHeld();
    },
    free() {
      resampler?.free();
      input.free();
      output.free();
      context?.freeContext();
    },
  };
}

/** Opens the decoder; null if the codec is not supported, because video without audio is still useful. */
function openSoundDecoder(stream: Stream): CodecContext | null {
  try {
    return openDecoder(stream);
  } catch {
    return null;
  }
}

function openResampler(frame: Frame, sampleRate: number, channels: 1 | 2): SoftwareResampleContext | null {
  const resampler = new SoftwareResampleContext();
  const set = resampler.allocSetOpts2(
    LAYOUTS[channels],
    AV_SAMPLE_FMT_FLT,
    sampleRate,
    frame.channelLayout,
    frame.format as AVSampleFormat,
    frame.sampleRate,
  );
  // Without a limit, the sum of two equal channels would be 3 dB louder.
  resampler.setOption('rematrix_maxval', 1);
  if (set >= 0 && resampler.init() >= 0) return resampler;
  resampler.free();
  return null;
}

/** Sets a channel layout on frames without one, which the resampler requires. */
function nameChannels(frame: Frame): void {
  const { order, nbChannels } = frame.channelLayout;
  if (order !== AV_CHANNEL_ORDER_UNSPEC) return;
  const mask = USUAL_LAYOUTS[nbChannels] ?? (1n << BigInt(nbChannels)) - 1n;
  frame.channelLayout = { nbChannels, order: AV_CHANNEL_ORDER_NATIVE, mask };
}
