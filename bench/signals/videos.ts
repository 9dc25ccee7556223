import type { EditedVideo, Shot } from './tasks.ts';

/** Sources of the edited videos, as paths in the shared footage. */
const drive = 'road/udacity_solidWhiteRight.mp4';
const night = 'road/udacity_night_rural_5s.mp4';
const motorway = 'road/udacity_vd_test_small2.mp4';
const above = 'road/intel_car_detection_topdown.mp4';
const traffic = 'road/bgs_highway_traffic.avi';
const outlines = 'road/bgs_topdown_road_outlines.avi';
const cyclists = 'road/camvid_0016E5_cyclists_15fps.mp4';
const gray = 'road/kitti_seq1_10fps.mp4';
const marathon = 'security/mpf_marathon.mkv';
const group = 'security/mpf_conference_people.mp4';
const aisle = 'security/intel_store_aisle_detection.gif';
const hall = 'security/intel_worker_zone_detection.gif';
const walk = 'telemetry/gopro_hero7_walk.mp4';
const mirrors = 'tricky/torchcodec_nasa_13013.mp4';
const arm = (name: string) => `robotics/${name}.mp4`;

const shot = (source: string, fromS = 0, lastsS = 2, more: Partial<Shot> = {}): Shot => ({
  source,
  fromS,
  lastsS,
  ...more,
});
const dissolve = (dissolveS: number) => ({ join: { dissolveS } });
const fade = (fadeS: number, blackS: number) => ({ join: { fadeS, blackS } });
const dark = (startS: number, endS: number) => ({ darkness: { startS, endS } });
const whip = (window: number, speed: number) => ({ pan: { window, speed } });

/** Edited videos whose every join is known. */
export const CUT_VIDEOS: readonly EditedVideo[] = [
  {
    name: 'hard cuts',
    shots: [
      shot(drive),
      shot(marathon),
      shot(above, 5),
      shot(aisle),
      shot(walk),
      shot(gray),
      shot(hall),
      shot(cyclists),
      shot(group),
      shot(motorway),
      shot(traffic),
      shot(outlines, 3),
      shot(mirrors, 6),
    ],
  },
  {
    name: 'similar shots',
    shots: [
      shot(marathon, 0, 1.5),
      shot(marathon, 3, 1.5),
      shot(drive, 0, 1.5),
      shot(drive, 6, 1.5),
      shot(drive, 3, 1.5),
      shot(walk, 0, 1.5),
      shot(walk, 7, 1.5),
      shot(motorway, 0, 1),
      shot(drive, 5, 1.5),
      shot(cyclists, 0, 1.5),
      shot(cyclists, 4, 1.5),
      shot(gray, 0, 1.5),
      shot(gray, 3, 1.5),
    ],
  },
  {
    name: 'robots at one table',
    shots: [
      shot(arm('openvla--flip_pot_upright'), 0, 1.5),
      shot(arm('openvla--move_salt_shaker_onto_plate'), 0, 1.5),
      shot(arm('openvla--put_corn_on_plate--clutter'), 0, 1.5),
      shot(arm('octo--pour_corn'), 0, 1.5),
      shot(arm('openvla--put_eggplant_into_pot--clutter'), 0, 1.5),
      shot(arm('rt1_robot_coke_upright'), 0, 1.5),
    ],
  },
  {
    name: 'dissolves',
    shots: [
      shot(drive, 0, 3),
      shot(marathon, 0, 3, dissolve(1)),
      shot(aisle, 0, 3, dissolve(0.5)),
      shot(walk, 0, 4, dissolve(1.5)),
      shot(above, 5, 4, dissolve(1)),
      shot(hall, 0, 3, dissolve(0.8)),
      shot(traffic, 12, 5, dissolve(2)),
      shot(group, 0, 2.6, dissolve(0.4)),
      shot(mirrors, 8.5, 3, dissolve(1)),
    ],
  },
  {
    name: 'fades over black',
    shots: [
      shot(drive, 0, 3),
      shot(marathon, 0, 3, fade(0.5, 0.4)),
      shot(aisle, 0, 3, fade(1, 0.2)),
      shot(walk, 0, 4, fade(0.4, 1)),
      shot(above, 5, 4, fade(0.8, 0.4)),
    ],
  },
  {
    name: 'flashes',
    shots: [
      shot(drive, 0, 3, { flashes: [1, 2] }),
      shot(marathon, 0, 4, { flashes: [0.6, 1.4, 1.56, 3] }),
      shot(group, 0, 2.5, { flashes: [0.4, 1.2] }),
      shot(walk, 0, 4, { flashes: [1, 3] }),
      shot(above, 5, 3, { flashes: [1, 2.2] }),
    ],
  },
  {
    name: 'lamps',
    shots: [
      shot(aisle, 0, 4, dark(1, 3)),
      shot(hall, 0, 4, dark(1.5, 2.5)),
      shot(group, 0, 2.8, dark(0.8, 2)),
      shot(above, 5, 4, dark(1, 3)),
      shot(mirrors, 6, 1.8, dark(0.8, 1.8)),
      shot(drive, 0, 4, dark(1, 3)),
    ],
  },
  {
    name: 'whip pans',
    shots: [
      shot(drive, 0, 3, whip(0.4, 2)),
      shot(marathon, 0, 3, whip(0.4, 4)),
      shot(aisle, 0, 3, whip(0.35, 6)),
      shot(walk, 0, 3, whip(0.4, 3)),
      shot(group, 0, 2.5, whip(0.4, 8)),
      shot(mirrors, 8.5, 3, whip(0.3, 5)),
    ],
  },
  {
    name: 'dark footage',
    shots: [
      shot(night, 0, 3),
      shot(drive, 0, 2, { gain: 0.15 }),
      shot(marathon, 0, 2, { gain: 0.12 }),
      shot(night, 3),
      shot(aisle, 0, 2, { gain: 0.1 }),
      shot(walk, 0, 2, { gain: 0.2 }),
      shot(hall, 0, 2, { gain: 0.08 }),
    ],
  },
  {
    name: 'variable frame rate',
    ownTimes: true,
    shots: [
      shot(traffic, 10),
      shot(gray),
      shot(drive),
      shot(above, 5),
      shot(cyclists),
      shot(marathon),
      shot(aisle),
      shot(arm('openvla--flip_pot_upright'), 0, 1.5),
      shot(outlines, 3),
    ],
  },
  { name: 'captions', shots: [drive, aisle, walk].map((source) => shot(source, 0, 3, { captionS: 1 })) },
];

