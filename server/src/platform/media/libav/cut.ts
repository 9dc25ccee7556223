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
import { AV_NOPTS, type Input, openInput } from './input.ts';

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
      request.video === 'copy' ? copyVideo(output, pictures, video) : createVideoTrack(output, pictures, video),
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
  video === 'copy' && codecpar.codecId === AV_CODEC_ID_AAC && codecpar.extradata !== null;

type Copied = Pick<Cut, 'fromS' | 'untilS'> & { shiftS: number };

/** From the keyframe at `fromS` to the one at `untilS`, in the order of decoding: frames shown before the first but decoded after it stay with it. */
function copyVideo(
  output: FormatContext,
  input: Input,
  { fromS, untilS, origin, shiftS }: Copied & { origin: number },
) {
  const { video, tick } = input;
  const from = origin + Math.round(fromS / tick);
  const until = origin + Math.round(untilS / tick);
  seekBefore(input, video, from, { keyframe: true });
  let begun = false;
  return copyTrack(output, input, video, shiftS / tick - origin, (packet) => {
    const keyframe = packet.hasFlags(AV_PKT_FLAG_KEY);
    if (keyframe && Number(packet.pts) === from) begun = true;
    if (keyframe && Number(packet.pts) >= until) return 'end';
    if (keyframe && !begun && Number(packet.pts) > from) {
      throw mediaProblem.media_damaged('A keyframe is not where the index of the video says.');
    }
    return begun ? 'write' : 'skip';
  });
}

function copySound(
  output: FormatContext,
  input: Input,
  audio: Stream,
  { fromS, untilS, originS, shiftS }: Copied & { originS: number },
) {
  const tick = audio.timeBase.num / audio.timeBase.den;
  const [from, until] = [(originS + fromS) / tick, (originS + untilS) / tick];
  seekBefore(input, audio, Math.floor(from), { keyframe: false });
  return copyTrack(output, input, audio, Math.round((shiftS - originS) / tick), ({ pts }) =>
    Number(pts) < from ? 'skip' : Number(pts) < until ? 'write' : 'end',
  );
}

/** Packets as they are; `shift` is added to their time stamps. */
function copyTrack(
  output: FormatContext,
  { format }: Input,
  source: Stream,
  shift: number,
  judge: (packet: Packet) => 'skip' | 'write' | 'end',
): Track {
  const stream = output.newStream(null);
  check(source.codecpar.copy(stream.codecpar), 'describing a track');
  // Tags are the containers' own.
  stream.codecpar.codecTag = 0;
  stream.timeBase = source.timeBase;
  const tick = source.timeBase.num / source.timeBase.den;
  const packet = new Packet();
  packet.alloc();
  let timeS = 0;
  return {
    step() {
      if (!nextOf(format, source, packet)) return false;
      const verdict = judge(packet);
      if (verdict === 'end') return false;
      if (verdict === 'skip') return true;
      const by = BigInt(Math.round(shift));
      packet.pts += by;
      packet.dts = packet.dts === AV_NOPTS ? packet.pts : packet.dts + by;
      timeS = Number(packet.dts) * tick;
      packet.streamIndex = stream.index;
      packet.rescaleTs(source.timeBase, stream.timeBase);
      packet.pos = -1n;
      check(output.interleavedWriteFrameSync(packet), 'writing a packet');
      return true;
    },
    get timeS() {
      return timeS;
    },
    free: () => packet.free(),
  };
}
