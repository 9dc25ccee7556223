import { type FormatContext, Packet, type Stream } from 'node-av/lib';
import { type Cut, SOUND_BITS, SOUND_RATE } from '../cutter.ts';
import { nextOf, seekBefore, type Track } from './cut-reading.ts';
import { addStream, writePacket } from './encode.ts';
import type { Input } from './input.ts';
import { createSoundSink } from './sound.ts';
import { createSoundEncoder, PACKET_SAMPLES } from './sound-encoder.ts';

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
  const grid = (timeS: number) => Math.ceil((timeS * SOUND_RATE) / PACKET_SAMPLES) * PACKET_SAMPLES;
  const shift = Math.round(shiftS * SOUND_RATE);
  const kept = as === 'film' ? null : { from: grid(fromS) + shift, until: grid(untilS) + shift };
  const start = kept ? kept.from - 2 * PACKET_SAMPLES : Math.round(fromS * SOUND_RATE) + shift;
  const end = kept ? kept.until + 2 * PACKET_SAMPLES : Math.round(untilS * SOUND_RATE) + shift;
  const encoder = createSoundEncoder(
    { channels, sampleRate: SOUND_RATE, bitsPerSecond: SOUND_BITS * channels, from: start },
    (packet) => {
      if (kept === null || (packet.pts >= kept.from && packet.pts < kept.until)) {
        writePacket(output, encoder.context, stream, packet);
      }
    },
  );
  const stream = addStream(output, encoder.context);
  let heard = false;
  const onSamples = (samples: Float32Array, timeS: number) => {
    const count = samples.length / channels;
    const at = Math.round(timeS * SOUND_RATE) + shift;
    const ahead = at - encoder.next;
    const goesOn = heard && Math.abs(ahead) < JITTER;
    if (!goesOn && ahead > 0) encoder.put(Math.min(ahead, end - encoder.next));
    const skipped = goesOn ? 0 : Math.max(0, -ahead);
    const wanted = Math.min(count - skipped, end - encoder.next);
    if (wanted <= 0) return;
    encoder.put(wanted, samples, skipped);
    heard = true;
  };
  const sink = createSoundSink(audio, { sampleRate: SOUND_RATE, onSamples }, originS, channels);
  const packet = new Packet();
  packet.alloc();
  const tick = audio.timeBase.num / audio.timeBase.den;
  seekBefore(input, audio, Math.floor((originS + (start - shift) / SOUND_RATE) / tick), { keyframe: false });
  const finish = () => {
    sink.finish();
    encoder.put(Math.max(0, end - encoder.next));
    encoder.finish();
    return false;
  };
  return {
    step() {
      if (encoder.next >= end || !nextOf(input.format, audio, packet)) return finish();
      sink.take(packet);
      return true;
    },
    get timeS() {
      return encoder.next / SOUND_RATE;
    },
    free() {
      packet.free();
      sink.free();
      encoder.free();
    },
  };
}
