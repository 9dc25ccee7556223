import { AV_CODEC_ID_AAC } from 'node-av/constants';
import { Codec, CodecParameters, Packet, type Stream } from 'node-av/lib';
import { adtsHeaderBytes } from '../../bitstream/index.ts';
import { AUDIO_BITS_PER_CHANNEL, AUDIO_SAMPLE_RATE } from '../../engine/index.ts';
import { createAacEncoder, createAudioDecoder } from '../audio/index.ts';
import { AV_NOPTS, check } from '../core/index.ts';
import type { Segmenter } from './segmenter.ts';

/** Audio of a live stream for the segmenter. */
export type LiveAudio = {
  /**
   * Track description; null if it cannot be stored. Broadcast audio is described by its packets only, so call it late.
   */
  describe(): CodecParameters | null;
  take(packet: Packet): void;
  free(): void;
};

/** Fills missing packet times with the end of the previous packet, as needed after the analysis of a broadcast. */
export function createTimeFiller({ timeBase, codecpar }: Stream): (packet: Packet) => void {
  const { sampleRate, frameSize } = codecpar;
  const usual = sampleRate > 0 ? Math.round((frameSize * timeBase.den) / (sampleRate * timeBase.num)) : 0;
  let next = AV_NOPTS;
  return (packet) => {
    if (packet.duration <= 0n) packet.duration = BigInt(usual);
    if (packet.pts === AV_NOPTS) [packet.pts, packet.dts] = [next, next];
    next = packet.pts === AV_NOPTS ? AV_NOPTS : packet.pts + packet.duration;
  };
}

/** Copies AAC and re-encodes other codecs as AAC; null if there is no decodable audio. */
export function createLiveAudio(segmenter: Segmenter, stream: Stream | undefined): LiveAudio | null {
  if (!stream || stream.codecpar.sampleRate <= 0) return null;
  if (stream.codecpar.codecId === AV_CODEC_ID_AAC) return copied(segmenter, stream);
  return Codec.findDecoder(stream.codecpar.codecId) ? encoded(segmenter, stream) : null;
}

/** Copies AAC packets, without the ADTS headers of broadcasts. */
function copied(segmenter: Segmenter, stream: Stream): LiveAudio {
  const tick = stream.timeBase.num / stream.timeBase.den;
  return {
    describe() {
      const description = new CodecParameters();
      description.alloc();
      check(stream.codecpar.copy(description), 'describing the sound');
      description.extradata ??= specificConfig(stream);
      return description.extradata ? description : null;
    },
    take(packet) {
      if (packet.pts === AV_NOPTS || !packet.data) return;
      const atS = Number(packet.pts) * tick;
      const times = { ptsS: atS, dtsS: atS, durationS: Number(packet.duration) * tick };
      const header = stream.codecpar.extradata ? 0 : adtsHeaderBytes(packet.data);
      if (header === 0) {
        segmenter.sound(packet, times);
        return;
      }
      // Replacing the data of a packet would change its times.
      const bare = new Packet();
      bare.alloc();
      bare.data = Buffer.from(packet.data.subarray(header));
      // Otherwise playback could not start here.
      bare.isKeyframe = true;
      segmenter.sound(bare, times);
      bare.free();
    },
    free() {},
  };
}

/** AudioSpecificConfig (ISO/IEC 14496-3) of AAC-LC from the parameters in packet headers. */
function specificConfig({ codecpar }: Stream): Buffer | null {
  const rate = RATES.indexOf(codecpar.sampleRate);
  if (rate < 0 || codecpar.channels < 1 || codecpar.channels > 7) return null;
  const config = Buffer.alloc(2);
  config.writeUInt16BE((2 << 11) | (rate << 7) | (codecpar.channels << 3));
  return config;
}
const RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350];

/** Maximum jitter of timestamps in continuous audio. */
const JITTER_S = 0.05;
/** Shorter gaps are filled with silence. After longer ones, or jumps back, audio continues at the new time. */
const SILENCE_S = 1;

/** Encodes at the source's sample rate if AAC supports it; many cameras use 8 kHz. */
function encoded(segmenter: Segmenter, stream: Stream): LiveAudio {
  const { codecpar } = stream;
  const channels = codecpar.channels > 1 ? 2 : 1;
  const sampleRate = RATES.includes(codecpar.sampleRate)
    ? Math.min(codecpar.sampleRate, AUDIO_SAMPLE_RATE)
    : AUDIO_SAMPLE_RATE;
  const bitsPerSecond = Math.round((AUDIO_BITS_PER_CHANNEL * channels * sampleRate) / AUDIO_SAMPLE_RATE);
  const encoder = createAacEncoder({ channels, sampleRate, bitsPerSecond, from: 0 }, (packet) => {
    const atS = Number(packet.pts) / sampleRate;
    segmenter.sound(packet, { ptsS: atS, dtsS: atS, durationS: Number(packet.duration) / sampleRate });
  });
  let started = false;
  const onSamples = (samples: Float32Array, timeS: number) => {
    const at = Math.round(timeS * sampleRate);
    const aheadS = (at - encoder.nextSample) / sampleRate;
    if (!started || Math.abs(aheadS) > SILENCE_S) encoder.restartAt(at);
    else if (aheadS > JITTER_S) encoder.addSamples(at - encoder.nextSample);
    started = true;
    const count = samples.length / channels;
    const skipped = aheadS < -JITTER_S ? Math.min(count, Math.max(0, encoder.nextSample - at)) : 0;
    encoder.addSamples(count - skipped, samples, skipped);
  };
  const sink = createAudioDecoder(stream, { sampleRate, onSamples }, 0, channels);
  return {
    describe() {
      const description = new CodecParameters();
      description.alloc();
      check(description.fromContext(encoder.context), 'describing the sound');
      return description;
    },
    take: (packet) => sink.take(packet),
    free() {
      sink.free();
      encoder.free();
    },
  };
}
