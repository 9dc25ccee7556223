import { setTimeout as sleep } from 'node:timers/promises';
import { AVERROR_EOF, AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import { Dictionary, FormatContext, Packet, type Stream } from 'node-av/lib';
import { AV_NOPTS } from './input.ts';
import { createTimeFiller } from './live-sound.ts';

/** Containers whose times are on one clock with those of the pictures. */
const FORMATS = 'mpegts,mov,mp4,m4a,3gp,3g2,mj2';
/** How long pictures wait for sound that is late. */
const LATE_MS = 3_000;
/** And for what there is of it while it catches up. */
const CATCHING_UP_MS = 10;
/** So many packets in a row that cannot be read end it. */
const MOST_BROKEN = 100;
/** Sound that is this far from the pictures is that of others. */
const FAR_S = 10;

/** Sound that comes by an input of its own, on the clock of the pictures. */
export type SideSound = {
  stream: Stream;
  /** Delivers the packets that begin before `untilS`, in seconds of that clock. Waits a while for late audio, once; what comes later still is delivered when it has come. */
  upTo(untilS: number, take: (packet: Packet) => void): Promise<void>;
  close(): Promise<void>;
};

/** Waits for it to begin. Null where there is none. */
export async function openSideSound(url: string, options: Record<string, string>): Promise<SideSound | null> {
  const input = new FormatContext();
  const whitelists = { protocol_whitelist: 'pipe', format_whitelist: FORMATS };
  const opened = await input.openInput(url, null, Dictionary.fromObject({ ...options, ...whitelists }));
  if (opened < 0 || (await input.findStreamInfo(null)) < 0) return null;
  const stream = input.streams[input.findBestStream(AVMEDIA_TYPE_AUDIO)];
  return stream ? follow(input, stream) : null;
}

function follow(input: FormatContext, stream: Stream): SideSound {
  const tick = stream.timeBase.num / stream.timeBase.den;
  const packet = new Packet();
  packet.alloc();
  const fillTime = createTimeFiller(stream);
  let reading: { code: number | null; done: Promise<void> } | null = null;
  /** When the packet that was read last begins; null when it was delivered. */
  let nextS: number | null = null;
  let over = false;
  let broken = 0;
  /** Since when pictures have been ahead of it. */
  let lateSinceMs: number | null = null;

  const read = () => {
    const begun: NonNullable<typeof reading> = { code: null, done: Promise.resolve() };
    begun.done = input.readFrame(packet).then((code) => {
      begun.code = code;
    });
    return begun;
  };

  return {
    stream,
    async upTo(untilS, take) {
      if (lateSinceMs !== null && reading?.code === null) return;
      const sinceMs = lateSinceMs ?? Date.now();
      while (!over) {
        if (nextS === null) {
          reading ??= read();
          if (reading.code === null)
            await within(reading.done, Math.max(CATCHING_UP_MS, sinceMs + LATE_MS - Date.now()));
          const { code } = reading;
          if (code === null) {
            lateSinceMs = sinceMs;
            return;
          }
          reading = null;
          broken = code < 0 ? broken + 1 : 0;
          over = code === AVERROR_EOF || broken > MOST_BROKEN;
          if (code < 0 || packet.streamIndex !== stream.index) {
            packet.unref();
            continue;
          }
          fillTime(packet);
          nextS = packet.pts === AV_NOPTS ? Number.NEGATIVE_INFINITY : Number(packet.pts) * tick;
        }
        // It belongs to frames that follow; one that is far ahead is dropped, as the clock of the frames went back.
        if (nextS >= untilS && nextS < untilS + FAR_S) break;
        if (Math.abs(nextS - untilS) < FAR_S || packet.pts === AV_NOPTS) take(packet);
        nextS = null;
        packet.unref();
      }
      lateSinceMs = null;
    },
    async close() {
      // What is still being read ends with the process.
      if (reading?.code === null) return;
      packet.free();
      await input.closeInput();
    },
  };
}

/** Waits for what may never come, and leaves nothing behind. */
export async function within(done: Promise<void>, ms: number): Promise<void> {
  if (ms <= 0) return;
  const timeout = new AbortController();
  const waited = sleep(ms, undefined, { signal: timeout.signal }).catch(() => {});
  await Promise.race([done, waited]);
  timeout.abort();
}
