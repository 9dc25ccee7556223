import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AV_CODEC_ID_HEVC } from 'node-av/constants';
import { type CodecParameters, Dictionary, FFmpegError, FormatContext, type Packet, Rational } from 'node-av/lib';
import { createArrivalClock } from '../arrival-clock.ts';
import { headerLength } from '../cut-file.ts';
import type { Capturing, LiveEpoch, LiveRequest } from '../live.ts';
import { mediaProblem } from '../problems.ts';
import { CLOCK } from './encode.ts';
import { AV_NOPTS } from './input.ts';

const check = (code: number, doing: string) => FFmpegError.throwIfError(code, doing);
const TIME_BASE = new Rational(1, CLOCK);
/** A stream without keyframes is cut all the same. */
const LONGEST_S = 12;
/** Nor does one get larger than this, in bytes: it has to be handed over. */
const MOST_BYTES = 64 * 2 ** 20;
/** Segments that may wait to be stored; then the source waits. */
const MOST_WAITING = 3;
/** No codec reorders pictures over more than this. */
const MOST_LEAD_S = 2;
/** A keyframe that comes this much early is the one that was waited for. */
const EARLY_S = 0.1;

/** Times of a packet in the source's own seconds, and how long it lasts where that is known. */
export type Stamped = { ptsS: number; dtsS: number; durationS: number };
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
};

/**
 * Makes segments of packets as they come. Their times are moved so that the recording goes on where it ended, over breaks too; each segment is a
 * small file of its own, made when the keyframe after it is there.
 */
export function createLiveFilm(
  { startS, segmentS, clockMs, before }: Pick<LiveRequest, 'startS' | 'segmentS' | 'clockMs' | 'before'>,
  { handOver }: Pick<Capturing, 'handOver'>,
) {
  /** What is recorded ends here. */
  let endS = startS;
  let video: CodecParameters | null = null;
  let sound: CodecParameters | null = null;
  /** What is added to the source's seconds; null between two epochs. */
  let shiftS: number | null = null;
  let told = false;
  /** What the file that this goes on in is described by, and by how much its times are ahead of places. */
  let file = before;
  /** Where the source says when its pictures were taken: when one at 0 s would have been, in milliseconds. */
  let originMs = clockMs === null ? null : clockMs - startS * 1000;
  let arrivals = createArrivalClock();
  let open: Open | null = null;
  const waiting = new Set<Promise<void>>();

  /** Ends the segment at `untilS`, and returns the audio that came early for the next one; without `untilS`, where its last picture ends. */
  async function cut(untilS?: number): Promise<Held[]> {
    if (!open || !video) return [];
    const { startS: fromS } = open;
    const toS = untilS ?? open.endS;
    const [held, early] = splitAudio(open.held, Math.round(toS * CLOCK));
    if (open.lastVideo && untilS !== undefined) {
      const lasts = Math.round(untilS * CLOCK) - Number(open.lastVideo.pts);
      if (lasts > 0 && open.lastVideo.duration <= 0n) open.lastVideo.duration = BigInt(lasts);
    }
    open = null;
    endS = toS;
    const tracks = { video, sound };
    let epoch: LiveEpoch | null = null;
    if (!told || !file) {
      const { init } = await mux([], tracks, 0);
      // Tracks that are described otherwise begin a file of their own, at its start.
      if (!file || !init.equals(file.init)) file = { init, leadS: leadOf(held) - fromS };
      epoch = { ...file, codecs: codecsOf(tracks), width: video.width, height: video.height };
      told = true;
    }
    const { data } = await mux(held, tracks, Math.round(file.leadS * CLOCK));
    const capturedMs = originMs === null ? arrivals.takenMs(fromS) : originMs + fromS * 1000;
    while (waiting.size >= MOST_WAITING) await Promise.race(waiting);
    const handing = handOver({ epoch, startS: fromS, durationS: toS - fromS, capturedMs, data });
    waiting.add(handing);
    void handing.then(() => waiting.delete(handing));
    if (untilS !== undefined) return early;
    for (const { packet } of early) packet.free();
    return [];
  }

  function hold(packet: Packet, track: Track, { ptsS, dtsS, durationS }: Stamped): Packet {
    const ticks = (seconds: number) => Math.round((seconds + shiftS!) * CLOCK);
    const kept = packet.clone()!;
    kept.pts = BigInt(ticks(ptsS));
    kept.dts = BigInt(ticks(dtsS));
    kept.duration = BigInt(Math.max(0, Math.round(durationS * CLOCK)));
    kept.pos = -1n;
    open!.held.push({ packet: kept, track });
    open!.bytes += packet.size;
    return kept;
  }

  return {
    /** From the next keyframe on the tracks are these. The recording has a break there. */
    async describe(nextVideo: CodecParameters, nextSound: CodecParameters | null): Promise<void> {
      await cut();
      [video, sound, shiftS] = [nextVideo, nextSound, null];
    },

    /** Something is missing here: what comes goes on from what is there, from its next keyframe. */
    async interrupt(): Promise<void> {
      await cut();
      [shiftS, originMs, arrivals] = [null, null, createArrivalClock()];
    },

    async picture(packet: Packet, times: Stamped, keyframe: boolean): Promise<void> {
      if (shiftS === null) {
        if (!keyframe) return;
        shiftS = endS - times.ptsS;
        told = false;
      }
      const atS = times.ptsS + shiftS!;
      const lengthS = open ? atS - open.startS : 0;
      const large = open !== null && open.bytes >= MOST_BYTES;
      if (large && lengthS <= 0) throw mediaProblem.media_source_broken('The time of its pictures stands still.');
      const isDue = (keyframe && lengthS >= segmentS - EARLY_S) || lengthS >= LONGEST_S || large;
      const early = isDue ? await cut(atS) : [];
      arrivals.see(atS, Date.now());
      open ??= {
        ...{ startS: atS, endS: atS, held: early, bytes: 0, lastVideo: null },
        ...{ lastDts: Number.NEGATIVE_INFINITY, lastSoundDts: early.at(-1)?.packet.dts ?? AV_NOPTS },
      };
      const kept = hold(packet, 'video', times);
      // Time stamps that stand still or go back a little would end the file.
      if (Number(kept.dts) <= open.lastDts) kept.dts = BigInt(open.lastDts + 1);
      if (kept.pts < kept.dts) kept.pts = kept.dts;
      open.lastDts = Number(kept.dts);
      open.lastVideo = kept;
      open.endS = Math.max(open.endS, atS + Math.max(times.durationS, 1 / 1000));
    },

    sound(packet: Packet, times: Stamped): void {
      if (!open || !sound) return;
      // Audio from before the first frame of an epoch overlaps what was recorded before.
      if (!told && times.ptsS + shiftS! < open.startS) return;
      const kept = hold(packet, 'sound', times);
      // Sound that goes back would end the file.
      if (kept.dts <= open.lastSoundDts) open.held.pop()!.packet.free();
      else open.lastSoundDts = kept.dts;
    },

    /** Hands over what is left, and waits until all is kept. */
    async finish(): Promise<void> {
      await cut();
      await Promise.all(waiting);
    },
  };
}

