import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answer } from '../server/src/engine/answer.ts';
import { decodeObservations } from '../server/src/engine/observe/encoding.ts';
import type { Observations } from '../server/src/engine/observe/observations.ts';
import type { ObserveArgs } from '../server/src/engine/observe/observe-task.ts';
import { createPlanner } from '../server/src/engine/plan/index.ts';
import type { Media } from '../server/src/platform/media/index.ts';
import { createPeers, runPeer } from './lib/peer.ts';
import type { BenchmarkRow } from './run.ts';
import type { EditedVideo, Join, MeasuredSignals } from './signals.clips.lib.ts';
import { CUT_VIDEOS, MOTION_VIDEOS, UNSEEN_VIDEOS } from './signals.videos.lib.ts';

/**
 * Cuts against PySceneDetect, and motion in front of static cameras against OpenCV's MOG2 as network video recorders
 * use it: the same videos in the same run, by correctness and processor time. Videos are labeled footage and edited
 * videos with known joins.
 */
const DATA = fileURLToPath(new URL('../../shared/data/', import.meta.url));
const TASKS = new URL('./signals.clips.lib.ts', import.meta.url);
const FILMS_SOURCE = new URL('./signals.clips.lib.ts', import.meta.url);
const F1_BAR = 0.95;
/** Maximum distance of a reported cut from its join. */
const TOLERANCE_S = 0.15;

type Span = { startS: number; endS: number };
type Labelled = {
  file: string;
  joins: [startS: number, endS: number][];
  /** Intervals that count neither as right nor wrong: titles, fades at the start and end. */
  open?: [startS: number, endS: number][];
};

/**
 * Footage whose every join is labeled, mostly one shot. A fade through black is one join, which starts when the image
 * darkens.
 */
const CUT_CLIPS: readonly Labelled[] = [
  {
    file: 'tricky/pyscenedetect_testvideo.mp4',
    joins: [
      ...([
        [1, 1],
        [6, 7.9],
        [11.3, 14.2],
      ] as [number, number][]),
      [17.4, 18.9],
    ],
    open: [
      [0, 0.97],
      [22.3, 24.1],
    ],
  },
  {
    file: 'tricky/pyscenedetect_fades.mp4',
    joins: [
      [1.6, 5],
      [5, 8.3],
    ],
    open: [
      [0, 1.6],
      [8.3, 10],
    ],
  },
  {
    file: 'tricky/torchcodec_nasa_13013.mp4',
    joins: [
      [5, 6],
      [8.04, 8.04],
    ],
  },
  ...[
    'road/udacity_solidWhiteRight.mp4',
    'road/udacity_night_rural_5s.mp4',
    'road/udacity_vd_test_small2.mp4',
    'road/intel_car_detection_topdown.mp4',
    'road/bgs_highway_traffic.avi',
    'road/bgs_topdown_road_outlines.avi',
    'road/camvid_0016E5_cyclists_15fps.mp4',
    'road/kitti_seq1_10fps.mp4',
    'security/mpf_marathon.mkv',
    'security/mpf_conference_people.mp4',
    'telemetry/gopro_hero7_walk.mp4',
    'tricky/pyscenedetect_counter.mp4',
    'robotics/openvla--place_banana_on_plate.mp4',
    'robotics/rt1_robot_coke_upright.mp4',
  ].map((file): Labelled => ({ file, joins: [] })),
];

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

type Counts = { right: number; wrong: number; missed: number };
type Cost = { wallS: number; cpuS: number };

const f1 = ({ right, wrong, missed }: Counts) => (right === 0 ? 0 : (2 * right) / (2 * right + wrong + missed));
const sum = (all: readonly Counts[]): Counts => ({
  right: all.reduce((total, { right }) => total + right, 0),
  wrong: all.reduce((total, { wrong }) => total + wrong, 0),
  missed: all.reduce((total, { missed }) => total + missed, 0),
});
const total = (costs: readonly Cost[], which: keyof Cost) => costs.reduce((all, cost) => all + cost[which], 0);
const reported = ({ right, wrong, missed }: Counts) => `${right} found, ${missed} missed, ${wrong} that are none`;
const spans = (pairs: readonly [number, number][]): Span[] => pairs.map(([startS, endS]) => ({ startS, endS }));

const planner = createPlanner();
const found = (prompt: string, observations: Observations): Span[] =>
  answer(planner.planQuery(prompt), observations).events.map(({ startS, endS }) => ({ startS, endS }));

