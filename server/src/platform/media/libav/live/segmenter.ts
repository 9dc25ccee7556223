import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AV_CODEC_ID_HEVC } from 'node-av/constants';
import { type CodecParameters, Dictionary, FormatContext, type Packet, Rational } from 'node-av/lib';
import { initSectionLength } from '../../bitstream/index.ts';
import type {
  CaptureContext,
  CapturedPart,
  CapturedSegment,
  CaptureEpoch,
  CaptureRequest,
} from '../../engine/index.ts';
import { mediaProblem } from '../../problems.ts';
import { AV_NOPTS, check, TICKS_PER_SECOND } from '../core/index.ts';
import { createArrivalClock } from './arrival-clock.ts';

const TIME_BASE = new Rational(1, TICKS_PER_SECOND);
/** Maximum segment duration, for streams without keyframes. */
const LONGEST_S = 12;
/** Maximum segment size, because segments are sent to the parent as messages. */
const MOST_BYTES = 64 * 2 ** 20;
/** Maximum number of segments being stored, before reading pauses. */
const MOST_WAITING = 3;
/** Maximum decoding lead of any codec. */
const MOST_LEAD_S = 2;
/** Longest duration of a part, unless a single frame is longer. */
const PART_S = 1 / 3;
/** Tolerance for keyframes shortly before the target duration. */
const EARLY_S = 0.1;

/** Times of a packet in seconds of the source, and its duration if known. */
export type PacketTimes = { ptsS: number; dtsS: number; durationS: number };
type Track = 'video' | 'sound';
type Tracks = { video: CodecParameters; sound: CodecParameters | null };
type Held = { packet: Packet; track: Track };
type Open = {
  startS: number;
  held: Held[];
  bytes: number;
  lastDts: number;
  lastSoundDts: bigint;
  endS: number;
  lastVideo: Packet | null;
  /** State of the parts; null if the segment has none. */
  parts: { count: number; from: number; startS: number } | null;
};

/**
 * Groups packets into segments, each written when the next keyframe arrives. Times are shifted so that the recording is
 * continuous, also across gaps.
 */
