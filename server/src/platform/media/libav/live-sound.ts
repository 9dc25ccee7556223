import { AV_CODEC_ID_AAC } from 'node-av/constants';
import { Codec, CodecParameters, FFmpegError, Packet, type Stream } from 'node-av/lib';
import { adtsHeaderBytes } from '../adts.ts';
import { SOUND_BITS, SOUND_RATE } from '../cutter.ts';
import { AV_NOPTS } from './input.ts';
import type { LiveFilm } from './live-film.ts';
import { createSoundSink } from './sound.ts';
import { createSoundEncoder } from './sound-encoder.ts';

const check = (code: number, doing: string) => FFmpegError.throwIfError(code, doing);

/** The sound of a livestream on its way into the film. */
export type LiveSound = {
  /** How it is told of in the file; null where it cannot be kept. Only packets of broadcasts say what they are: asked for once some have come. */
  describe(): CodecParameters | null;
  take(packet: Packet): void;
  free(): void;
};

/** Says when a packet of sound is heard where it does not say so itself, as the first ones of a broadcast after those of its analysis: when the one before ends. */
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

/** AAC as it comes, what else can be decoded encoded as AAC; null where there is neither. */
export function createLiveSound(film: LiveFilm, stream: Stream | undefined): LiveSound | null {
  if (!stream || stream.codecpar.sampleRate <= 0) return null;
  if (stream.codecpar.codecId === AV_CODEC_ID_AAC) return copied(film, stream);
  return Codec.findDecoder(stream.codecpar.codecId) ? encoded(film, stream) : null;
}

/** Packets of broadcasts carry a header each, which files do not have. */
function copied(film: LiveFilm, stream: Stream): LiveSound {
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
        film.sound(packet, times);
        return;
      }
      // Other bytes in the same packet were seen to leave it with other times.
      const bare = new Packet();
      bare.alloc();
      bare.data = Buffer.from(packet.data.subarray(header));
      // Without it nobody could begin to listen there.
      bare.isKeyframe = true;
      film.sound(bare, times);
      bare.free();
    },
    free() {},
  };
}

/** AudioSpecificConfig (ISO/IEC 14496-3) of plain AAC, from what the demuxer read in the packets' headers. */
function specificConfig({ codecpar }: Stream): Buffer | null {
  const rate = RATES.indexOf(codecpar.sampleRate);
  if (rate < 0 || codecpar.channels < 1 || codecpar.channels > 7) return null;
  const config = Buffer.alloc(2);
  config.writeUInt16BE((2 << 11) | (rate << 7) | (codecpar.channels << 3));
  return config;
}
const RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350];

/** Time stamps jitter by less than this many seconds where sound goes on. */
const JITTER_S = 0.05;
/** What is missing for less than this many seconds is silence; after more, or going back as far, the sound goes on at another time. */
const SILENCE_S = 1;

/** At the rate it has, where AAC knows that: the sound of many cameras has 8 kHz. */
function encoded(film: LiveFilm, stream: Stream): LiveSound {
  const { codecpar } = stream;
  const channels = codecpar.channels > 1 ? 2 : 1;
  const sampleRate = RATES.includes(codecpar.sampleRate) ? Math.min(codecpar.sampleRate, SOUND_RATE) : SOUND_RATE;
  const bitsPerSecond = Math.round((SOUND_BITS * channels * sampleRate) / SOUND_RATE);
  const encoder = createSoundEncoder({ channels, sampleRate, bitsPerSecond, from: 0 }, (packet) => {
    const atS = Number(packet.pts) / sampleRate;
    film.sound(packet, { ptsS: atS, dtsS: atS, durationS: Number(packet.duration) / sampleRate });
  });
  let begun = false;
  const onSamples = (samples: Float32Array, timeS: number) => {
    const at = Math.round(timeS * sampleRate);
    const aheadS = (at - encoder.next) / sampleRate;
    if (!begun || Math.abs(aheadS) > SILENCE_S) encoder.moveTo(at);
    else if (aheadS > JITTER_S) encoder.put(at - encoder.next);
    begun = true;
    const count = samples.length / channels;
    const skipped = aheadS < -JITTER_S ? Math.min(count, Math.max(0, encoder.next - at)) : 0;
    encoder.put(count - skipped, samples, skipped);
  };
  const sink = createSoundSink(stream, { sampleRate, onSamples }, 0, channels);
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
