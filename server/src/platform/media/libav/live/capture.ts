import {
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_LOG_QUIET,
  AV_PKT_DATA_NEW_EXTRADATA,
  AVDISCARD_ALL,
  AVERROR_EOF,
  AVERROR_HTTP_UNAUTHORIZED,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import {
  CodecParameters,
  Dictionary,
  FFmpegError,
  FormatContext,
  InputFormat,
  Log,
  Packet,
  type Stream,
} from 'node-av/lib';
import { readParameterSets } from '../../bitstream/index.ts';
import { type CaptureArgs, type CaptureContext, checkDimensions } from '../../engine/index.ts';
import { mediaProblem } from '../../problems.ts';
import { AV_NOPTS } from '../core/index.ts';
import { createLiveAudio, createTimeFiller, type LiveAudio } from './live-audio.ts';
import { createSegmenter, type PacketTimes, type Segmenter } from './segmenter.ts';
import { openSeparateAudio, type SeparateAudio, waitAtMost } from './separate-audio.ts';
import { createLiveTranscoder } from './transcoder.ts';

/** Steps of timestamps that count as a gap or a restart of the stream. */
const JUMP_S = { forward: 5, back: 0.5 };
/** Audio without video for this many stall timeouts means that the video has ended. Audio may arrive in bursts. */
const SOUND_ALONE = 2;
/** Time that video waits for separate audio to start. Audio that starts later is added at the next keyframe. */
const SOUND_BEGINS_MS = 5_000;
/** Limits of the stream analysis, which delays the start. */
const LOOK = { analyzeduration: '3000000', probesize: '2000000' };

/** See `MediaEngine.capture`. */
export async function capture(
  args: CaptureArgs,
  { emit: handOver, stopSignal: stopping }: CaptureContext,
): Promise<void> {
  Log.setLevel(AV_LOG_QUIET);
  const input = new FormatContext();
  let lastMs = Date.now();
  let stalled = false;
  /** Seconds of audio since the last video packet. */
  let soundS = 0;
  const interrupt = () => input.interrupt();
  stopping.addEventListener('abort', interrupt);
  const watch = setInterval(() => {
    if (!args.isUrl || Date.now() - lastMs <= args.stallS * 1000) return;
    stalled = true;
    interrupt();
  }, 500);
  let sound: LiveAudio | null = null;
  let side = null as SeparateAudio | null;
  const packet = new Packet();
  packet.alloc();
  try {
    const opening = args.audioUrl === undefined ? null : openSeparateAudio(args.audioUrl, LOOK);
    const { video, heard } = await open(input, args);
    const beginning = opening?.then(
      (opened) => {
        if (!heard) side = opened;
      },
      () => {},
    );
    if (beginning && !heard) await waitAtMost(beginning, SOUND_BEGINS_MS);
    const segmenter = createSegmenter(args, { emit: handOver });
    const listen = () => createLiveAudio(segmenter, heard ?? side?.stream);
    sound = listen();
    /** Reads separate audio up to the current video time. */
    const tick = video.timeBase.num / video.timeBase.den;
    let seenS = Number.NEGATIVE_INFINITY;
    const hear = (untilS: number) => side?.upTo(untilS, (heardPacket) => sound?.take(heardPacket));
    const fillTime = heard && createTimeFiller(heard);
    const pictures = await createPictures(segmenter, video, () => sound?.describe() ?? null);
    let code = 0;
    while (!stopping.aborted && !stalled) {
      code = await input.readFrame(packet);
      if (code < 0) break;
      lastMs = Date.now();
      if (packet.streamIndex === video.index) {
        soundS = 0;
        // By presentation time, so that a segment contains the audio up to its end.
        const stamp = packet.pts !== AV_NOPTS ? packet.pts : packet.dts;
        if (side && !sound && packet.isKeyframe) {
          sound = listen();
          if (sound) await pictures.renew();
        }
        if (stamp !== AV_NOPTS) await hear(Number(stamp) * tick);
        if (packet.pts !== AV_NOPTS) seenS = Math.max(seenS, Number(packet.pts + packet.duration) * tick);
        await pictures.take(packet);
      } else if (heard && packet.streamIndex === heard.index) {
        soundS += (Number(packet.duration) * heard.timeBase.num) / heard.timeBase.den;
        stalled = soundS > SOUND_ALONE * args.stallS;
        fillTime?.(packet);
        sound?.take(packet);
      }
      packet.unref();
    }
    if (!stopping.aborted) await hear(seenS);
    await pictures.finish();
    await segmenter.finish();
    if (stalled) throw mediaProblem.media_source_broken('The source sent no pictures any more.');
    if (code < 0 && code !== AVERROR_EOF && !stopping.aborted) {
      throw mediaProblem.media_source_broken(`The source broke off: ${FFmpegError.strerror(code)}.`);
    }
  } finally {
    clearInterval(watch);
    stopping.removeEventListener('abort', interrupt);
    packet.free();
    sound?.free();
    await side?.close();
    await input.closeInput();
  }
}

/** Opens the source and selects its video and audio streams. */
async function open(input: FormatContext, { url, formats, protocols, options }: CaptureArgs) {
  const whitelists = { protocol_whitelist: protocols, format_whitelist: formats };
  const demuxer = InputFormat.findInputFormat(formats);
  const opened = await input.openInput(url, demuxer, Dictionary.fromObject({ ...LOOK, ...options, ...whitelists }));
  if (opened < 0) throw failed(opened);
  const analyzed = await input.findStreamInfo(null);
  if (analyzed < 0) throw failed(analyzed);
  const videoIndex = input.findBestStream(AVMEDIA_TYPE_VIDEO);
  const video = input.streams[videoIndex];
  if (!video)
    throw mediaProblem.media_no_video('The source sends no pictures: only what has a video track can be followed.');
  checkDimensions(video.codecpar);
  const heard = input.streams[input.findBestStream(AVMEDIA_TYPE_AUDIO, -1, videoIndex)];
  for (const stream of input.streams) {
    if (stream.index !== video.index && stream.index !== heard?.index) stream.discard = AVDISCARD_ALL;
  }
  return { video, heard };
}

const failed = (code: number) =>
  code === AVERROR_HTTP_UNAUTHORIZED
    ? mediaProblem.media_source_denied()
    : mediaProblem.media_source_failed(`The source could not be opened: ${FFmpegError.strerror(code)}.`);

type Pictures = {
  take(packet: Packet): Promise<void>;
  /** Updates the track descriptions at the next keyframe. */
  renew(): Promise<void>;
  finish(): Promise<void>;
};

/** Copies H.264 and HEVC, and encodes other codecs as H.264. */
async function createPictures(
  segmenter: Segmenter,
  video: Stream,
  described: () => CodecParameters | null,
): Promise<Pictures> {
  const { codecId } = video.codecpar;
  const stamps = createStamps(video);
  const codec = codecId === AV_CODEC_ID_H264 ? 'h264' : codecId === AV_CODEC_ID_HEVC ? 'hevc' : null;
  if (!codec) {
    const encoder = createLiveTranscoder(segmenter, video, described);
    return {
      async take(packet) {
        const times = stamps.read(packet);
        if (times.jumped) await encoder.interrupt();
        await encoder.take(packet, times);
      },
      renew: () => encoder.renew(),
      finish: () => encoder.finish(),
    };
  }

  // With start codes, parameter sets are in packets; without, in the header, and changes are reported as side data.
  const header = video.codecpar.extradata;
  const framed = header?.[0] === 1;
  let parameters: Buffer | null = framed ? Buffer.from(header!) : null;
  let started = false;
  return {
    async take(packet) {
      const times = stamps.read(packet);
      if (packet.isKeyframe && packet.data) {
        const extradata = packet.getSideData(AV_PKT_DATA_NEW_EXTRADATA);
        const found = extradata ? Buffer.from(extradata) : framed ? null : readParameterSets(packet.data, codec);
        const changed = found !== null && parameters !== null && !found.equals(parameters);
        if (!started || changed) {
          const description = describe(video, found ?? parameters);
          checkDimensions(description);
          await segmenter.describe(description, described());
        }
        parameters = found ?? parameters;
        started = true;
      }
      if (times.jumped) await segmenter.interrupt();
      if (started) await segmenter.picture(packet, times, packet.isKeyframe);
    },
    renew: async () => {
      started = false;
    },
    finish: async () => {},
  };
}

/** Description of the track from the stream's header, with the parameter sets of packets if there are any. */
function describe({ codecpar }: Stream, parameters: Buffer | null): CodecParameters {
  const description = new CodecParameters();
  description.alloc();
  FFmpegError.throwIfError(codecpar.copy(description), 'describing the pictures');
  if (parameters) {
    description.extradata = parameters;
    description.parseExtradata();
  }
  return description;
}

/** Reads packet times. Fills missing ones from the previous packet and detects jumps. */
function createStamps({ timeBase, avgFrameRate }: Stream) {
  const tick = timeBase.num / timeBase.den;
  const usualS = avgFrameRate.num > 0 && avgFrameRate.den > 0 ? avgFrameRate.den / avgFrameRate.num : 1 / 25;
  let last: PacketTimes | null = null;
  return {
    read({ pts, dts, duration }: Packet): PacketTimes & { jumped: boolean } {
      const durationS = duration > 0n ? Number(duration) * tick : usualS;
      const known = dts !== AV_NOPTS ? dts : pts;
      const dtsS = known !== AV_NOPTS ? Number(known) * tick : last ? last.dtsS + last.durationS : 0;
      const ptsS = pts !== AV_NOPTS ? Number(pts) * tick : dtsS;
      const step = last ? dtsS - last.dtsS : 0;
      const jumped = step > JUMP_S.forward || step < -JUMP_S.back;
      last = { ptsS, dtsS, durationS };
      return { ...last, jumped };
    },
  };
}