export function createSegmenter(
  { startS, segmentS, clockMs, previous: before }: Pick<CaptureRequest, 'startS' | 'segmentS' | 'clockMs' | 'previous'>,
  { emit: handOver }: Pick<CaptureContext, 'emit'>,
) {
  /** End of the recording so far. */
  let endS = startS;
  let video: CodecParameters | null = null;
  let sound: CodecParameters | null = null;
  /** Offset from the source's time to the recording; null between two epochs. */
  let shiftS: number | null = null;
  let hasReported = false;
  /** Initialization section and time offset of the file that is being continued. */
  let file = before;
  /** Capture time of a frame at 0 s in milliseconds since 1970, if the source reports it. */
  let originMs = clockMs === null ? null : clockMs - startS * 1000;
  let arrivals = createArrivalClock();
  let open: Open | null = null;
  const waiting = new Set<Promise<unknown>>();
  /** True if parts are needed, by the last reply. */
  let needsParts = false;

  /** Ends the segment at `untilS` (default: end of its last frame). Returns audio packets for the next segment. */
  async function cut(untilS?: number): Promise<Held[]> {
    if (!open || !video) return [];
    const { startS: fromS } = open;
    const toS = untilS ?? open.endS;
    const [held, early] = splitAudio(open.held, Math.round(toS * TICKS_PER_SECOND));
    if (open.lastVideo && untilS !== undefined) {
      const lasts = Math.round(untilS * TICKS_PER_SECOND) - Number(open.lastVideo.pts);
      if (lasts > 0 && open.lastVideo.duration <= 0n) open.lastVideo.duration = BigInt(lasts);
    }
    const ending = open;
    open = null;
    endS = toS;
    const tracks = { video, sound };
    await cutPart(ending, held, toS);
    let epoch: CaptureEpoch | null = null;
    if (!hasReported || !file) {
      const { init } = await mux([], tracks, 0);
      // Tracks with another description start a new file.
      if (!file || !init.equals(file.init)) file = { init, leadS: leadOf(held) - fromS };
      epoch = { ...file, codecs: codecsOf(tracks), width: video.width, height: video.height };
      hasReported = true;
    }
    const { data } = await mux(held, tracks, Math.round(file.leadS * TICKS_PER_SECOND));
    const capturedMs = originMs === null ? arrivals.captureTimeMs(fromS) : originMs + fromS * 1000;
    while (waiting.size >= MOST_WAITING) await Promise.race(waiting);
    send({ epoch, startS: fromS, durationS: toS - fromS, capturedMs, data });
    if (untilS !== undefined) return early;
    for (const { packet } of early) packet.free();
    return [];
  }

  function send(captured: CapturedSegment | CapturedPart): void {
    const handing = handOver(captured).then((reply) => {
      needsParts = reply?.parts ?? false;
      waiting.delete(handing);
    });
    waiting.add(handing);
  }

  /** Emits the packets since the last part as the next one, which ends at `untilS` by decoding time. */
  async function cutPart({ parts }: Open, held: readonly Held[], untilS: number): Promise<void> {
    const own = parts && (parts.count > 0 || needsParts) ? held.slice(parts.from) : null;
    if (!parts || !own?.some(({ track }) => track === 'video') || !video || !file) return;
    const copies = own.map(({ packet, track }) => ({ packet: packet.clone()!, track }));
    const first = own.find(({ track }) => track === 'video')!;
    const { data } = await mux(copies, { video, sound }, Math.round(file.leadS * TICKS_PER_SECOND));
    const durationS = Math.max(1e-3, untilS - parts.startS);
    send({ part: parts.count, durationS, independent: first.packet.isKeyframe, data });
    parts.count++;
    parts.from = held.length;
    parts.startS = untilS;
  }

  function hold(packet: Packet, track: Track, { ptsS, dtsS, durationS }: PacketTimes): Packet {
    const ticks = (seconds: number) => Math.round((seconds + shiftS!) * TICKS_PER_SECOND);
    const pending = packet.clone()!;
    pending.pts = BigInt(ticks(ptsS));
    pending.dts = BigInt(ticks(dtsS));
    pending.duration = BigInt(Math.max(0, Math.round(durationS * TICKS_PER_SECOND)));
    pending.pos = -1n;
    open!.held.push({ packet: pending, track });
    open!.bytes += packet.size;
    return pending;
  }

  return {
    /** Sets the tracks from the next keyframe on, which starts a new epoch. */
    async describe(nextVideo: CodecParameters, nextSound: CodecParameters | null): Promise<void> {
      await cut();
      [video, sound, shiftS] = [nextVideo, nextSound, null];
    },

    /** Marks a gap. The recording continues at the next keyframe. */
    async interrupt(): Promise<void> {
      await cut();
      [shiftS, originMs, arrivals] = [null, null, createArrivalClock()];
    },

    async picture(packet: Packet, times: PacketTimes, keyframe: boolean): Promise<void> {
      if (shiftS === null) {
        if (!keyframe) return;
        shiftS = endS - times.ptsS;
        hasReported = false;
      }
      const atS = times.ptsS + shiftS!;
      const lengthS = open ? atS - open.startS : 0;
      const large = open !== null && open.bytes >= MOST_BYTES;
      if (large && lengthS <= 0) throw mediaProblem.media_source_broken('The times of its frames do not increase.');
      const isDue = (keyframe && lengthS >= segmentS - EARLY_S) || lengthS >= LONGEST_S || large;
      const early = isDue ? await cut(atS) : [];
      arrivals.observe(atS, Date.now());
      const decodedS = times.dtsS + shiftS!;
      const { parts } = open ?? {};
      if (open && parts && decodedS + times.durationS - parts.startS > PART_S && parts.from < open.held.length) {
        // All parts of a segment or none, unless there is no room for more.
        const isNeeded = parts.count > 0 || needsParts;
        if (!isNeeded || waiting.size >= MOST_WAITING) open.parts = null;
        else await cutPart(open, open.held, decodedS);
      }
      open ??= {
        startS: atS,
        endS: atS,
        held: early,
        bytes: 0,
        lastVideo: null,
        lastDts: Number.NEGATIVE_INFINITY,
        lastSoundDts: early.at(-1)?.packet.dts ?? AV_NOPTS,
        // Players know the tracks of an epoch from its first segment on.
        parts: hasReported ? { count: 0, from: 0, startS: decodedS } : null,
      };
      const pending = hold(packet, 'video', times);
      // The muxer fails on timestamps that do not increase.
      if (Number(pending.dts) <= open.lastDts) pending.dts = BigInt(open.lastDts + 1);
      if (pending.pts < pending.dts) pending.pts = pending.dts;
      open.lastDts = Number(pending.dts);
      open.lastVideo = pending;
      open.endS = Math.max(open.endS, atS + Math.max(times.durationS, 1 / 1000));
    },

    sound(packet: Packet, times: PacketTimes): void {
      if (!open || !sound) return;
      // Audio before the first frame of an epoch overlaps the previous epoch.
      if (!hasReported && times.ptsS + shiftS! < open.startS) return;
      const pending = hold(packet, 'sound', times);
      // The muxer fails on audio timestamps that decrease.
      if (pending.dts <= open.lastSoundDts) open.held.pop()!.packet.free();
      else open.lastSoundDts = pending.dts;
    },

    /** Emits the last segment and waits until all are stored. */
    async finish(): Promise<void> {
      await cut();
      await Promise.all(waiting);
    },
  };
}