export type LiveFilm = ReturnType<typeof createLiveFilm>;

const codecsOf = ({ video, sound }: Tracks) =>
  [video, sound].flatMap((track) => track?.getCodecString()?.replace(/^hev1/, 'hvc1') ?? []).join(',');

/** Splits packets into those of a segment that ends at this tick, and the audio that begins later. */
function splitAudio(held: readonly Held[], endTick: number): [Held[], Held[]] {
  const isEarly = ({ packet, track }: Held) => track === 'sound' && Number(packet.pts) >= endTick;
  return [held.filter((one) => !isEarly(one)), held.filter(isEarly)];
}

/** By how much decoding has to be ahead of showing, by the first picture. */
function leadOf(held: readonly Held[]): number {
  const { pts, dts } = held.find(({ track }) => track === 'video')!.packet;
  return Math.min(Number(pts - dts) / CLOCK, MOST_LEAD_S);
}

/**
 * One fragment with its initialisation section, its times moved by `lead`; by way of a file, as that is how the muxer was seen to be safe. Frees the
 * packets.
 */
async function mux(held: readonly Held[], { video, sound }: Tracks, lead: number) {
  const path = join(tmpdir(), `sightline-live-${randomUUID()}.mp4`);
  const output = new FormatContext();
  check(output.allocOutputContext2(null, 'mp4', `file:${path}`), 'creating a segment');
  try {
    const add = (description: CodecParameters) => {
      const stream = output.newStream(null);
      check(description.copy(stream.codecpar), 'describing a track');
      // Estimated anew by each opening, so that the same tracks would be described in other bytes.
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
      // Sound from before the first picture.
      if (packet.dts < 0n && track === 'sound') continue;
      const stream = tracks[track]!;
      packet.streamIndex = stream.index;
      packet.rescaleTs(TIME_BASE, stream.timeBase);
      check(output.interleavedWriteFrameSync(packet), 'writing a packet');
    }
    check(output.writeTrailerSync(), 'ending a segment');
    output.closeOutputSync();
    const bytes = await readFile(path);
    const length = headerLength(bytes);
    return { init: bytes.subarray(0, length), data: bytes.subarray(length) };
  } finally {
    for (const { packet } of held) packet.free();
    output.freeContext();
    await rm(path, { force: true });
  }
}
