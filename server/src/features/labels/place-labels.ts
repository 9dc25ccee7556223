import type { Label } from '#features/review/index';
import type { Video } from '#features/videos/index';
import { rounded } from '#platform/numbers';
import type { LabelFault, LabelTime, ParsedLabel } from './types.ts';

/** A video of the batch with its analysis; null if that has not completed. */
export type LabeledVideo = Pick<Video, 'id' | 'name' | 'durationS' | 'frameRate'> & { analysisId: string | null };

/** Frames of one object that are further apart are two labels. */
const JOIN_GAP_S = 1;
/** Slack at the end of a video: durations of containers and times of frames are not exact. */
const END_SLACK_S = 0.5;
/** A stated time is exact if the frames were computed from it. */
const EXACT_FRAMES = 1.5;

export type PlacedLabels = { byAnalysis: Map<string, Label[]>; duplicates: number; faults: LabelFault[] };

/**
 * Finds the video of each label and its time there. Single frames of one object become one label while no more than a
 * second is between them. `all` is the video of all labels, whatever they state; null: the one that each names.
 */
export function placeLabels(
  labels: readonly ParsedLabel[],
  videos: readonly LabeledVideo[],
  all: LabeledVideo | null,
): PlacedLabels {
  const find = all ? () => all : findByName(videos);
  const faults: LabelFault[] = [];
  const moments: Moment[] = [];
  const intervals: Interval[] = [];
  for (const label of labels) {
    const video = find(label);
    const time = typeof video === 'string' ? video : timeOf(label.when, video);
    if (typeof video === 'string' || typeof time === 'string') {
      faults.push({ location: label.location, message: typeof video === 'string' ? video : String(time) });
    } else if ('timeS' in time) moments.push({ ...label, video, ...time });
    else intervals.push({ ...label, video, ...time });
  }
  const byAnalysis = new Map<string, Label[]>();
  const seen = new Set<string>();
  let duplicates = 0;
  for (const { location, video, ...interval } of [...intervals, ...joinMoments(moments)]) {
    const fault = faultOf(video, interval);
    const { label, severity, note } = interval;
    const [startS, endS] = [rounded(interval.startS), rounded(Math.min(interval.endS, video.durationS ?? Infinity))];
    const key = JSON.stringify([video.id, label, startS, endS]);
    if (fault) faults.push({ location, message: fault });
    else if (seen.has(key)) duplicates++;
    else {
      seen.add(key);
      const placed = byAnalysis.get(video.analysisId!) ?? [];
      byAnalysis.set(video.analysisId!, placed);
      placed.push({ label, severity, note, startS, endS });
    }
  }
  return { byAnalysis, duplicates, faults };
}

type Placed = Pick<ParsedLabel, 'location' | 'label' | 'severity' | 'note' | 'track'> & { video: LabeledVideo };
type Moment = Placed & { timeS: number };
type Interval = Placed & { startS: number; endS: number };

/** Returns the video of a label, or the reason why no video matches. */
function findByName(videos: readonly LabeledVideo[]): (label: ParsedLabel) => LabeledVideo | string {
  const named = Map.groupBy(videos, ({ name }) => name);
  for (const [stem, found] of Map.groupBy(videos, ({ name }) => name.replace(/\.[^.]+$/, ''))) {
    if (!named.has(stem)) named.set(stem, found);
  }
  for (const video of videos) named.set(video.id, [video]);
  return ({ videos: names }) => {
    if (names.length === 0) {
      return videos.length === 1 ? videos[0]! : 'It names no video, and the batch has several. Send `video_id`.';
    }
    const found = names.map((name) => named.get(name)).find(Boolean) ?? [];
    const shown = JSON.stringify(names[0]!.slice(0, 100));
    if (found.length > 1) return `The batch has several videos with the name ${shown}. Name it by its id.`;
    return found[0] ?? `The batch has no video ${shown}.`;
  };
}

function timeOf(
  when: LabelTime,
  { frameRate }: LabeledVideo,
): { timeS: number } | { startS: number; endS: number } | string {
  if ('timeS' in when || 'startS' in when) return when;
  if (!frameRate) return 'It counts frames, but the frame rate of the video is unknown. State times in seconds.';
  if ('frame' in when) return { timeS: when.frame / frameRate };
  const { startFrame, endFrame, exact } = when;
  const isNear = (timeS: number, frame: number) => Math.abs(timeS * frameRate - frame) < EXACT_FRAMES;
  if (exact && isNear(exact.startS, startFrame) && isNear(exact.endS, endFrame)) return exact;
  return { startS: startFrame / frameRate, endS: endFrame / frameRate };
}

/** Intervals in which an object is in frames that follow one another. A frame lasts until the next one. */
function joinMoments(moments: readonly Moment[]): Interval[] {
  const joined: Interval[] = [];
  for (const group of Map.groupBy(moments, toObject).values()) {
    let last: Interval | null = null;
    for (const { timeS, ...moment } of group.toSorted((a, b) => a.timeS - b.timeS)) {
      const endS = timeS + 1 / (moment.video.frameRate ?? Infinity);
      if (last && timeS - last.endS <= JOIN_GAP_S) last.endS = endS;
      else {
        last = { ...moment, startS: timeS, endS };
        joined.push(last);
      }
    }
  }
  return joined;
}

const toObject = ({ video, label, track }: Moment) => JSON.stringify([video.id, label, track]);

function faultOf(
  { analysisId, durationS }: LabeledVideo,
  { startS, endS }: Pick<Interval, 'startS' | 'endS'>,
): string | null {
  if (analysisId === null) return 'The analysis of its video has not completed.';
  if (startS > endS) return 'It ends before it starts.';
  if (durationS !== null && endS > durationS + END_SLACK_S) {
    return `It ends at ${rounded(endS)} s, but the video has ${rounded(durationS)} s.`;
  }
  return null;
}
