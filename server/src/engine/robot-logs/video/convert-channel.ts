import { join } from 'node:path';
import type { Encoder, SequenceFrame } from '#platform/media/index';
import { createClock, type FrameGap } from '../clock.ts';
import type { DataLoss, OpenRecording, RecordingChannel } from '../mcap/index.ts';
import { createDecoder } from '../messages/index.ts';
import { recordingProblem } from '../problems.ts';
import { createImageReader } from './images.ts';
import { isKeyframe } from './keyframe.ts';

/** Videos of a channel. Times are nanoseconds by the common clock, the drift is by the recorder's. */
export type ConvertedChannel = {
  parts: ConvertedVideo[];
  driftPpm: number | null;
  /** Notes on frames that were left out and on clocks that were set. */
  notes: string[];
  /** Ranges of the recording that could not be read. */
  losses: readonly DataLoss[];
};

/** A video of a channel, or of one part of it. */
export type ConvertedVideo = {
  path: string;
  /** Part of the recording, from 0. Parts without frames have no video. */
  part: number;
  frames: number;
  startNs: bigint;
  /** Time of its last frame. */
  endNs: bigint;
  video: 'copied' | 'encoded';
  gaps: FrameGap[];
};

/** Maximum number of unreadable messages before the first frame. */
const MAX_DAMAGED = 10_000;

type Taken = SequenceFrame & { atNs: bigint };

/**
 * Converts a channel to one video, or with `chunkSizeS` to one per part of that many seconds, with every frame at its
 * time. A part of encoded video ends at a keyframe. Unreadable frames are left out and counted. Throws
 * `channel_unreadable` (400) or an error of the encoder if no frame is usable.
 */
export async function convertToVideos(
  recording: OpenRecording,
  channel: RecordingChannel,
  { folder, chunkSizeS }: { folder: string; chunkSizeS: number | null },
  { encoder, progress }: { encoder: Encoder; progress: (fraction: number) => void },
): Promise<ConvertedChannel> {
  const read = channel.schema && createImageReader(channel.schema.name);
  if (!read) throw recordingProblem.channel_unreadable(`"${channel.schema?.name ?? ''}" contains no images.`);
  const decode = createDecoder(channel);
  const startNs = recording.startNs ?? 0n;
  const lengthS = Number((recording.endNs ?? startNs) - startNs) / 1e9;
  const parts: ConvertedVideo[] = [];
  let reading = begin();
  /** First frame of the next part, which was read to find the end of the current one. */
  let next: Taken | null = null;
  let left = 0;

  function begin() {
    const clock = createClock();
    const state = { clock, damaged: 0, reason: null as string | null, frames: taken() };
    async function* taken(): AsyncGenerator<Taken> {
      for await (const { data, logTimeNs } of recording.messages(new Set([channel.id]))) {
        try {
          const frame = read!(decode(data));
          const atNs = clock.at(frame.stampNs, logTimeNs);
          if (atNs !== null) yield { ...frame, atNs, timeS: Number(atNs - startNs) / 1e9 };
        } catch (error) {
          state.damaged++;
          state.reason ??= (error as Error).message;
          if (state.damaged > MAX_DAMAGED && clock.lastNs === null) return;
        }
      }
    }
    return state;
  }

  async function makePart(first: Taken): Promise<void> {
    const part = chunkSizeS === null ? 0 : Math.max(0, Math.floor(first.timeS / chunkSizeS));
    const untilS = chunkSizeS === null ? Number.POSITIVE_INFINITY : (part + 1) * chunkSizeS;
    let [tries, lastNs] = [0, first.atNs];
    async function* frames(): AsyncGenerator<SequenceFrame> {
      // The encoder reads the part again if it cannot be copied and has to be encoded.
      if (tries++ > 0) reading = begin();
      if (tries === 1) yield first;
      next = null;
      for (let step = await reading.frames.next(); !step.done; step = await reading.frames.next()) {
        const frame = step.value;
        if (frame.atNs < first.atNs) continue;
        if (frame.timeS >= untilS && canStart(frame)) {
          next = frame;
          return;
        }
        lastNs = frame.atNs;
        yield frame;
      }
    }
    const path = join(folder, `${channel.id}-${part}.mp4`);
    const onProgress = (timeS: number) => progress(lengthS > 0 ? timeS / lengthS : 1);
    const made = await encoder.assemble(path, { frames, maxFrames: channel.messages ?? undefined, onProgress });
    const partStartNs = startNs + BigInt(Math.round(made.startS * 1e9));
    left += made.skipped;
    parts.push({ path, part, frames: made.frames, startNs: partStartNs, endNs: lastNs, video: made.video, gaps: [] });
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
      ...note(damaged, `could not be read: ${reason}`),
      ...note(left, 'could not be decoded, or came before the first one that decoding can begin with'),
      ...note(backwards, 'were left out because they are not later than the one before'),
      ...(steps > 0 ? [`The camera's clock was set ${steps} times; frames are placed by the recorder's there.`] : []),
    ],
    losses: [...recording.losses],
  };
}

/** True if a video can start with this frame. */
const canStart = ({ format: form, data }: SequenceFrame): boolean => !('codec' in form) || isKeyframe(form.codec, data);

const note = (count: number, what: string) => (count > 0 ? [`${count} frames ${what}.`] : []);

const emptiness = ({ losses }: OpenRecording) => losses[0]?.reason ?? 'it has no messages';
