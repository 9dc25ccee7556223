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
  reported,
  type Span,
  spans,
  sum,
  TOLERANCE_S,
  timeRow,
} from './measure.ts';
import { CUT_VIDEOS, UNSEEN_VIDEOS } from './videos.ts';

/** Cuts against PySceneDetect: the same videos in the same run, by correctness and processor time. */
const F1_BAR = 0.95;

type LabeledCuts = {
  file: string;
  joins: [startS: number, endS: number][];
  /** Intervals that count neither as right nor wrong: titles, fades at the start and end. */
  open?: [startS: number, endS: number][];
};

/**
 * Footage whose every join is labeled, mostly one shot. A fade through black is one join, which starts when the image
 * darkens.
 */
const CUT_CLIPS: readonly LabeledCuts[] = [
  {
    file: 'tricky/pyscenedetect_testvideo.mp4',
    joins: [
      [1, 1],
      [6, 7.9],
      [11.3, 14.2],
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
  ].map((file): LabeledCuts => ({ file, joins: [] })),
];

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
