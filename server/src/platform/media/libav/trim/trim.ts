import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AV_CODEC_ID_AAC, AV_PKT_FLAG_KEY } from 'node-av/constants';
import { Dictionary, FormatContext, Packet, type Stream } from 'node-av/lib';
import { SEGMENT_TIME_OFFSET_S, type TrimRequest } from '../../engine/index.ts';
import { mediaProblem } from '../../problems.ts';
import { check, findOrigin, type LibavInput, openInput } from '../core/index.ts';
import { createAudioTrack } from './audio-track.ts';
import { readNextPacket, seekBefore, type TrackWriter } from './packet-reader.ts';
import { createVideoTrack } from './video-track.ts';

/** Maximum time between turns of the event loop. */
const TURN_MS = 50;

/** Muxer options. A segment is a single fragment on the timeline of the stream. */
const CONTAINERS: Record<TrimRequest['output'], Record<string, string>> = {
  mp4: { movflags: 'faststart' },
  segment: {
    movflags: 'empty_moov+default_base_moof+frag_custom+frag_discont+skip_trailer',
    use_editlist: '0',
    avoid_negative_ts: 'disabled',
  },
};

/** See `MediaEngine.trim`. Opens the file twice, because video and audio are read from different positions. */
export async function trim(path: string, target: string, request: TrimRequest): Promise<void> {
  const origin = await findOrigin(path);
  using pictures = await openInput(path);
  using sounds = await openInput(path);
  const originS = origin * pictures.tick;
  /** Offset from times in the video to times in the output. */
  const shiftS = request.output === 'segment' ? SEGMENT_TIME_OFFSET_S : -request.fromS;
  const output = new FormatContext();
  check(output.allocOutputContext2(null, 'mp4', `file:${resolve(target)}`), 'creating the file');
  const tracks: TrackWriter[] = [];
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
      const track = createAudioTrack(output, sounds, audio, { ...request, originS, shiftS });
      if (track) tracks.push(track);
    }
    check(output.openOutputSync(), 'opening the file');
    check(output.writeHeaderSync(Dictionary.fromObject(CONTAINERS[request.output])), 'writing the header');
    await writeAll(tracks);
    check(output.writeTrailerSync(), 'writing the index');
  } finally {
    for (const track of tracks) track.free();
    output.closeOutputSync();
    output.freeContext();
  }
}

/** Steps the track that is behind, so that the muxer buffers neither. */
async function writeAll(tracks: readonly TrackWriter[]): Promise<void> {
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

/** True if audio can be copied beside copied video: AAC with its configuration in the header. */
const copiesSound = ({ video }: TrimRequest, { codecpar }: Stream) =>
  video !== 'encode' && codecpar.codecId === AV_CODEC_ID_AAC && codecpar.extradata !== null;

type Copied = Pick<TrimRequest, 'fromS' | 'untilS'> & { shiftS: number };

/**
 * Copies packets in decoding order from the keyframe at `fromS` to the one at `untilS`, including leading frames of the
 * first keyframe. Decoding times are the sorted presentation times minus `delayS`.
 */
function copyVideo(
  output: FormatContext,
  input: LibavInput,
  { fromS, untilS, origin, shiftS, delayS }: Copied & { origin: number; delayS: number },
): TrackWriter {
  const { video, tick, format } = input;
  const [from, until] = [origin + Math.round(fromS / tick), origin + Math.round(untilS / tick)];
  seekBefore(input, video, from, { keyframe: true });
  const track = createCopy(output, video, Math.round(shiftS / tick) - origin);
  const packets: Packet[] = [];
  const next = new Packet();
  next.alloc();
  while (readNextPacket(format, video, next)) {
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
  input: LibavInput,
  audio: Stream,
  { fromS, untilS, originS, shiftS }: Copied & { originS: number },
): TrackWriter {
  const tick = audio.timeBase.num / audio.timeBase.den;
  const [from, until] = [(originS + fromS) / tick, (originS + untilS) / tick];
  seekBefore(input, audio, Math.floor(from), { keyframe: false });
  const track = createCopy(output, audio, Math.round((shiftS - originS) / tick));
  const packet = new Packet();
  packet.alloc();
  return {
    step() {
      do {
        if (!readNextPacket(input.format, audio, packet) || Number(packet.pts) >= until) return false;
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

/** A track of copied packets. `shift` is added to their timestamps. */
function createCopy(output: FormatContext, source: Stream, shift: number) {
  const stream = output.newStream(null);
  check(source.codecpar.copy(stream.codecpar), 'describing a track');
  // Codec tags are specific to a container.
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
