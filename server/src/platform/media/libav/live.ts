import {
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_LOG_QUIET,
  AV_PKT_DATA_NEW_EXTRADATA,
  AVDISCARD_ALL,
  AVERROR_EOF,
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
import type { CaptureArgs, Capturing } from '../live.ts';
import { parameterSetsOf } from '../parameter-sets.ts';
import { mediaProblem } from '../problems.ts';
import { checkDimensions } from '../refusals.ts';
import { AV_NOPTS } from './input.ts';
import { createLiveEncoder } from './live-encoder.ts';
import { createLiveFilm, type LiveFilm, type Stamped } from './live-film.ts';
import { openSideSound, type SideSound, within } from './live-side-sound.ts';
import { createLiveSound, createTimeFiller, type LiveSound } from './live-sound.ts';

/** Time stamps that go this far forward, or this far back, jump: something is missing, or begins anew. */
const JUMP_S = { forward: 5, back: 0.5 };
/** Sound that goes on for this many times as long as a stall without a picture: they are gone. Less may come at once, for pictures that came before it. */
const SOUND_ALONE = 2;
/** How long pictures wait for sound that comes apart to begin; what begins later is heard from the next keyframe on. */
const SOUND_BEGINS_MS = 5_000;
/** How much of a stream is looked at to know its tracks: its start should not wait longer. */
const LOOK = { analyzeduration: '3000000', probesize: '2000000' };

/** See `Backend.capture`. */
export async function capture(args: CaptureArgs, { handOver, stopping }: Capturing): Promise<void> {
  Log.setLevel(AV_LOG_QUIET);
  const input = new FormatContext();
  let lastMs = Date.now();
  let stalled = false;
  /** Seconds of sound since the last picture. */
  let soundS = 0;
  const interrupt = () => input.interrupt();
  stopping.addEventListener('abort', interrupt);
  const watch = setInterval(() => {
    if (!args.address || Date.now() - lastMs <= args.stallS * 1000) return;
    stalled = true;
    interrupt();
  }, 500);
  let sound: LiveSound | null = null;
  let side = null as SideSound | null;
  const packet = new Packet();
  packet.alloc();
  try {
    const opening = args.soundUrl === undefined ? null : openSideSound(args.soundUrl, LOOK);
    const { video, heard } = await open(input, args);
    const beginning = opening?.then(
      (begun) => {
        if (!heard) side = begun;
      },
      () => {},
    );
    if (beginning && !heard) await within(beginning, SOUND_BEGINS_MS);
    const film = createLiveFilm(args, { handOver });
    const listen = () => createLiveSound(film, heard ?? side?.stream);
    sound = listen();
    /** Sound that comes apart, as far as the pictures have come. */
    const tick = video.timeBase.num / video.timeBase.den;
    let seenS = Number.NEGATIVE_INFINITY;
    const hear = (untilS: number) => side?.upTo(untilS, (heardPacket) => sound?.take(heardPacket));
    const fillTime = heard && createTimeFiller(heard);
    const pictures = await createPictures(film, video, () => sound?.describe() ?? null);
    let code = 0;
    while (!stopping.aborted && !stalled) {
      code = await input.readFrame(packet);
      if (code < 0) break;
      lastMs = Date.now();
      if (packet.streamIndex === video.index) {
        soundS = 0;
        // By when it is shown, not decoded: a segment gets the audio up to its end.
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
    await film.finish();
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

/** Opens the source, and finds its pictures and the sound that goes with them. */
async function open(input: FormatContext, { url, formats, protocols, options }: CaptureArgs) {
  const whitelists = { protocol_whitelist: protocols, format_whitelist: formats };
  const demuxer = InputFormat.findInputFormat(formats);
  const opened = await input.openInput(url, demuxer, Dictionary.fromObject({ ...LOOK, ...options, ...whitelists }));
  if (opened < 0) throw failed(opened);
  const analysed = await input.findStreamInfo(null);
  if (analysed < 0) throw failed(analysed);
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
  mediaProblem.media_source_failed(`The source could not be opened: ${FFmpegError.strerror(code)}.`);

type Pictures = {
  take(packet: Packet): Promise<void>;
  /** Its tracks are described anew, from the next keyframe on. */
  renew(): Promise<void>;
  finish(): Promise<void>;
};

/** H.264 and HEVC as they come; what else there is, encoded as H.264. */
async function createPictures(
  film: LiveFilm,
  video: Stream,
  described: () => CodecParameters | null,
): Promise<Pictures> {
  const { codecId } = video.codecpar;
  const stamps = createStamps(video);
  const codec = codecId === AV_CODEC_ID_H264 ? 'h264' : codecId === AV_CODEC_ID_HEVC ? 'hevc' : null;
  if (!codec) {
    const encoder = createLiveEncoder(film, video, described);
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

  // With start codes, packets bring parameters of their own; without, the header has them, and says when they change.
  const header = video.codecpar.extradata;
  const framed = header?.[0] === 1;
  let parameters: Buffer | null = framed ? Buffer.from(header!) : null;
  let begun = false;
  return {
    async take(packet) {
      const times = stamps.read(packet);
      if (packet.isKeyframe && packet.data) {
        const extradata = packet.getSideData(AV_PKT_DATA_NEW_EXTRADATA);
        const found = extradata ? Buffer.from(extradata) : framed ? null : parameterSetsOf(packet.data, codec);
        const changed = found !== null && parameters !== null && !found.equals(parameters);
        if (!begun || changed) {
          const description = describe(video, found ?? parameters);
          checkDimensions(description);
          await film.describe(description, described());
        }
        parameters = found ?? parameters;
        begun = true;
      }
      if (times.jumped) await film.interrupt();
      if (begun) await film.picture(packet, times, packet.isKeyframe);
    },
    renew: async () => {
      begun = false;
    },
    finish: async () => {},
  };
}

/** The track as the stream's header has it, or, where packets bring parameters of their own, by those. */
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

/** Reads the times of a stream's packets: what is missing is made up from those before, and jumps are told. */
function createStamps({ timeBase, avgFrameRate }: Stream) {
  const tick = timeBase.num / timeBase.den;
  const usualS = avgFrameRate.num > 0 && avgFrameRate.den > 0 ? avgFrameRate.den / avgFrameRate.num : 1 / 25;
  let last: Stamped | null = null;
  return {
    read({ pts, dts, duration }: Packet): Stamped & { jumped: boolean } {
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
