import { type ObserveArgs, observe } from '../../server/src/engine/observe/observe-task.ts';
import type { RgbaFrame, TaskContext } from '../../server/src/platform/media/index.ts';

/**
 * Edited videos from real footage with known joins: cuts, dissolves and fades, and events that resemble them (flashes,
 * lamps, whip pans). Runs inside a media process.
 */
export type EditedVideo = {
  name: string;
  shots: Shot[] /** Keeps the sources' own frame times, so that the frame rate varies. */;
  ownTimes?: boolean;
};

export type Shot = {
  /** Path of the footage. */
  source: string;
  fromS: number;
  lastsS: number;
  /**
   * Transition from the previous shot: a hard cut, a dissolve of this length, or a fade through black (out, black, in).
   */
  join?: { dissolveS: number } | { fadeS: number; blackS: number };
  /** Brightness factor of the shot; camera noise is added below 1. */
  gain?: number;
  /** Times in the shot of camera flashes, each two frames long. */
  flashes?: number[];
  /** Interval in the shot during which the light is off. */
  darkness?: { startS: number; endS: number };
  /** The frame is a window of this share that moves over the footage at this many of its own widths per second. */
  pan?: { window: number; speed: number };
  /** Time in the shot from which a caption is shown. */
  captionS?: number;
};

/** A join in seconds of the video. Equal times are a hard cut. */
export type Join = { startS: number; endS: number };

export const SIZE = { width: 384, height: 216 };
const FRAME_S = 1 / 25;
const CHANNELS = 4;
const DARK_GAIN = 0.07;
const FLASH_FRAMES = 2;

type Frame = { timeS: number; data: Uint8Array };

/** Writes an edited video as MP4 and returns its joins. */
export async function editVideo(
  { video, path }: { video: EditedVideo; path: string },
  context: TaskContext,
): Promise<Join[]> {
  const joins: Join[] = [];
  const { endS, plan } = layOut(video);
  for (const { shot, startS } of plan.slice(1)) {
    const { join } = shot;
    if (!join) joins.push({ startS, endS: startS });
    else if ('dissolveS' in join) joins.push({ startS, endS: startS + join.dissolveS });
    else joins.push({ startS: startS - join.fadeS - join.blackS, endS: startS + join.fadeS });
  }
  await context.encoder.encode(path, { ...SIZE, frames: pictures(video, plan, endS, context), endS });
  return joins;
}

type Placed = { shot: Shot; startS: number; endS: number };

/** Places the shots in time: dissolves overlap, fades leave black in between. */
function layOut({ shots }: EditedVideo): { plan: Placed[]; endS: number } {
  let endS = 0;
  const plan = shots.map((shot): Placed => {
    const { join } = shot;
    const startS = endS + (!join ? 0 : 'dissolveS' in join ? -join.dissolveS : join.blackS);
    endS = startS + shot.lastsS;
    return { shot, startS: round(startS), endS: round(endS) };
  });
  return { plan, endS: round(endS) };
}

const round = (timeS: number) => Math.round(timeS / FRAME_S) * FRAME_S;

async function* pictures(
  video: EditedVideo,
  plan: Placed[],
  endS: number,
  context: TaskContext,
): AsyncGenerator<RgbaFrame> {
  const out = new Uint8Array(SIZE.width * SIZE.height * CHANNELS);
  const other = out.slice();
  let loaded: { placed: Placed; frames: Frame[] }[] = [];
  const times = video.ownTimes ? null : Array.from({ length: Math.round(endS / FRAME_S) }, (_, n) => n * FRAME_S);
  let at = 0;
  let last = -1;
  for (;;) {
    const timeS = times ? times[at] : last < 0 ? 0 : nextOwnTime(loaded, last, endS, plan);
    if (timeS === undefined || timeS >= endS - 1e-6) return;
    at++;
    last = timeS;
    const seen = plan.filter((placed) => timeS >= placed.startS - 1e-6 && timeS < placed.endS - 1e-6);
    loaded = await Promise.all(
      seen.map(
        async (placed) =>
          loaded.find((l) => l.placed === placed) ?? { placed, frames: await load(placed.shot, context) },
      ),
    );
    out.fill(0);
    loaded.forEach(({ placed, frames }, index) => {
      const inShot = timeS - placed.startS;
      const target = index === 0 ? out : other;
      draw(target, placed.shot, frames, inShot, at);
      const { join } = placed.shot;
      if (join && 'fadeS' in join && inShot < join.fadeS) dim(target, inShot / join.fadeS);
      const next = plan[plan.indexOf(placed) + 1]?.shot.join;
      const left = placed.endS - timeS;
      if (next && 'fadeS' in next && left < next.fadeS) dim(target, left / next.fadeS);
      if (index > 0 && join && 'dissolveS' in join) blend(out, other, inShot / join.dissolveS);
    });
    yield { timeS, data: out };
  }
}

