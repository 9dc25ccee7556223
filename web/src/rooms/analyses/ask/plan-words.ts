import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Plan } from '@sightline/sdk';

/** The closed lists of a plan, in the language of the page. */
type What = Plan['searches'][number]['steps'][number]['what'];
type Of<K extends What['kind']> = Extract<What, { kind: K }>;
type Words<T extends string | null> = Record<NonNullable<T>, MessageDescriptor>;
type Object = Of<'object'>;

export const ACTIONS: Words<Object['action']> = {
  present: msg({ context: 'action', message: 'in view' }),
  appears: msg({ context: 'action', message: 'appears' }),
  disappears: msg({ context: 'action', message: 'disappears' }),
  enters: msg({ context: 'action', message: 'enters' }),
  leaves: msg({ context: 'action', message: 'leaves' }),
  crosses: msg({ context: 'action', message: 'crosses' }),
  moves: msg({ context: 'action', message: 'moves' }),
  stops: msg({ context: 'action', message: 'stops' }),
  starts: msg({ context: 'action', message: 'starts to move' }),
  stands: msg({ context: 'action', message: 'stands still' }),
  loiters: msg({ context: 'action', message: 'loiters' }),
  approaches: msg({ context: 'action', message: 'approaches' }),
  passes: msg({ context: 'action', message: 'passes' }),
  overtakes: msg({ context: 'action', message: 'overtakes' }),
  follows: msg({ context: 'action', message: 'follows' }),
  close_ahead: msg({ context: 'action', message: 'is close ahead' }),
  left_behind: msg({ context: 'action', message: 'is left behind' }),
  taken_away: msg({ context: 'action', message: 'is taken away' }),
  falls: msg({ context: 'action', message: 'falls' }),
  lies: msg({ context: 'action', message: 'lies on the ground' }),
  sits_down: msg({ context: 'action', message: 'sits down' }),
  crouches: msg({ context: 'action', message: 'crouches' }),
  stands_up: msg({ context: 'action', message: 'stands up' }),
  sits: msg({ context: 'action', message: 'sits' }),
  bends: msg({ context: 'action', message: 'bends over' }),
  raises_hand: msg({ context: 'action', message: 'raises a hand' }),
  waves: msg({ context: 'action', message: 'waves' }),
  points: msg({ context: 'action', message: 'points at something' }),
  hand_at_face: msg({ context: 'action', message: 'has a hand at the face' }),
  phones: msg({ context: 'action', message: 'holds a phone to the ear' }),
  runs: msg({ context: 'action', message: 'runs' }),
  goes_against: msg({ context: 'action', message: 'moves in the opposite direction to most others' }),
  cuts_in: msg({ context: 'action', message: 'cuts in ahead' }),
  blocks_way: msg({ context: 'action', message: 'is in the way' }),
  collides: msg({ context: 'action', message: 'is in a collision' }),
};

export const STATES: Words<Object['subject']['state']> = {
  stationary: msg({ context: 'state', message: 'stationary' }),
  moving: msg({ context: 'state', message: 'moving' }),
};

export const DIRECTIONS: Words<Object['direction'] | Of<'camera'>['direction']> = {
  left: msg({ context: 'direction', message: 'to the left' }),
  right: msg({ context: 'direction', message: 'to the right' }),
  up: msg({ context: 'direction', message: 'up' }),
  down: msg({ context: 'direction', message: 'down' }),
  towards: msg({ context: 'direction', message: 'towards the camera' }),
  away: msg({ context: 'direction', message: 'away from the camera' }),
  in: msg({ context: 'direction', message: 'in' }),
  out: msg({ context: 'direction', message: 'out' }),
};

export const FROM: Words<Object['from']> = {
  left: msg`from the left`,
  right: msg`from the right`,
  top: msg`from the top`,
  bottom: msg`from the bottom`,
};

export const TO: Words<Object['to']> = {
  left: msg`to the left edge`,
  right: msg`to the right edge`,
  top: msg`to the top edge`,
  bottom: msg`to the bottom edge`,
};

