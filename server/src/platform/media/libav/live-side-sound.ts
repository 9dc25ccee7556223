import { setTimeout as sleep } from 'node:timers/promises';
import { AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import { Dictionary, FormatContext, Packet, type Stream } from 'node-av/lib';
import { AV_NOPTS } from './input.ts';
import { createTimeFiller } from './live-sound.ts';

/** Containers whose times are on one clock with those of the pictures. */
const FORMATS = 'mpegts,mov,mp4,m4a,3gp,3g2,mj2';
/** How long pictures wait for their sound to begin, and when it is late. */
const OPEN_MS = 5_000;
const LATE_MS = 3_000;
/** Sound that is this much older than the pictures is that of others. */
const OLDEST_S = 10;

/** Sound that comes by an input of its own, on the clock of the pictures. */
export type SideSound = {
  stream: Stream;
  /** Hands over what there is before `untilS`, in seconds of that clock. Waits a while for sound that is late, once; what comes later still is handed over then. */
  upTo(untilS: number, take: (packet: Packet) => void): Promise<void>;
  close(): Promise<void>;
};

/** Null where there is none, or none that begins in time: pictures go on without. */
export async function openSideSound(url: string, options: Record<string, string>): Promise<SideSound | null> {
  const input = new FormatContext();
  const opening = (async () => {
    const whitelists = { protocol_whitelist: 'pipe', format_whitelist: FORMATS };
    const opened = await input.openInput(url, null, Dictionary.fromObject({ ...options, ...whitelists }));
    if (opened < 0 || (await input.findStreamInfo(null)) < 0) return null;
    const stream = input.streams[input.findBestStream(AVMEDIA_TYPE_AUDIO)];
    return stream ? follow(input, stream) : null;
  })();
  return Promise.race([opening, sleep(OPEN_MS, null)]);
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
      const untilMs = Date.now() + (late ? 0 : LATE_MS);
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
          if (reachedS > untilS - OLDEST_S) take(packet);
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
async function within(done: Promise<void>, ms: number): Promise<void> {
  if (ms <= 0) return;
  const timeout = new AbortController();
  const waited = sleep(ms, undefined, { signal: timeout.signal }).catch(() => {});
  await Promise.race([done, waited]);
  timeout.abort();
}