/** The next frame of the current shot, or the start of the next shot. */
function nextOwnTime(
  loaded: { placed: Placed; frames: Frame[] }[],
  last: number,
  endS: number,
  plan: Placed[],
): number {
  const current = loaded.at(-1);
  const next = current?.frames.find(({ timeS }) => timeS + current.placed.startS > last + 0.005);
  const nextShot = plan.find(({ startS }) => startS > last + 1e-6)?.startS ?? endS;
  return Math.min(next ? next.timeS + current!.placed.startS : last + FRAME_S, nextShot);
}

async function load({ source, fromS, lastsS }: Shot, { decoder }: TaskContext): Promise<Frame[]> {
  const frames: Frame[] = [];
  const onFrame = ({ timeS, data }: { timeS: number; data: Uint8Array }) => {
    if (timeS >= fromS - 1e-6 && timeS < fromS + lastsS) frames.push({ timeS: timeS - fromS, data: data.slice() });
  };
  await decoder.decode(source, { frames: [{ ...SIZE, format: 'rgb', onFrame }] });
  if (frames.length === 0) throw new Error(`${source} has no frames from ${fromS} s.`);
  return frames;
}

function draw(target: Uint8Array, shot: Shot, frames: Frame[], inShot: number, frame: number): void {
  const { data } = frames.findLast(({ timeS }) => timeS <= inShot + 1e-6) ?? frames[0]!;
  const { width, height } = SIZE;
  const share = shot.pan?.window ?? 1;
  // Moves back and forth over the footage at constant speed.
  const way = ((inShot * (shot.pan?.speed ?? 0) * share) / (1 - share || 1)) % 2;
  const left = (1 - share) * width * (way > 1 ? 2 - way : way);
  const top = ((1 - share) / 2) * height;
  const lit = !shot.darkness || inShot < shot.darkness.startS || inShot >= shot.darkness.endS;
  const gain = (shot.gain ?? 1) * (lit ? 1 : DARK_GAIN);
  const flash = shot.flashes?.some((atS) => inShot >= atS - 1e-6 && inShot < atS + FLASH_FRAMES * FRAME_S - 1e-6);
  const random = noise(frame);
  for (let y = 0; y < height; y++) {
    const row = Math.floor(top + y * share) * width;
    for (let x = 0; x < width; x++) {
      const from = (row + Math.floor(left + x * share)) * 3;
      const to = (y * width + x) * CHANNELS;
      const grain = gain < 1 ? (random() - 0.5) * 4 : 0;
      for (let channel = 0; channel < 3; channel++) {
        const value = data[from + channel]! * gain + grain;
        target[to + channel] = Math.max(0, Math.min(255, flash ? value * 1.2 + 110 : value));
      }
    }
  }
  if (shot.captionS !== undefined && inShot >= shot.captionS) caption(target);
}

function caption(target: Uint8Array): void {
  const { width, height } = SIZE;
  for (let y = Math.floor(height * 0.75); y < height * 0.92; y++) {
    for (let x = Math.floor(width * 0.1); x < width * 0.9; x++) {
      target.fill((x >> 3) % 2 === (y >> 3) % 2 ? 250 : 20, (y * width + x) * CHANNELS, (y * width + x + 1) * CHANNELS);
    }
  }
}

function dim(target: Uint8Array, by: number): void {
  for (let at = 0; at < target.length; at++) target[at] = target[at]! * Math.max(0, by);
}

function blend(target: Uint8Array, other: Uint8Array, share: number): void {
  if (share >= 1) return void target.set(other);
  for (let at = 0; at < target.length; at++) target[at] = target[at]! * (1 - share) + other[at]! * share;
}

/** Numbers from 0 to 1 that are the same on every machine. */
function noise(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

export type MeasuredSignals = { artifact: Uint8Array; cpuS: number; wallS: number };

/** Computes the signals of a video as the product does, and their cost. */
export async function observeSignals({ args }: { args: ObserveArgs }, context: TaskContext): Promise<MeasuredSignals> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  const { signals } = await observe(args, context);
  const { user, system } = process.cpuUsage(cpu);
  return { artifact: signals!, cpuS: (user + system) / 1e6, wallS: (performance.now() - started) / 1000 };
}
