/** A text that a person read in a clip, and the height of its capitals in pixels of the video. */
export type LabeledText = readonly [text: string, height: number];

/** A clip of the shared footage. `also`: other text in it, as read from parts of it; neither sought nor wrong. */
export type LabeledTextClip = { file: string; texts: readonly LabeledText[]; also?: readonly string[] };

/** Labeled by eye. Text that is cut off, blurred beyond reading or only letters of a logo is in `also`. */
export const TEXT_CLIPS: readonly LabeledTextClip[] = [
  {
    file: 'road/camvid_0006R0_carpark_1fps.mp4',
    texts: [
      ...([
        ['Sale', 22],
        ['STORE', 38],
        ["Sainsbury's", 22],
        ['hello', 16],
        ['GIVE IT A TRY', 9],
      ] as const),
      ...([
        ['FOR 14 DAYS', 9],
        ['parking', 8],
        ['petrol', 8],
        ['car wash', 8],
        ['Save up to half price', 8],
      ] as const),
      ...([
        ['New year price cuts', 11],
        ['DRIVE', 10],
        ['Open 24 Hours', 8],
        ['Convenience Store', 8],
      ] as const),
      ...([
        ['AJ51 KHW', 12],
        ['recycling', 7],
        ['Entrance', 7],
        ['disabled parking', 7],
      ] as const),
    ],
    also: [
      'Car wash',
      'city diesel',
      'unleaded',
      'electrical clothing and more',
      'homeware',
      'parent and child',
      'BIG 5',
    ],
  },
  {
    file: 'security/mpf_marathon.mkv',
    texts: [
      ['plum market', 13],
      ['hey', 18],
      ['G 34614', 9],
      ['28146', 9],
      ['METT', 18],
    ],
    also: ['hopper', 'hoppe', 'G 14', 'MARATHON'],
  },
  { file: 'robotics/bridge_pick_clutter.mp4', texts: [['1.5X', 35]] },
  {
    file: 'tricky/mediabunny_annex-b.mp4',
    texts: [
      ...([
        ['Capture Screen', 14],
        ['Stop Capturing', 14],
        ['Save to your computer', 14],
      ] as const),
      ...([
        ['Please Rate Us', 14],
        ['Screen Recorder for Google Chrome', 12],
        ['Stop sharing', 12],
      ] as const),
      ...([
        ['Hide', 12],
        ['Search', 13],
        ['Apps', 12],
        ['test2', 12],
        ['wiki', 12],
        ['Chromium Builds', 12],
      ] as const),
      ...([
        ['Google Meet', 12],
        ['Chromium Dash665', 12],
        ['Breaking News', 12],
        ['Example Domain', 12],
      ] as const),
      ...([
        ['New folder', 12],
        ['Testingname_1', 12],
        ['New folder1', 12],
        ['All Bookmarks', 12],
      ] as const),
      ...([
        ['test1 - Chat', 12],
        ['New Tab', 12],
        ['VideoEncode', 12],
        ['Air: Poor', 12],
        ['Now', 12],
      ] as const),
      ...([
        ['ENG', 12],
        ['US', 12],
        ['5:23 PM', 12],
        ['30/04/2025', 12],
      ] as const),
    ],
    also: [
      'chrome-extension://eclbecdgdoahkliaijlpkigldlkojjdn/pages/popup/popup.html',
      ...['Screen Recorder for Google Chrome is sharing your screen', 'Screen Recor', 'Chromium Dash', 'We support sa'],
    ],
  },
  {
    file: 'tricky/mediabunny_cursed-vfr.mp4',
    texts: [
      ...([
        ['01:00', 46],
        ['01:30', 46],
        ['IMG_4821.MOV', 52],
        ['2d129ab4', 50],
        ['fullmix_preview', 50],
      ] as const),
    ],
    also: ['IMG_4822.MOV'],
  },
  {
    file: 'tricky/mediabunny_frames.webm',
    texts: [
      ['30', 70],
      ['60', 70],
    ],
    also: Array.from({ length: 100 }, (_, frame) => `${frame}`),
  },
  {
    file: 'tricky/pyscenedetect_counter.mp4',
    texts: [
      ['Frame = 11', 60],
      ['PTS = 1.0s', 60],
      ['Frame = 21', 60],
      ['PTS = 2.0s', 60],
    ],
    also: ['Frame = 1', 'PTS = 0.0s'],
  },
  {
    file: 'tricky/pyscenedetect_testvideo.mp4',
    texts: [
      ['Copyright 2013 Brandon Castellano', 30],
      ['www.bcastell.com', 28],
    ],
  },
];

/** Footage without readable text: whatever is read in it is wrong. */
export const WITHOUT_TEXT: readonly string[] = [
  ...['road/udacity_night_rural_5s.mp4', 'road/udacity_solidWhiteRight.mp4', 'road/udacity_vd_test_small2.mp4'],
  ...['road/bgs_highway_traffic.avi', 'road/bgs_topdown_road_outlines.avi', 'road/camvid_0016E5_cyclists_15fps.mp4'],
  ...['road/intel_car_detection_topdown.mp4', 'road/intel_person_bicycle_car.gif', 'road/kitti_seq1_10fps.mp4'],
  ...['security/intel_store_aisle_detection.gif', 'security/intel_worker_zone_detection.gif'],
  ...['security/mpf_conference_people.mp4', 'tricky/pyscenedetect_fades.mp4', 'telemetry/gopro_hero7_walk.mp4'],
  ...['robotics/rt1_robot_coke_upright.mp4', 'robotics/openvla--lift_cheese.mp4'],
];
