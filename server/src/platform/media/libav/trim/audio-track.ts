import { type FormatContext, Packet, type Stream } from 'node-av/lib';
import { AUDIO_BITS_PER_CHANNEL, AUDIO_SAMPLE_RATE, type TrimRequest } from '../../engine/index.ts';
import { createAacEncoder, createAudioDecoder, SAMPLES_PER_PACKET } from '../audio/index.ts';
import { addStream, type LibavInput, writePacket } from '../core/index.ts';
import { readNextPacket, seekBefore, type TrackWriter } from './packet-reader.ts';

/** Maximum jitter of timestamps in continuous audio, in samples. More is a gap or an overlap. */
const JITTER = 0.02 * AUDIO_SAMPLE_RATE;

/**
 * Encodes the audio of a range as AAC with at most two channels. In segments, packets are aligned to one grid over the
 * whole video and primed with preceding samples, so that audio is seamless across segments.
 */
export function createAudioTrack(
  output: FormatContext,
  input: LibavInput,
  audio: Stream,
  { fromS, untilS, output: as, originS, shiftS }: TrimRequest & { originS: number; shiftS: number },
): TrackWriter {
  const channels = audio.codecpar.channels > 1 ? 2 : 1;
  const grid = (timeS: number) => Math.ceil((timeS * AUDIO_SAMPLE_RATE) / SAMPLES_PER_PACKET) * SAMPLES_PER_PACKET;
  const shift = Math.round(shiftS * AUDIO_SAMPLE_RATE);
  const range = as === 'mp4' ? null : { from: grid(fromS) + shift, until: grid(untilS) + shift };
  const start = range ? range.from - 2 * SAMPLES_PER_PACKET : Math.round(fromS * AUDIO_SAMPLE_RATE) + shift;
  const end = range ? range.until + 2 * SAMPLES_PER_PACKET : Math.round(untilS * AUDIO_SAMPLE_RATE) + shift;
  const encoder = createAacEncoder(
    { channels, sampleRate: AUDIO_SAMPLE_RATE, bitsPerSecond: AUDIO_BITS_PER_CHANNEL * channels, from: start },
    (packet) => {
      if (range === null || (packet.pts >= range.from && packet.pts < range.until)) {
        writePacket(output, encoder.context, stream, packet);
      }
    },
  );
  const stream = addStream(output, encoder.context);
  let heard = false;
  const onSamples = (samples: Float32Array, timeS: number) => {
    const count = samples.length / channels;
    const at = Math.round(timeS * AUDIO_SAMPLE_RATE) + shift;
    const ahead = at - encoder.nextSample;
    const goesOn = heard && Math.abs(ahead) < JITTER;
    if (!goesOn && ahead > 0) encoder.addSamples(Math.min(ahead, end - encoder.nextSample));
    const skipped = goesOn ? 0 : Math.max(0, -ahead);
    const wanted = Math.min(count - skipped, end - encoder.nextSample);
    if (wanted <= 0) return;
    encoder.addSamples(wanted, samples, skipped);
    heard = true;
  };
  const sink = createAudioDecoder(audio, { sampleRate: AUDIO_SAMPLE_RATE, onSamples }, originS, channels);
  const packet = new Packet();
  packet.alloc();
  const tick = audio.timeBase.num / audio.timeBase.den;
  seekBefore(input, audio, Math.floor((originS + (start - shift) / AUDIO_SAMPLE_RATE) / tick), { keyframe: false });
  const finish = () => {
    // Its `onSamples` returns nothing to wait for.
    void sink.finish();
    encoder.addSamples(Math.max(0, end - encoder.nextSample));
    encoder.finish();
    return false;
  };
  return {
    step() {
      if (encoder.nextSample >= end || !readNextPacket(input.format, audio, packet)) return finish();
      void sink.take(packet);
      return true;
    },
    get timeS() {
      return encoder.nextSample / AUDIO_SAMPLE_RATE;
    },
    free() {
      packet.free();
      sink.free();
      encoder.free();
    },
  };
}
