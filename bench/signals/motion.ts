import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Media } from '../../server/src/platform/media/index.ts';
import { createPeers, runPeer } from '../lib/peer.ts';
import type { BenchmarkRow } from '../run.ts';
import {
  type Cost,
  type Counts,
  DATA,
  f1,
  found,
  made,
  observed,
  type Span,
  spans,
  sum,
  TOLERANCE_S,
  timeRow,
} from './measure.ts';
import { MOTION_VIDEOS } from './videos.ts';

/** Motion in front of static cameras against OpenCV's MOG2 as network video recorders use it. */
type MotionLabels = {
  file: string;
  motion: [startS: number, endS: number][];
  quiet: [startS: number, endS: number][];
};

/** Static cameras with intervals of motion and of no motion. Other times are not judged. */
const MOTION_CLIPS: readonly MotionLabels[] = [
  {
    file: 'road/intel_car_detection_topdown.mp4',
    motion: [
      [4.4, 8.5],
      [14.5, 18.9],
      [25.3, 27.9],
    ],
    quiet: [
      [1, 4.3],
      [8.7, 14.3],
      [19, 25.2],
      [28, 30.2],
    ],
  },
  {
    file: 'road/bgs_topdown_road_outlines.avi',
    motion: [
      [2.2, 8.5],
      [9.9, 12],
    ],
    quiet: [
      [1, 1.9],
      [8.7, 9.6],
    ],
  },
  {
    file: 'road/bgs_highway_traffic.avi',
    motion: [
      [1, 7.8],
      [8.5, 28.2],
    ],
    quiet: [],
  },
  { file: 'road/intel_person_bicycle_car.gif', motion: [[1, 3.3]], quiet: [] },
  { file: 'security/intel_worker_zone_detection.gif', motion: [[1, 3.1]], quiet: [] },
  { file: 'security/intel_store_aisle_detection.gif', motion: [[1, 4.4]], quiet: [] },
];

/** Motion in front of static cameras by frame: ours and MOG2's. */
export async function motionRows(media: Media): Promise<BenchmarkRow[]> {
  if (!existsSync(DATA)) return [];
  const clips = MOTION_CLIPS.map(({ file, motion, quiet }) => {
    return { name: file, path: join(DATA, file), motion: spans(motion), quiet: spans(quiet) };
  }).filter(({ path }) => existsSync(path));
  const edited = [];
  for (const { video, motion } of MOTION_VIDEOS) {
    const { path } = await made(media, video);
    const quiet: Span[] = [{ startS: 1, endS: motion[0]![0] - TOLERANCE_S }];
    edited.push({ name: video.name, path, motion: spans(motion), quiet });
  }
  const videos = [...clips, ...edited];

  const ours: { counts: Counts; cost: Cost }[] = [];
  for (const { path, motion, quiet } of videos) {
    const { observations, cost } = await observed(media, path);
    const moving = found('something moves', observations);
    const isMoving = (timeS: number) => moving.some(({ startS, endS }) => timeS >= startS && timeS < endS);
    ours.push({ counts: countFrames([...observations.signals!.timeS], isMoving, motion, quiet), cost });
  }
  const rows = rowsOf(
    'motion before standing cameras, by frames',
    ours.map(({ counts }) => counts),
    videos,
  );

  const peers = await createPeers();
  if ('absent' in peers) return [...rows, { name: 'OpenCV MOG2', value: 0, unit: 'absent', note: peers.absent }];
  type ReportedIntervals = Cost & { timesS: number[]; moving: boolean[] };
  const theirs = await runPeer<ReportedIntervals>(
    peers.python,
    'motion.py',
    videos.map(({ path }) => path),
  );
  const counts = theirs.map(({ timesS, moving }, at) => {
    const byTime = new Map(timesS.map((timeS, frame) => [timeS, moving[frame]!]));
    return countFrames(timesS, (timeS) => byTime.get(timeS)!, videos[at]!.motion, videos[at]!.quiet);
  });
  return [
    ...rows,
    ...rowsOf('OpenCV MOG2', counts, videos),
    timeRow(
      '  our processor time against it',
      ours.map(({ cost }) => cost),
      theirs,
    ),
  ];
}

function rowsOf(name: string, counts: readonly Counts[], videos: readonly { name: string }[]): BenchmarkRow[] {
  const all = sum(counts);
  const frames = ({ right, wrong, missed }: Counts) =>
    `${right} frames found, ${missed} missed, ${wrong} of quiet ones`;
  return [
    { name, value: f1(all), unit: 'F1', note: frames(all) },
    ...videos.map((video, at): BenchmarkRow => {
      return { name: `  ${video.name}`, value: f1(counts[at]!), unit: 'F1', note: frames(counts[at]!) };
    }),
  ];
}

function countFrames(
  timesS: readonly number[],
  isMoving: (timeS: number) => boolean,
  motion: readonly Span[],
  quiet: readonly Span[],
): Counts {
  const counts: Counts = { right: 0, wrong: 0, missed: 0 };
  const isIn = (all: readonly Span[], timeS: number) =>
    all.some(({ startS, endS }) => timeS >= startS && timeS <= endS);
  for (const timeS of timesS) {
    if (isIn(motion, timeS)) counts[isMoving(timeS) ? 'right' : 'missed']++;
    else if (isIn(quiet, timeS) && isMoving(timeS)) counts.wrong++;
  }
  return counts;
}
