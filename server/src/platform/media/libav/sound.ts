import {
  AV_CHANNEL_ORDER_NATIVE,
  AV_CHANNEL_ORDER_UNSPEC,
  AV_SAMPLE_FMT_FLT,
  type AVSampleFormat,
} from 'node-av/constants';
import { type CodecContext, Frame, type Packet, SoftwareResampleContext, type Stream } from 'node-av/lib';
import type { DecodeRequest } from '../decoder.ts';
import { AV_NOPTS, openDecoder } from './input.ts';

const LAYOUTS = {
  1: { nbChannels: 1, order: AV_CHANNEL_ORDER_NATIVE, mask: 4n },
  2: { nbChannels: 2, order: AV_CHANNEL_ORDER_NATIVE, mask: 3n },
};
/** What FFmpeg takes so many channels for when the file does not say which they are (PCM in Matroska and AVI). */
const USUAL_LAYOUTS = [0n, 0x4n, 0x3n, 0xbn, 0x107n, 0x37n, 0x3fn, 0x70fn, 0x63fn];

export type SoundSink = { take(packet: Packet): void; finish(): void; free(): void };

/**
 * Decodes a sound stream to float at the wanted rate, mono or interleaved stereo. `originS` is the video's zero in the file's own time. Sound that cannot be decoded is left out,
 * and the next samples carry their own time.
 */
export function createSoundSink(
  stream: Stream,
  { sampleRate, onSamples }: NonNullable<DecodeRequest['sound']>,
  originS: number,
  channels: 1 | 2 = 1,
): SoundSink {
  const context = openSoundDecoder(stream);
  const tick = stream.timeBase.num / stream.timeBase.den;
  const input = new Frame();
  const output = new Frame();
  input.alloc();
  output.alloc();
  let resampler: SoftwareResampleContext | null = null;
  let format = '';
  /** Time of the next sample out, when the stream does not say. */
  let nextS = 0;

  const emit = (samples: number) => {
    const bytes = output.data?.[0];
    if (samples <= 0 || !bytes) return;
    onSamples(new Float32Array(bytes.buffer, bytes.byteOffset, samples * channels), nextS);
    nextS += samples / sampleRate;
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
    },
    finish() {
      if (!context) return;
      context.sendPacketSync(null);
      takeFrames();
      resample(null, resampler?.getOutSamples(0) ?? 0);
    },
    free() {
      resampler?.free();
      input.free();
      output.free();
      context?.freeContext();
    },
  };
}

/** A video is worth analysing without its sound: a codec that is missing here is no error. */
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
  // Without a limit two equal channels add up to 3 dB more than either.
  resampler.setOption('rematrix_maxval', 1);
  if (set >= 0 && resampler.init() >= 0) return resampler;
  resampler.free();
  return null;
}

/** Names the channels of a frame that comes without: the resampler refuses it otherwise. */
function nameChannels(frame: Frame): void {
  const { order, nbChannels } = frame.channelLayout;
  if (order !== AV_CHANNEL_ORDER_UNSPEC) return;
  const mask = USUAL_LAYOUTS[nbChannels] ?? (1n << BigInt(nbChannels)) - 1n;
  frame.channelLayout = { nbChannels, order: AV_CHANNEL_ORDER_NATIVE, mask };
}
