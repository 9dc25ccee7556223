import { join } from 'node:path';
import type { Encoder, ReelFrame } from '#platform/media/index';
import { createClock, type Gap } from './clock.ts';
import { isKeyframe } from './keyframe.ts';
import { createDecoder } from './messages.ts';
import { pictureReader } from './pictures.ts';
import { recordingProblem } from './problems.ts';
import type { Channel, Recording } from './reader.ts';
import type { Loss } from './records.ts';

/** What became of a channel. Times in nanoseconds by the common clock, drift by the recorder's. */
export type Film = {
  parts: FilmPart[];
  driftPpm: number | null;
  /** What the numbers do not say, in sentences: frames that were left out and why, clocks that were set. */
  notes: string[];
  /** Stretches of the recording that could not be read. */
  losses: readonly Loss[];
};

/** A video that was made. */
export type FilmPart = {
  path: string;
  /** Which stretch of the recording it is, counted from 0; stretches without frames have none. */
  part: number;
  frames: number;
  startNs: bigint;
  /** When its last frame was taken. */
  endNs: bigint;
  video: 'copied' | 'encoded';
  gaps: Gap[];
};

/** A channel none of whose first messages is a picture is given up. */
const MOST_DAMAGED = 10_000;

type Taken = ReelFrame & { atNs: bigint };

/**
 * Makes a video of a channel, or with `partS` one of each stretch of that many seconds, frame by frame, at the times the frames were taken. A stretch of
 * coded video ends where the next one can begin. Throws `channel_unreadable` (400), or what the encoder says, when not one frame can be used; those that
 * cannot are left out and counted.
 */
export async function makeFilm(
  recording: Recording,
  channel: Channel,
  { folder, partS }: { folder: string; partS: number | null },
  { encoder, progress }: { encoder: Encoder; progress: (fraction: number) => void },
): Promise<Film> {
  const read = channel.schema && pictureReader(channel.schema.name);
  if (!read) throw recordingProblem.channel_unreadable(`"${channel.schema?.name ?? ''}" holds no pictures.`);
  const decode = createDecoder(channel);
  const startNs = recording.startNs ?? 0n;
  const lengthS = Number((recording.endNs ?? startNs) - startNs) / 1e9;
  const parts: FilmPart[] = [];
  let reading = begin();
  /** The first frame of the next part, which was read to see where the last one ends. */
  let next: Taken | null = null;
  let left = 0;

  function begin() {
    const clock = createClock();
    const state = { clock, damaged: 0, reason: null as string | null, frames: taken() };
    async function* taken(): AsyncGenerator<Taken> {
      for await (const { data, logTimeNs } of recording.messages(new Set([channel.id]))) {
        try {
          const picture = read!(decode(data));
          const atNs = clock.at(picture.stampNs, logTimeNs);
          if (atNs !== null) yield { ...picture, atNs, timeS: Number(atNs - startNs) / 1e9 };
        } catch (error) {
          state.damaged++;
          state.reason ??= (error as Error).message;
          if (state.damaged > MOST_DAMAGED && clock.lastNs === null) return;
        }
      }
    }
    return state;
  }

  async function makePart(first: Taken): Promise<void> {
    const part = partS === null ? 0 : Math.max(0, Math.floor(first.timeS / partS));
    const untilS = partS === null ? Number.POSITIVE_INFINITY : (part + 1) * partS;
    let [tries, lastNs] = [0, first.atNs];
    async function* frames(): AsyncGenerator<ReelFrame> {
      // Asked again, the part is read again: what could be copied has to be encoded.
      if (tries++ > 0) reading = begin();
      if (tries === 1) yield first;
      next = null;
      for (let step = await reading.frames.next(); !step.done; step = await reading.frames.next()) {
        const frame = step.value;
        if (frame.atNs < first.atNs) continue;
        if (frame.timeS >= untilS && canBegin(frame)) {
          next = frame;
          return;
        }
        lastNs = frame.atNs;
        yield frame;
      }
    }
    const path = join(folder, `${channel.id}-${part}.mp4`);
    const onProgress = (timeS: number) => progress(lengthS > 0 ? timeS / lengthS : 1);
    const made = await encoder.assemble(path, { frames, most: channel.messages ?? undefined, onProgress });
    const began = startNs + BigInt(Math.round(made.startS * 1e9));
    left += made.left;
    parts.push({ path, part, frames: made.frames, startNs: began, endNs: lastNs, video: made.video, gaps: [] });
  }

  const first = await reading.frames.next();
  if (first.done) {
    throw recordingProblem.channel_unreadable(
      `None of its frames could be read: ${reading.reason ?? emptiness(recording)}.`,
    );
  }
  for (let frame: Taken | null = first.value; frame; frame = next) await makePart(frame);

  const { driftPpm, gaps, steps, backwards } = reading.clock.report();
  const { damaged, reason } = reading;
  for (const made of parts) {
    made.gaps = gaps.filter((gap) => gap.startNs >= made.startNs && gap.endNs <= made.endNs);
  }
  return {
    parts,
    driftPpm,
    notes: [
      ...told(damaged, `could not be read: ${reason}`),
      ...told(left, 'could not be decoded, or came before the first one that decoding can begin with'),
      ...told(backwards, 'were left out because they are not later than the one before'),
      ...(steps > 0 ? [`The camera's clock was set ${steps} times; frames are placed by the recorder's there.`] : []),
    ],
    losses: [...recording.losses],
  };
}

/** Whether a video can begin with this frame. */
const canBegin = ({ form, data }: ReelFrame): boolean => !('codec' in form) || isKeyframe(form.codec, data);

const told = (count: number, what: string) => (count > 0 ? [`${count} frames ${what}.`] : []);

const emptiness = ({ losses }: Recording) => losses[0]?.reason ?? 'it has no messages';
