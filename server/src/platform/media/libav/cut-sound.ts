import { AV_CHANNEL_ORDER_NATIVE, AV_CODEC_ID_AAC, AV_SAMPLE_FMT_FLTP } from 'node-av/constants';
import { FFmpegError, type FormatContext, Frame, Packet, Rational, type Stream } from 'node-av/lib';
import { type Cut, SOUND_BITS, SOUND_RATE } from '../cutter.ts';
import { nextOf, seekBefore, type Track } from './cut-reading.ts';
import { addStream, drain, openEncoder } from './encode.ts';
import type { Input } from './input.ts';
import { createSoundSink } from './sound.ts';

const check = (code: number, doing: string) => FFmpegError.throwIfError(code, doing);

/** Samples in an AAC packet; each packet is coded together with the one before. */
const PACKET = 1_024;
/** Time stamps jitter by less than this where sound goes on; more is a gap or an overlap. */
const JITTER = 0.02 * SOUND_RATE;

/**
 * The sound of a cut as AAC, at most two channels. In segments packets lie on one grid over the whole video, each coded with what comes before it,
 * so that the sound goes on over their borders as if it had been encoded in one piece.
 */
export function createSoundTrack(
  output: FormatContext,
  input: Input,
  audio: Stream,
  { fromS, untilS, as, originS, shiftS }: Cut & { originS: number; shiftS: number },
): Track {
  const channels = audio.codecpar.channels > 1 ? 2 : 1;
  const layout = { nbChannels: channels, order: AV_CHANNEL_ORDER_NATIVE, mask: channels === 2 ? 3n : 4n };
  const encoder = openEncoder(AV_CODEC_ID_AAC, (context) => {
    context.sampleRate = SOUND_RATE;
    context.sampleFormat = AV_SAMPLE_FMT_FLTP;
    context.channelLayout = layout;
    context.bitRate = BigInt(SOUND_BITS * channels);
    context.timeBase = new Rational(1, SOUND_RATE);
  });
  const stream = addStream(output, encoder);
  const grid = (timeS: number) => Math.ceil((timeS * SOUND_RATE) / PACKET) * PACKET;
  const whole = as === 'film';
  const kept = whole ? null : { from: grid(fromS), until: grid(untilS) };
  const start = kept ? kept.from - 2 * PACKET : Math.round(fromS * SOUND_RATE);
  const end = kept ? kept.until + 2 * PACKET : Math.round(untilS * SOUND_RATE);
  const shift = Math.round(shiftS * SOUND_RATE);
  const keep = ({ pts }: Packet) => {
    const sample = Number(pts) - shift;
    return kept === null || (sample >= kept.from && sample < kept.until);
  };

  /** One plane per channel, one after the other. */
  let planes = new Float32Array(PACKET * channels);
  let filled = 0;
  /** The sample that comes next. */
  let next = start;
  const send = () => {
    if (filled === 0) return;
    const last = filled < PACKET;
    const data = last ? Float32Array.from(joined(planes, filled, channels)) : planes;
    const frame = Frame.fromAudioBuffer(Buffer.from(data.buffer, data.byteOffset, data.byteLength), {
      nbSamples: filled,
      format: AV_SAMPLE_FMT_FLTP,
      sampleRate: SOUND_RATE,
      channelLayout: layout,
      timeBase: { num: 1, den: SOUND_RATE },
      pts: BigInt(next - filled + shift),
    });
    check(encoder.sendFrameSync(frame), 'encoding sound');
    frame.free();
    planes = new Float32Array(PACKET * channels);
    filled = 0;
    drain(output, encoder, stream, keep);
  };
  /** Adds `count` samples; without a source, silence. */
  const put = (count: number, source?: Float32Array, offset = 0) => {
    const until = Math.min(end, next + count);
    for (let i = offset; next < until; i++) {
      for (let channel = 0; source && channel < channels; channel++) {
        planes[channel * PACKET + filled] = source[i * channels + channel]!;
      }
      next++;
      if (++filled === PACKET) send();
    }
  };
  let heard = false;
  const onSamples = (samples: Float32Array, timeS: number) => {
    const count = samples.length / channels;
    const at = Math.round(timeS * SOUND_RATE);
    const ahead = at - next;
    const goesOn = heard && Math.abs(ahead) < JITTER;
    if (!goesOn && ahead > 0) put(ahead);
    const skipped = goesOn ? 0 : Math.min(count, Math.max(0, next - at));
    if (skipped < count) {
      put(count - skipped, samples, skipped);
      heard = true;
    }
  };
  const sink = createSoundSink(audio, { sampleRate: SOUND_RATE, onSamples }, originS, channels);
  const packet = new Packet();
  packet.alloc();
  const tick = audio.timeBase.num / audio.timeBase.den;
  seekBefore(input, audio, Math.floor((originS + start / SOUND_RATE) / tick), { keyframe: false });
  const finish = () => {
    sink.finish();
    put(end - next);
    send();
    check(encoder.sendFrameSync(null), 'finishing the sound');
    drain(output, encoder, stream, keep);
    return false;
  };
  return {
    step() {
      if (next >= end || !nextOf(input.format, audio, packet)) return finish();
      sink.take(packet);
      return true;
    },
    get timeS() {
      return next / SOUND_RATE + shiftS;
    },
    free() {
      packet.free();
      sink.free();
      encoder.freeContext();
    },
  };
}

/** The first `filled` samples of each plane, one plane after the other. */
function* joined(planes: Float32Array, filled: number, channels: number): Generator<number> {
  for (let channel = 0; channel < channels; channel++) {
    yield* planes.subarray(channel * PACKET, channel * PACKET + filled);
  }
}
