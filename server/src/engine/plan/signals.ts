/** Definition of a signal of the whole frame. Its rule is in `find/frame/find-signals.ts`. */
type SignalDefinition = {
  /** English nouns, verbs and fixed phrases for it. Those that need a note or a helper are in `english/signals.ts`. */
  words?: { nouns?: string; verbs?: string; phrases?: string };
  /** Statements of answers: it is so, and it is not so. */
  said: readonly [so: string, not: string];
  /** Category of its events. */
  category: 'cut' | 'light' | 'quality';
  /** Severity of its events; `lost`: the frame shows nothing, which is graver the longer it lasts. Default: low. */
  severity?: 'medium' | 'lost';
  /** True if single frames show it, so that a sparse pass is sufficient. */
  singleFrame?: true;
};

/** Everything that can be asked about the whole frame. The compiler names what else a new one needs. */
export const SIGNALS = {
  cut: {
    words: {
      nouns: 'cut, hard cut, shot change, shot boundary, jump cut, scene cut, camera cut, camera switch, camera change',
    },
    said: ['cut to another shot', 'no cut'],
    category: 'cut',
  },
  shot: {
    said: ['shot', 'no shot'],
    category: 'cut',
  },
  dissolve: {
    words: {
      nouns:
        'dissolve, cross dissolve, crossdissolve, cross fade, crossfade, cross-fade, cross-dissolve, blend, soft cut, soft transition, gradual transition',
    },
    said: ['dissolve into another shot', 'no dissolve'],
    category: 'cut',
  },
  fade: {
    words: { nouns: 'fade', verbs: 'fade' },
    said: ['fade', 'no fade'],
    category: 'cut',
  },
  fade_in: {
    words: { nouns: 'fade in, fade up, fade from black', verbs: 'fade in, fade up, fade from black' },
    said: ['picture fades in from black', 'no fade-in'],
    category: 'cut',
  },
  fade_out: {
    words: {
      nouns: 'fade out, fade to black, dip to black',
      verbs: 'fade out, fade to black, dip to black, fade away',
    },
    said: ['picture fades out to black', 'no fade-out'],
    category: 'cut',
  },
  scene_change: {
    words: {
      nouns: 'scene change, scene transition, new scene, new shot, change of scene, transition, shot transition',
      phrases: 'scene changes, scene switches, shot changes',
    },
    said: ['scene changes', 'no change of scene'],
    category: 'cut',
  },
  dark: {
    said: ['picture is dark', 'picture is not dark'],
    category: 'light',
    singleFrame: true,
  },
  well_lit: {
    said: ['picture is well lit', 'picture is not well lit'],
    category: 'light',
    singleFrame: true,
  },
  bright: {
    said: ['picture is very bright', 'picture is not bright'],
    category: 'light',
    singleFrame: true,
  },
  overexposed: {
    said: ['picture is overexposed', 'picture is not overexposed'],
    category: 'quality',
    singleFrame: true,
  },
  gets_dark: {
    said: ['picture gets dark', 'picture does not get dark'],
    category: 'light',
    severity: 'medium',
    singleFrame: true,
  },
  gets_bright: {
    said: ['picture gets bright', 'picture does not get bright'],
    category: 'light',
    singleFrame: true,
  },
  light_change: {
    said: ['light changes', 'light does not change'],
    category: 'light',
    singleFrame: true,
  },
  flash: {
    said: ['flash of light', 'no flash of light'],
    category: 'light',
  },
  flicker: {
    said: ['light flickers', 'light does not flicker'],
    category: 'light',
  },
  monochrome: {
    said: ['picture has no colors', 'picture has colors'],
    category: 'quality',
    singleFrame: true,
  },
  color_cast: {
    said: ['picture has a color cast', 'picture has no color cast'],
    category: 'quality',
    singleFrame: true,
  },
  black: {
    said: ['picture is black', 'picture is not black'],
    category: 'quality',
    severity: 'lost',
    singleFrame: true,
  },
  frozen: {
    said: ['picture is frozen', 'picture is not frozen'],
    category: 'quality',
    severity: 'lost',
  },
  blurred: {
    said: ['picture is blurred', 'picture is not blurred'],
    category: 'quality',
    severity: 'medium',
  },
  covered: {
    said: ['camera is covered', 'camera is not covered'],
    category: 'quality',
    severity: 'lost',
    singleFrame: true,
  },
  shaking: {
    said: ['camera shakes', 'camera does not shake'],
    category: 'quality',
    severity: 'medium',
  },
} as const satisfies Record<string, SignalDefinition>;

export type SignalName = keyof typeof SIGNALS;

export const SIGNAL_NAMES = Object.keys(SIGNALS) as SignalName[];

/** The definition of a signal. */
export const signalOf = (name: SignalName): SignalDefinition => SIGNALS[name];
