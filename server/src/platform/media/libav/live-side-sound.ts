import { setTimeout as sleep } from 'node:timers/promises';
import { AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import { Dictionary, FormatContext, Packet, type Stream } from 'node-av/lib';
import { AV_NOPTS } from './input.ts';
import { createTimeFiller } from './live-sound.ts';

/** Containers whose times are on one clock with those of the pictures. */
const FORMATS = 'mpegts,mov,mp4,m4a,3gp,3g2,mj2';
/** How long pictures wait for sound that is late. */
const LATE_MS = 3_000;
/** Sound that is this far from the pictures is that of others. */
const FAR_S = 10;

/** Sound that comes by an input of its own, on the clock of the pictures. */
export type SideSound = {
  stream: Stream;
  /** Hands over what there is before `untilS`, in seconds of that clock. Waits a while for sound that is late, once; what comes later still is handed over when it has come. */
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
  let reachedS = Number.NEGATIVE_INFINITY;
  let over = false;
  let late = false;

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
      if (late && reading?.code === null) return;
      const untilMs = Date.now() + LATE_MS;
      // The clock of the pictures went back.
      if (reachedS > untilS + FAR_S) reachedS = Number.NEGATIVE_INFINITY;
      while (!over && reachedS < untilS) {
        reading ??= read();
        if (reading.code === null) await within(reading.done, untilMs - Date.now());
        late = reading.code === null;
        if (late) return;
        over = reading.code! < 0;
        reading = null;
        if (!over && packet.streamIndex === stream.index) {
          fillTime(packet);
          if (packet.pts !== AV_NOPTS) reachedS = Number(packet.pts) * tick;
          if (Math.abs(reachedS - untilS) < FAR_S) take(packet);
        }
        packet.unref();
      }
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
