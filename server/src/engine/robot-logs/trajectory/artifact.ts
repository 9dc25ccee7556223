import type { RecordedTrack, RecordedTrajectory } from './trajectory.ts';

/** Values farther apart than this, in seconds, are not interpolated between. */
const GAP_S = 1;
/** Digits of stored values: a tenth of a millimeter, and finer than an encoder of joints. */
const DIGITS = 5;

type Cells = (number | null)[];
type ArtifactTrack = {
  channel: string;
  schema: string;
  frame_id: string | null;
  position_3d?: Cells[];
  rotation_3d?: Cells[];
  joints_rad?: Record<string, Cells>;
};
/** A trajectory as existing clients read it. Times are seconds from the first frame of the video. */
export type TrajectoryArtifact = {
  source: 'measured';
  sampling_rate_hz: number;
  frame_of_reference_3d: string | null;
  duration_s: number;
  t_sec: number[];
  tracks: Record<string, ArtifactTrack>;
};

/**
 * The part of a trajectory in a video, on the times of its most frequent track; other tracks are interpolated linearly.
 * Null if nothing was measured during the video.
 */
export function toTrajectoryArtifact(
  { originNs, tracks }: RecordedTrajectory,
  { startNs, endNs }: { startNs: bigint; endNs: bigint },
): TrajectoryArtifact | null {
  const fromS = Number(startNs - originNs) / 1e9;
  const durationS = Number(endNs - startNs) / 1e9;
  const timesOf = ({ timeS }: RecordedTrack) => timeS.filter((time) => time >= fromS && time <= fromS + durationS);
  const [timeS] = tracks.map(timesOf).sort((a, b) => b.length - a.length);
  if (!timeS || timeS.length < 2) return null;
  const frames = new Set(tracks.flatMap(({ frame }) => frame ?? []));
  return {
    source: 'measured',
    sampling_rate_hz: round((timeS.length - 1) / (timeS.at(-1)! - timeS[0]!), 3),
    frame_of_reference_3d: frames.size === 1 ? [...frames][0]! : null,
    duration_s: round(durationS, DIGITS),
    t_sec: Array.from(timeS, (time) => round(time - fromS, DIGITS)),
    tracks: Object.fromEntries(tracks.map((track) => [toTrackName(track.name), toArtifactTrack(track, timeS)])),
  };
}

/** Clients separate the name of a track from those of its values by a point. */
const toTrackName = (channel: string) => channel.replace(/^\/+/, '').replaceAll('.', '_');

function toArtifactTrack(track: RecordedTrack, timeS: Float64Array): ArtifactTrack {
  const on = (values: Float64Array, isAngle = false) => resample(track.timeS, values, timeS, isAngle);
  const rows = (columns: Cells[]) => Array.from(timeS, (_, i) => columns.map((column) => column[i]!));
  const { channel, schema, frame, position, rotation, joints } = track;
  return {
    channel,
    schema,
    frame_id: frame,
    ...(position ? { position_3d: rows(position.map((axis) => on(axis))) } : {}),
    ...(rotation ? { rotation_3d: rows(rotation.map((axis) => on(axis, true))) } : {}),
    ...(Object.keys(joints).length > 0
      ? { joints_rad: Object.fromEntries(Object.entries(joints).map(([name, values]) => [name, on(values)])) }
      : {}),
  };
}

/** Values at other times; null outside the measured times and in gaps. Angles take the shorter way around. */
function resample(from: Float64Array, values: Float64Array, to: Float64Array, isAngle: boolean): Cells {
  let i = 0;
  return Array.from(to, (time) => {
    while (i + 1 < from.length && from[i + 1]! <= time) i++;
    const [beforeS, afterS] = [from[i]!, from[i + 1]];
    if (Math.abs(beforeS - time) < 1e-9) return toCell(values[i]!);
    if (beforeS > time || afterS === undefined || afterS - beforeS > GAP_S) return null;
    let change = values[i + 1]! - values[i]!;
    if (isAngle) change -= 2 * Math.PI * Math.round(change / (2 * Math.PI));
    return toCell(values[i]! + (change * (time - beforeS)) / (afterS - beforeS));
  });
}

const toCell = (value: number) => (Number.isFinite(value) ? round(value, DIGITS) : null);
const round = (value: number, digits: number) => Number(value.toFixed(digits));