export const RELATIONS: Words<NonNullable<Object['relation']>['kind']> = {
  near: msg({ context: 'relation', message: 'near' }),
  too_close_to: msg({ context: 'relation', message: 'too close to' }),
  with: msg({ context: 'relation', message: 'with' }),
  overlaps: msg({ context: 'relation', message: 'overlaps' }),
  in_front_of: msg({ context: 'relation', message: 'in front of' }),
  behind: msg({ context: 'relation', message: 'behind' }),
  left_of: msg({ context: 'relation', message: 'left of' }),
  right_of: msg({ context: 'relation', message: 'right of' }),
  above: msg({ context: 'relation', message: 'above' }),
  below: msg({ context: 'relation', message: 'below' }),
  on: msg({ context: 'relation', message: 'on' }),
  inside: msg({ context: 'relation', message: 'inside' }),
};

export const SIGNALS: Words<Of<'signal'>['signal']> = {
  cut: msg({ context: 'signal', message: 'cut' }),
  shot: msg({ context: 'signal', message: 'shot' }),
  dissolve: msg({ context: 'signal', message: 'dissolve' }),
  fade: msg({ context: 'signal', message: 'fade' }),
  fade_in: msg({ context: 'signal', message: 'fade-in' }),
  fade_out: msg({ context: 'signal', message: 'fade-out' }),
  scene_change: msg({ context: 'signal', message: 'change of scene' }),
  dark: msg({ context: 'signal', message: 'dark picture' }),
  well_lit: msg({ context: 'signal', message: 'well-lit picture' }),
  bright: msg({ context: 'signal', message: 'bright picture' }),
  overexposed: msg({ context: 'signal', message: 'overexposed picture' }),
  gets_dark: msg({ context: 'signal', message: 'picture gets dark' }),
  gets_bright: msg({ context: 'signal', message: 'picture gets bright' }),
  light_change: msg({ context: 'signal', message: 'change of light' }),
  flash: msg({ context: 'signal', message: 'flash' }),
  flicker: msg({ context: 'signal', message: 'flicker' }),
  monochrome: msg({ context: 'signal', message: 'monochrome picture' }),
  color_cast: msg({ context: 'signal', message: 'color cast' }),
  black: msg({ context: 'signal', message: 'black picture' }),
  frozen: msg({ context: 'signal', message: 'frozen picture' }),
  blurred: msg({ context: 'signal', message: 'blurred picture' }),
  covered: msg({ context: 'signal', message: 'covered camera' }),
  shaking: msg({ context: 'signal', message: 'shaking camera' }),
};

export const CAMERA_MOVES: Words<Of<'camera'>['move']> = {
  moves: msg`camera moves`,
  still: msg`camera is still`,
  pans: msg`camera pans`,
  tilts: msg`camera tilts`,
  turns: msg`camera turns`,
  rolls: msg`camera rolls`,
  zooms: msg`camera zooms`,
  forward: msg`camera moves forward`,
  backward: msg`camera moves backward`,
  stops: msg`camera stops`,
  starts: msg`camera starts to move`,
  brakes: msg`camera brakes`,
  jolts: msg`camera jolts, as in a collision`,
};

export const SOUNDS: Words<Of<'sound'>['sound']> = {
  silence: msg({ context: 'sound', message: 'silence' }),
  recognized: msg({ context: 'sound', message: 'any recognized sound' }),
  sound: msg({ context: 'sound', message: 'any sound' }),
  loud: msg({ context: 'sound', message: 'loud sound' }),
  bang: msg({ context: 'sound', message: 'bang' }),
  siren: msg({ context: 'sound', message: 'siren' }),
  alarm: msg({ context: 'sound', message: 'alarm' }),
  car_horn: msg({ context: 'sound', message: 'horn' }),
  glass_breaking: msg({ context: 'sound', message: 'breaking glass' }),
  gunshot: msg({ context: 'sound', message: 'gunshot' }),
  explosion: msg({ context: 'sound', message: 'explosion' }),
  dog_bark: msg({ context: 'sound', message: 'barking dog' }),
  cat_meow: msg({ context: 'sound', message: 'meowing cat' }),
  rooster: msg({ context: 'sound', message: 'crowing rooster' }),
  birds: msg({ context: 'sound', message: 'birdsong' }),
  baby_cry: msg({ context: 'sound', message: 'crying baby' }),
  scream: msg({ context: 'sound', message: 'scream' }),
  laughter: msg({ context: 'sound', message: 'laughter' }),
  sneeze: msg({ context: 'sound', message: 'sneeze' }),
  cough: msg({ context: 'sound', message: 'cough' }),
  snoring: msg({ context: 'sound', message: 'snoring' }),
  applause: msg({ context: 'sound', message: 'applause' }),
  cheering: msg({ context: 'sound', message: 'cheering' }),
  speech: msg({ context: 'sound', message: 'speech' }),
  music: msg({ context: 'sound', message: 'music' }),
  engine: msg({ context: 'sound', message: 'engine noise' }),
  chainsaw: msg({ context: 'sound', message: 'chainsaw noise' }),
  helicopter: msg({ context: 'sound', message: 'helicopter noise' }),
  airplane: msg({ context: 'sound', message: 'airplane noise' }),
  train: msg({ context: 'sound', message: 'train noise' }),
  rain: msg({ context: 'sound', message: 'sound of rain' }),
  thunder: msg({ context: 'sound', message: 'thunder' }),
  sea_waves: msg({ context: 'sound', message: 'sound of waves' }),
  clock_tick: msg({ context: 'sound', message: 'ticking clock' }),
  fire_crackling: msg({ context: 'sound', message: 'crackling fire' }),
  typing: msg({ context: 'sound', message: 'sound of typing' }),
};

