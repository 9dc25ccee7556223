import { OBJECT_MEASURES } from '../operators/index.ts';

/** The closed lists of a plan. A new member starts here; the compiler then names every place that has to handle it. */

export const QUESTIONS = [
  'describe',
  'count',
  'how_often',
  'yes_no',
  'when',
  'where',
  'which_way',
  'which_color',
  'which_text',
  'how_long',
  'time_between',
  'calculation',
] as const;
export const SIDES = ['left', 'right', 'top', 'bottom'] as const;
export const DIRECTIONS = ['left', 'right', 'up', 'down', 'towards', 'away'] as const;
export const ACTIONS = [
  'present',
  'appears',
  'disappears',
  'enters',
  'leaves',
  'crosses',
  'moves',
  'stops',
  'starts',
  'stands',
  'loiters',
  'approaches',
  'passes',
  'overtakes',
  'follows',
  'close_ahead',
  'left_behind',
  'taken_away',
  'falls',
  'lies',
  'sits_down',
  'crouches',
  'stands_up',
  'sits',
  'bends',
  'raises_hand',
  'waves',
  'points',
  'hand_at_face',
  'phones',
  'runs',
  'collides',
  'goes_against',
  'cuts_in',
  'blocks_way',
] as const;
export const RELATIONS = [
  'near',
  'too_close_to',
  'with',
  'overlaps',
  'in_front_of',
  'behind',
  'left_of',
  'right_of',
  'above',
  'below',
  'on',
  'inside',
] as const;
export const CAMERA_MOVES = [
  'moves',
  'still',
  'pans',
  'tilts',
  'turns',
  'rolls',
  'zooms',
  'forward',
  'backward',
  'stops',
  'starts',
  'brakes',
  'jolts',
] as const;
/** Sounds that their level shows. */
export const SOUND_LEVELS = ['silence', 'sound', 'loud', 'bang'] as const;
/** Sounds that are recognized by a model. */
export const RECOGNIZED_SOUNDS = [
  'siren',
  'alarm',
  'car_horn',
  'glass_breaking',
  'gunshot',
  'explosion',
  'dog_bark',
  'cat_meow',
  'rooster',
  'birds',
  'baby_cry',
  'scream',
  'laughter',
  'sneeze',
  'cough',
  'snoring',
  'applause',
  'cheering',
  'speech',
  'music',
  'engine',
  'chainsaw',
  'helicopter',
  'airplane',
  'train',
  'rain',
  'thunder',
  'sea_waves',
  'clock_tick',
  'fire_crackling',
  'typing',
] as const;
/** `recognized`: each kind of sound that is recognized reliably, reported by its kind. */
export const SOUNDS = [...SOUND_LEVELS, ...RECOGNIZED_SOUNDS, 'recognized'] as const;
/** Events of a traffic light, and of the recording vehicle at one. */
export const LIGHT_EVENTS = ['shows', 'turns', 'waits', 'runs'] as const;
/** Colors of its lamps. */
export const LIGHT_COLORS = ['red', 'yellow', 'green'] as const;
/** Parts of a person that are dressed apart. */
export const GARMENT_PARTS = ['upper', 'lower'] as const;
/** `loudness`: the level of the audio track. `channel`: a number that the recording has under a name. */
export const QUANTITIES = [
  'speed',
  'acceleration',
  'deceleration',
  'lateral_acceleration',
  'yaw_rate',
  'loudness',
  'channel',
] as const;
/** Changes of a quantity over time. */
export const TRENDS = ['rises', 'falls', 'changes', 'constant'] as const;
/** Facts about the recording, which need no search. */
export const FACTS = [
  'duration',
  'resolution',
  'frame_rate',
  'frame_count',
  'orientation',
  'codec',
  'container',
  'file_size',
  'bit_rate',
  'dynamic_range',
  'audio_track',
  'recorded_at',
  'camera_model',
  'shot_count',
  'mean_speed',
  'top_speed',
] as const;
/** Values that are calculated from the matches of a search. */
export const MEASURES = [
  'count',
  'count_at',
  'most',
  'mean_count',
  'length',
  'item_length',
  'lengths',
  'longest',
  'shortest',
  'share',
  'start',
  ...OBJECT_MEASURES,
] as const;
/** Values of a measured quantity during the matches of a search. */
export const STATISTICS = ['mean', 'highest', 'lowest', 'at_start', 'change', 'distance'] as const;
/**
 * Comparisons of values. `ratio`: how many times the second the first is; `which_most`: names the greatest; `order`:
 * states if the first one comes earlier; `within`: states if a value is in a range; `all`, `mostly`: if the first is
 * all, or more than half, of the second; `part`: states which share of the second it is; `every`, `occurs`: in which
 * periods or shots it is not 0.
 */
export const COMPARISONS = [
  'more',
  'less',
  'same',
  'difference',
  'ratio',
  'which_most',
  'which_least',
  'order',
  'within',
  'all',
  'mostly',
  'part',
  'every',
  'occurs',
  'changed',
] as const;
/** Groups of objects or events. `kind`: the class of an object, or the kind of sound. */
export const GROUPINGS = ['kind', 'color', 'period', 'shot'] as const;
/** Times relative to events. `between`: from the end of one to the start of the next. */
export const MOMENTS = ['before', 'after', 'around', 'between'] as const;
/** Footage in which a name of a place needs no check. */
export const PRESUMPTIONS = ['fixed', 'vehicle', 'any'] as const;
export const JOINS = ['then', 'while'] as const;
/** Step of a sequence of which every occurrence is a match. */
export const EVERY = ['this', 'before'] as const;
export const READERS = ['lexicon', 'model'] as const;
/** Picks that compare how objects look and move, and where they are. */
export const LOOK_PICKS = ['largest', 'smallest', 'fastest', 'slowest', 'leftmost', 'rightmost'] as const;
export const PICKS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'last',
  'longest',
  'shortest',
  'most',
  ...LOOK_PICKS,
] as const;

export type Presumption = (typeof PRESUMPTIONS)[number];
export type QuestionKind = (typeof QUESTIONS)[number];
export type Action = (typeof ACTIONS)[number];
export type Relation = (typeof RELATIONS)[number];
export type Side = (typeof SIDES)[number];
export type Direction = (typeof DIRECTIONS)[number];
export type CameraMove = (typeof CAMERA_MOVES)[number];
export type SoundName = (typeof SOUNDS)[number];
export type SoundLevel = (typeof SOUND_LEVELS)[number];
export type RecognizedSound = (typeof RECOGNIZED_SOUNDS)[number];
export type GarmentPart = (typeof GARMENT_PARTS)[number];
export type LightColor = (typeof LIGHT_COLORS)[number];
export type Choice = (typeof PICKS)[number];
export type Fact = (typeof FACTS)[number];
export type MeasureKind = (typeof MEASURES)[number];
export type StatisticKind = (typeof STATISTICS)[number];
export type Grouping = (typeof GROUPINGS)[number];
export type MomentKind = (typeof MOMENTS)[number];
export type ComparisonKind = (typeof COMPARISONS)[number];
export type Trend = (typeof TRENDS)[number];
export type Quantity = (typeof QUANTITIES)[number];
/** Days of the week. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];
/** Days that count from the moment of asking. */
export const CALENDAR_UNITS = ['day', 'week', 'weekend', 'month', 'year'] as const;
/** Reasons why a video is not searched for a question about a time. */
export const MISSED = ['outside', 'no_clock'] as const;