/** Static cameras in front of which first only the light changes and then something moves. */
export const MOTION_VIDEOS: readonly { video: EditedVideo; motion: [startS: number, endS: number][] }[] = [
  {
    video: { name: 'a lamp over an empty road', shots: [shot(above, 19.2, 9, dark(2, 4))] },
    motion: [[6.1, 8.7]],
  },
  {
    video: { name: 'lightning over an empty road', shots: [shot(above, 8.8, 9.2, { flashes: [1.5, 3, 4.2] })] },
    motion: [[5.7, 9.2]],
  },
];

/** Sources of the random videos and their length in seconds. */
const FOOTAGE = Object.entries({
  [drive]: 8.8,
  [night]: 5.2,
  [motorway]: 3.3,
  [above]: 30,
  [traffic]: 28,
  [outlines]: 12,
  [cyclists]: 6.5,
  [gray]: 5,
  [marathon]: 4.5,
  [group]: 2.9,
  [aisle]: 4.4,
  [hall]: 4.5,
  [walk]: 11,
  [mirrors]: 12,
  [arm('octo--pour_corn')]: 9,
  [arm('openvla--flip_pot_upright')]: 3,
  [arm('rt1_robot_coke_upright')]: 4.6,
});
const RANDOM_VIDEOS = 12;
const RANDOM_SHOTS = 12;

/**
 * Videos that no threshold was tuned on: random shots of 1.6 to 2.8 s with random transitions, every third one with a
 * flash, a lamp, a whip pan or low light. The same on every machine.
 */
export const UNSEEN_VIDEOS: readonly EditedVideo[] = Array.from({ length: RANDOM_VIDEOS }, (_, video) => {
  const random = randomFrom(video + 1);
  const between = (from: number, to: number) => Math.round((from + (to - from) * random()) * 25) / 25;
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  return {
    name: `unseen video ${video + 1}`,
    shots: Array.from({ length: RANDOM_SHOTS }, (_, at): Shot => {
      const [source, there] = pick(FOOTAGE);
      const lastsS = Math.min(between(1.6, 2.8), there);
      const join =
        at === 0 ? {} : pick([{}, {}, dissolve(between(0.3, 1.2)), fade(between(0.3, 0.6), between(0.1, 0.5))]);
      const odd = [
        { flashes: [between(0.6, 1)] },
        dark(0.7, 1.2),
        whip(0.4, between(2, 6)),
        { gain: between(0.08, 0.2) },
      ];
      return shot(source, between(0, there - lastsS), lastsS, { ...join, ...(at % 3 === 2 ? pick(odd) : {}) });
    }),
  };
});

/** Numbers from 0 to 1 that are the same on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