export const LIGHT_EVENTS: Words<Of<'traffic_light'>['event']> = {
  shows: msg({ context: 'traffic light', message: 'traffic light' }),
  turns: msg({ context: 'traffic light', message: 'traffic light changes' }),
  waits: msg({ context: 'traffic light', message: 'wait at a traffic light' }),
  runs: msg({ context: 'traffic light', message: 'passes a traffic light' }),
};

export const QUANTITIES: Words<Of<'quantity'>['quantity']> = {
  speed: msg({ context: 'quantity', message: 'speed' }),
  acceleration: msg({ context: 'quantity', message: 'acceleration' }),
  deceleration: msg({ context: 'quantity', message: 'deceleration' }),
  lateral_acceleration: msg({ context: 'quantity', message: 'lateral acceleration' }),
  yaw_rate: msg({ context: 'quantity', message: 'yaw rate' }),
  loudness: msg({ context: 'quantity', message: 'loudness' }),
  channel: msg({ context: 'quantity', message: 'recorded channel' }),
};

export const TRENDS: Words<NonNullable<Of<'quantity'>['trend']>> = {
  rises: msg({ context: 'quantity', message: 'rises' }),
  falls: msg({ context: 'quantity', message: 'decreases' }),
  changes: msg({ context: 'quantity', message: 'changes' }),
  constant: msg({ context: 'quantity', message: 'stays the same' }),
};

export const FACTS: Words<Of<'fact'>['fact']> = {
  duration: msg({ context: 'fact', message: 'duration' }),
  resolution: msg({ context: 'fact', message: 'resolution' }),
  frame_rate: msg({ context: 'fact', message: 'frame rate' }),
  frame_count: msg({ context: 'fact', message: 'number of frames' }),
  orientation: msg({ context: 'fact', message: 'orientation' }),
  codec: msg({ context: 'fact', message: 'codec' }),
  container: msg({ context: 'fact', message: 'container' }),
  file_size: msg({ context: 'fact', message: 'file size' }),
  bit_rate: msg({ context: 'fact', message: 'bit rate' }),
  dynamic_range: msg({ context: 'fact', message: 'dynamic range' }),
  audio_track: msg({ context: 'fact', message: 'audio track' }),
  recorded_at: msg({ context: 'fact', message: 'recording time' }),
  camera_model: msg({ context: 'fact', message: 'camera model' }),
  shot_count: msg({ context: 'fact', message: 'number of shots' }),
  mean_speed: msg({ context: 'fact', message: 'mean speed' }),
  top_speed: msg({ context: 'fact', message: 'top speed' }),
};

/** Colors that the detector distinguishes; a plan may have others. */
export const COLORS: Partial<Record<string, MessageDescriptor>> = {
  black: msg({ context: 'color', message: 'black' }),
  white: msg({ context: 'color', message: 'white' }),
  gray: msg({ context: 'color', message: 'gray' }),
  red: msg({ context: 'color', message: 'red' }),
  orange: msg({ context: 'color', message: 'orange' }),
  yellow: msg({ context: 'color', message: 'yellow' }),
  green: msg({ context: 'color', message: 'green' }),
  blue: msg({ context: 'color', message: 'blue' }),
  purple: msg({ context: 'color', message: 'purple' }),
  pink: msg({ context: 'color', message: 'pink' }),
  brown: msg({ context: 'color', message: 'brown' }),
};