export type Segmenter = ReturnType<typeof createSegmenter>;

const codecsOf = ({ video, sound }: Tracks) =>
  [video, sound].flatMap((track) => track?.getCodecString()?.replace(/^hev1/, 'hvc1') ?? []).join(',');

/** Splits packets at the end of a segment: its own packets, and audio that starts later. */
function splitAudio(held: readonly Held[], endTick: number): [Held[], Held[]] {
  const isEarly = ({ packet, track }: Held) => track === 'sound' && Number(packet.pts) >= endTick;
  return [held.filter((one) => !isEarly(one)), held.filter(isEarly)];
}

/** Decoding lead of the first frame in seconds. */
function leadOf(held: readonly Held[]): number {
  const { pts, dts } = held.find(({ track }) => track === 'video')!.packet;
  return Math.min(Number(pts - dts) / TICKS_PER_SECOND, MOST_LEAD_S);
}

/**
 * Writes a fragment with its initialization section, with times shifted by `lead`. Uses a temporary file, because other
 * outputs of the binding are not safe. Frees the packets.
 */
async function mux(held: readonly Held[], { video, sound }: Tracks, lead: number) {
  const path = join(tmpdir(), `sightline-live-${randomUUID()}.mp4`);
  const output = new FormatContext();
  check(output.allocOutputContext2(null, 'mp4', `file:${path}`), 'creating a segment');
  try {
    const add = (description: CodecParameters) => {
      const stream = output.newStream(null);
      check(description.copy(stream.codecpar), 'describing a track');
      // An estimate that differs between connections, so that equal tracks would have different descriptions.
      stream.codecpar.bitRate = 0n;
      stream.codecpar.codecTag = description.codecId === AV_CODEC_ID_HEVC ? 'hvc1' : 0;
      stream.timeBase = TIME_BASE;
      return stream;
    };
    const tracks = { video: add(video), sound: sound ? add(sound) : null };
    check(output.openOutputSync(), 'opening a segment');
    const options = {
      movflags: 'empty_moov+default_base_moof+frag_custom+frag_discont+skip_trailer',
      use_editlist: '0',
      avoid_negative_ts: 'disabled',
    };
    check(output.writeHeaderSync(Dictionary.fromObject(options)), 'beginning a segment');
    for (const { packet, track } of held) {
      packet.pts += BigInt(lead);
      packet.dts += BigInt(lead);
      // Audio before the first frame.
      if (packet.dts < 0n && track === 'sound') continue;
      const stream = tracks[track]!;
      packet.streamIndex = stream.index;
      packet.rescaleTs(TIME_BASE, stream.timeBase);
      check(output.interleavedWriteFrameSync(packet), 'writing a packet');
    }
    check(output.writeTrailerSync(), 'ending a segment');
    output.closeOutputSync();
    const bytes = await readFile(path);
    const length = initSectionLength(bytes);
    return { init: bytes.subarray(0, length), data: bytes.subarray(length) };
  } finally {
    for (const { packet } of held) packet.free();
    output.freeContext();
    await rm(path, { force: true });
  }
}