/** Cuts, dissolves and fades: F1 and processor time, ours and PySceneDetect's. */
export async function cutRows(media: Media): Promise<BenchmarkRow[]> {
  if (!existsSync(DATA)) return [];
  const clips = CUT_CLIPS.map(({ file, joins, open }) => {
    return { name: file, path: join(DATA, file), joins: spans(joins), open: spans(open ?? []) };
  }).filter(({ path }) => existsSync(path));
  const edited = [];
  for (const video of CUT_VIDEOS) edited.push({ name: video.name, ...(await made(media, video)), open: [] });
  const videos = [...clips, ...edited];

  const ours: { counts: Counts; cost: Cost }[] = [];
  for (const { path, joins, open } of videos) {
    const { observations, cost } = await observed(media, path);
    ours.push({ counts: countJoins(found('scene changes', observations), joins, open), cost });
  }
  const counts = sum(ours.map((one) => one.counts));
  const rows: BenchmarkRow[] = [
    {
      name: 'cuts, dissolves and fades, all videos',
      value: f1(counts),
      unit: 'F1',
      bar: { min: F1_BAR },
      note: reported(counts),
    },
    ...videos.flatMap(({ name, joins }, at): BenchmarkRow[] => {
      const one = ours[at]!.counts;
      // One shot has no F1; events found in it are reported below.
      return joins.length > 0 ? [{ name: `  ${name}`, value: f1(one), unit: 'F1', note: reported(one) }] : [];
    }),
    {
      name: '  cuts found in footage of one shot',
      value: sum(videos.flatMap(({ joins }, at) => (joins.length === 0 ? [ours[at]!.counts] : []))).wrong,
      unit: 'cuts',
    },
  ];

  const peers = await createPeers();
  if ('absent' in peers) return [...rows, { name: 'PySceneDetect', value: 0, unit: 'absent', note: peers.absent }];
  type ReportedIntervals = Cost & { timesS: number[] };
  const theirs = await runPeer<Record<string, ReportedIntervals>>(
    peers.python,
    'cuts.py',
    videos.map(({ path }) => path),
  );
  for (const detector of Object.keys(theirs[0]!)) {
    const results = theirs.map((result) => result[detector]!);
    const peerCounts = sum(
      results.map(({ timesS }, at) => {
        return countJoins(
          timesS.map((timeS) => ({ startS: timeS, endS: timeS })),
          videos[at]!.joins,
          videos[at]!.open,
        );
      }),
    );
    rows.push(
      { name: `PySceneDetect, ${detector}`, value: f1(peerCounts), unit: 'F1', note: reported(peerCounts) },
      timeRow(
        `  our processor time against it`,
        ours.map(({ cost }) => cost),
        results,
      ),
    );
  }
  return rows;
}

/**
 * The same on videos that no threshold was tuned on, with more distractors. No bar and no peer. Creating the videos
 * takes minutes.
 */
export async function unseenRows(media: Media): Promise<BenchmarkRow[]> {
  if (!existsSync(DATA)) return [];
  const rows: BenchmarkRow[] = [];
  const all: Counts[] = [];
  for (const video of UNSEEN_VIDEOS) {
    const { path, joins } = await made(media, video);
    const { observations } = await observed(media, path);
    const counts = countJoins(found('scene changes', observations), joins, []);
    all.push(counts);
    rows.push({ name: `  ${video.name}`, value: f1(counts), unit: 'F1', note: reported(counts) });
  }
  return [
    { name: 'cuts, dissolves and fades, unseen videos', value: f1(sum(all)), unit: 'F1', note: reported(sum(all)) },
    ...rows,
  ];
}

/** A join is found if a cut is reported within it; a cut reported elsewhere is wrong. */
function countJoins(reported: readonly Span[], joins: readonly Span[], open: readonly Span[]): Counts {
  const touches = (one: Span) => (other: Span) =>
    one.startS <= other.endS + TOLERANCE_S && one.endS >= other.startS - TOLERANCE_S;
  const right = joins.filter((join) => reported.some(touches(join))).length;
  const wrong = reported.filter((one) => !joins.some(touches(one)) && !open.some(touches(one))).length;
  return { right, wrong, missed: joins.length - right };
}

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

function timeRow(name: string, ours: readonly Cost[], theirs: readonly Cost[]): BenchmarkRow {
  const [mine, peer] = [total(ours, 'cpuS'), total(theirs, 'cpuS')];
  const wall = `${total(ours, 'wallS').toFixed(1)} s against ${total(theirs, 'wallS').toFixed(1)} s on the clock`;
  return { name, value: mine / peer, unit: '×', note: `${mine.toFixed(1)} s against ${peer.toFixed(1)} s; ${wall}` };
}

async function observed(media: Media, path: string): Promise<{ observations: Observations; cost: Cost }> {
  const { durationS, video } = await media.probe(path);
  const { width, height, timeBase } = video;
  const facts = { durationS, width, height, timeBase, hasAudio: false };
  const args: ObserveArgs = { path, video: facts, kinds: ['signals'], sidecar: null, settings: {} };
  const { artifact, ...cost } = await media.run<MeasuredSignals>({
    module: TASKS,
    name: 'observeSignals',
    args: { args },
  });
  return { observations: decodeObservations(new Map([['signals', artifact]])), cost };
}

/** An edited video in the temporary folder, created once. */
async function made(media: Media, video: EditedVideo): Promise<{ path: string; joins: Join[] }> {
  const sources = { ...video, shots: video.shots.map((shot) => ({ ...shot, source: join(DATA, shot.source) })) };
  const hash = createHash('sha256')
    .update(await readFile(FILMS_SOURCE))
    .update(JSON.stringify(sources));
  const folder = join(tmpdir(), 'sightline-videos');
  const path = join(folder, `${hash.digest('hex').slice(0, 12)}.mp4`);
  const labels = path.replace(/mp4$/, 'json');
  if (!existsSync(labels)) {
    await mkdir(folder, { recursive: true });
    const draft = path.replace(/mp4$/, `${process.pid}.mp4`);
    const args = { video: sources, path: draft };
    const joins = await media.run<Join[]>({ module: TASKS, name: 'editVideo', args });
    await rename(draft, path);
    await writeFile(labels, JSON.stringify(joins));
  }
  return { path, joins: JSON.parse(await readFile(labels, 'utf8')) as Join[] };
}
