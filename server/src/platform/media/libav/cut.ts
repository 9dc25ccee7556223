import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AV_CODEC_ID_AAC, AV_PKT_FLAG_KEY } from 'node-av/constants';
import { Dictionary, FFmpegError, FormatContext, Packet, type Stream } from 'node-av/lib';
import { type Cut, SEGMENTS_START_S } from '../cutter.ts';
import { mediaProblem } from '../problems.ts';
import { nextOf, seekBefore, type Track } from './cut-reading.ts';
import { createSoundTrack } from './cut-sound.ts';
import { createVideoTrack } from './cut-video.ts';
import { findOrigin } from './decode.ts';
import { type Input, openInput } from './input.ts';

const check = (code: number, doing: string) => FFmpegError.throwIfError(code, doing);
/** Longest time without a turn of the event loop. */
const TURN_MS = 50;

/** A segment is one fragment, written when it ends, whose times go on from those before it. */
const CONTAINERS: Record<Cut['as'], Record<string, string>> = {
  film: { movflags: 'faststart' },
  segment: {
    movflags: 'empty_moov+default_base_moof+frag_custom+frag_discont+skip_trailer',
    use_editlist: '0',
    avoid_negative_ts: 'disabled',
  },
};

/** See `Backend.cut`. Picture and sound are read through two openings of the file, each from where it is needed. */
export async function cut(path: string, target: string, request: Cut): Promise<void> {
  const origin = await findOrigin(path);
  using pictures = await openInput(path);
  using sounds = await openInput(path);
  const originS = origin * pictures.tick;
  /** What is added to a time of the video to get one of the file. */
  const shiftS = request.as === 'segment' ? SEGMENTS_START_S : -request.fromS;
  const output = new FormatContext();
  check(output.allocOutputContext2(null, 'mp4', `file:${resolve(target)}`), 'creating the file');
  const tracks: Track[] = [];
  try {
    const video = { ...request, origin, shiftS };
    tracks.push(
      request.video === 'encode'
        ? createVideoTrack(output, pictures, video)
        : copyVideo(output, pictures, { ...video, ...request.video }),
    );
    const { audio } = sounds;
    if (audio && copiesSound(request, audio)) {
      tracks.push(copySound(output, sounds, audio, { ...request, originS, shiftS }));
    } else if (audio) {
      const track = createSoundTrack(output, sounds, audio, { ...request, originS, shiftS });
      if (track) tracks.push(track);
    }
    check(output.openOutputSync(), 'opening the file');
    check(output.writeHeaderSync(Dictionary.fromObject(CONTAINERS[request.as])), 'writing the header');
    await writeAll(tracks);
    check(output.writeTrailerSync(), 'writing the index');
  } finally {
    for (const track of tracks) track.free();
    output.closeOutputSync();
    output.freeContext();
  }
}

/** The track that is behind goes first, so that the muxer holds neither back. */
async function writeAll(tracks: readonly Track[]): Promise<void> {
  const open = new Set(tracks);
  let turn = performance.now();
  while (open.size > 0) {
    const next = [...open].reduce((a, b) => (b.timeS < a.timeS ? b : a));
    if (!next.step()) open.delete(next);
    if (performance.now() - turn < TURN_MS) continue;
    await nextTurn();
    turn = performance.now();
  }
}

/** Sound can be copied beside copied pictures, where it is what every player knows and described in its header. */
const copiesSound = ({ video }: Cut, { codecpar }: Stream) =>
  video !== 'encode' && codecpar.codecId === AV_CODEC_ID_AAC && codecpar.extradata !== null;

type Copied = Pick<Cut, 'fromS' | 'untilS'> & { shiftS: number };

/**
 * From the keyframe at `fromS` to the one at `untilS`, in the order of decoding: frames shown before the first but decoded after it stay with it. The
 * packets are shown in the order of their time stamps, so in that order they are decoded at the latest, `delayS` earlier.
 */
function copyVideo(
  output: FormatContext,
  input: Input,
  { fromS, untilS, origin, shiftS, delayS }: Copied & { origin: number; delayS: number },
): Track {
  const { video, tick, format } = input;
  const [from, until] = [origin + Math.round(fromS / tick), origin + Math.round(untilS / tick)];
  seekBefore(input, video, from, { keyframe: true });
  const track = createCopy(output, video, Math.round(shiftS / tick) - origin);
  const packets: Packet[] = [];
  const next = new Packet();
  next.alloc();
  while (nextOf(format, video, next)) {
    const [stamp, keyframe] = [Number(next.pts), next.hasFlags(AV_PKT_FLAG_KEY)];
    if (keyframe && stamp >= until) break;
    if (packets.length === 0 && !(keyframe && stamp === from)) {
      if (keyframe && stamp > from) {
        throw mediaProblem.media_damaged('A keyframe is not where the index of the video says.');
      }
      continue;
    }
    packets.push(next.clone()!);
  }
  next.free();
  const delay = Math.round(delayS / tick);
  const shown = packets.map(({ pts }) => Number(pts)).sort((a, b) => a - b);
  return {
    step() {
      const packet = packets.shift();
      if (!packet) return false;
      packet.dts = BigInt(shown.shift()! - delay);
      track.write(packet);
      packet.free();
      return true;
    },
    get timeS() {
      return track.timeS;
    },
    free() {
      for (const packet of packets) packet.free();
    },
  };
}

function copySound(
  output: FormatContext,
  input: Input,
  audio: Stream,
  { fromS, untilS, originS, shiftS }: Copied & { originS: number },
): Track {
  const tick = audio.timeBase.num / audio.timeBase.den;
  const [from, until] = [(originS + fromS) / tick, (originS + untilS) / tick];
  seekBefore(input, audio, Math.floor(from), { keyframe: false });
  const track = createCopy(output, audio, Math.round((shiftS - originS) / tick));
  const packet = new Packet();
  packet.alloc();
  return {
    step() {
      do {
        if (!nextOf(input.format, audio, packet) || Number(packet.pts) >= until) return false;
      } while (Number(packet.pts) < from);
      packet.dts = packet.pts;
      track.write(packet);
      return true;
    },
    get timeS() {
      return track.timeS;
    },
    free: () => packet.free(),
  };
}

/** A track for packets as they are; `shift` is added to their time stamps. */
function createCopy(output: FormatContext, source: Stream, shift: number) {
  const stream = output.newStream(null);
  check(source.codecpar.copy(stream.codecpar), 'describing a track');
  // Tags are the containers' own.
  stream.codecpar.codecTag = 0;
  stream.timeBase = source.timeBase;
  const tick = source.timeBase.num / source.timeBase.den;
  return {
    timeS: 0,
    write(packet: Packet) {
      packet.pts += BigInt(shift);
      packet.dts += BigInt(shift);
      this.timeS = Number(packet.dts) * tick;
      packet.streamIndex = stream.index;
      packet.rescaleTs(source.timeBase, stream.timeBase);
      packet.pos = -1n;
      check(output.interleavedWriteFrameSync(packet), 'writing a packet');
    },
  };
}
