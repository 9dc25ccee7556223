import { setTimeout as sleep } from 'node:timers/promises';
import { AVERROR_EOF, AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import { Dictionary, FormatContext, Packet, type Stream } from 'node-av/lib';
import { AV_NOPTS } from '../core/index.ts';
import { createTimeFiller } from './live-audio.ts';

/** Containers whose times are on the clock of the video. */
const FORMATS = 'mpegts,mov,mp4,m4a,3gp,3g2,mj2';
/** Maximum time that video waits for late audio. */
const LATE_MS = 3_000;
/** Wait per packet while late audio catches up. */
const CATCHING_UP_MS = 10;
/** Consecutive read errors after which audio ends. */
const MOST_BROKEN = 100;
/** Audio at a larger distance from the video does not belong to it. */
const FAR_S = 10;

/** Sound that comes by an input of its own, on the clock of the pictures. */
export type SeparateAudio = {
  stream: Stream;
  /**
   * Delivers the packets that begin before `untilS`, in seconds of that clock. Waits a while for late audio, once; what
   * comes later still is delivered when it has come.
   */
  upTo(untilS: number, take: (packet: Packet) => void): Promise<void>;
  close(): Promise<void>;
};

/** Waits for it to begin. Null where there is none. */
export async function openSeparateAudio(url: string, options: Record<string, string>): Promise<SeparateAudio | null> {
  const input = new FormatContext();
  const whitelists = { protocol_whitelist: 'pipe', format_whitelist: FORMATS };
  const opened = await input.openInput(url, null, Dictionary.fromObject({ ...options, ...whitelists }));
  if (opened < 0 || (await input.findStreamInfo(null)) < 0) return null;
  const stream = input.streams[input.findBestStream(AVMEDIA_TYPE_AUDIO)];
  return stream ? follow(input, stream) : null;
}

function follow(input: FormatContext, stream: Stream): SeparateAudio {
  const tick = stream.timeBase.num / stream.timeBase.den;
  const packet = new Packet();
  packet.alloc();
  const fillTime = createTimeFiller(stream);
  let reading: { code: number | null; done: Promise<void> } | null = null;
  /** Start time of the last packet read; null once it is delivered. */
  let nextS: number | null = null;
  let over = false;
  let broken = 0;
  /** Start of the current delay behind the video. */
  let lateSinceMs: number | null = null;

  const read = () => {
    const started: NonNullable<typeof reading> = { code: null, done: Promise.resolve() };
    started.done = input.readFrame(packet).then((code) => {
      started.code = code;
    });
    return started;
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
            await waitAtMost(reading.done, Math.max(CATCHING_UP_MS, sinceMs + LATE_MS - Date.now()));
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
        // It belongs to later frames. A packet far ahead is dropped, because the video's clock has jumped back.
        if (nextS >= untilS && nextS < untilS + FAR_S) break;
        if (Math.abs(nextS - untilS) < FAR_S || packet.pts === AV_NOPTS) take(packet);
        nextS = null;
        packet.unref();
      }
      lateSinceMs = null;
    },
    async close() {
      // A pending read ends with the process.
      if (reading?.code === null) return;
      packet.free();
      await input.closeInput();
    },
  };
}

/** Waits for a promise for at most `ms`, and clears the timer. */
export async function waitAtMost(done: Promise<void>, ms: number): Promise<void> {
  if (ms <= 0) return;
  const timeout = new AbortController();
  const waited = sleep(ms, undefined, { signal: timeout.signal }).catch(() => {});
  await Promise.race([done, waited]);
  timeout.abort();
}
