import { borderName, clock, isPlural, mainColor, pluralOf } from '../find/index.ts';
import type { Track } from '../observe/observations.ts';
import type {
  CameraMove,
  CameraTarget,
  LightTarget,
  ObjectQuery,
  ObjectTarget,
  PlannedSearch,
  Relation,
  Side,
  SoundName,
  SpeechTarget,
  Target,
} from '../plan/index.ts';

/** Words of labels and answers. English, as data: another language would be another file like this one. */

export { clock, isPlural, pluralOf };
export const withArticle = (name: string) => `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;

/** Pronouns whose negation is "nobody" instead of "no person", and whose plural is "people". */
export const ANYBODY: ReadonlySet<string> = new Set(
  'nobody, no one, anybody, anyone, somebody, someone, everybody, everyone'.split(', '),
);

const PAINTED = new Set(['car', 'truck', 'bus', 'motorcycle', 'bicycle', 'train', 'boat', 'airplane']);

/**
 * The color that identifies an object: a requested one if it has it, else a clearly visible one; null if there is
 * none.
 */
export function colorOf(
  { colors: all, clothes }: Pick<Track, 'colors' | 'clothes'>,
  { colors: requested, worn }: Pick<ObjectQuery, 'colors' | 'worn'>,
): string | null {
  const dressed = clothes ? (worn ? clothes[worn] : [...clothes.upper, ...clothes.lower]) : [];
  const colors = requested.length > 0 && dressed.length > 0 ? dressed.toSorted((a, b) => b.share - a.share) : all;
  return colors.find(({ name }) => requested.includes(name))?.name ?? mainColor(colors);
}

const RIDERS: Record<string, string> = { bicycle: 'cyclist', motorcycle: 'motorcyclist' };

/** Name of an object: its class, the rider if the prompt asks for a ridden bike, or a pedestrian. */
export const kindOf = (
  { className }: Pick<Track, 'className'>,
  { ridden = false, afoot = false }: Pick<ObjectQuery, 'ridden' | 'afoot'>,
): string => (ridden && RIDERS[className]) || (afoot && className === 'person' ? 'pedestrian' : className);

/** "red car": with its color if that was requested or is clearly visible on a painted object. */
export function nameOf(
  track: Pick<Track, 'className' | 'colors' | 'clothes'>,
  query: Pick<ObjectQuery, 'colors' | 'worn' | 'ridden' | 'afoot'>,
): string {
  const { colors: requested } = query;
  const name = kindOf(track, query);
  const found = colorOf(track, query);
  const isDistinctive = requested.length > 0 ? requested.includes(found ?? '') : PAINTED.has(name);
  if (found === null || !isDistinctive) return name;
  return track.className === 'person' ? `${name} in ${found}` : `${found} ${name}`;
}

/** Third person singular and plural. */
export const VERBS: Record<ObjectTarget['action'], [one: string, many: string]> = {
  present: ['in view', 'in view'],
  appears: ['appears', 'appear'],
  disappears: ['disappears', 'disappear'],
  enters: ['enters', 'enter'],
  leaves: ['leaves', 'leave'],
  crosses: ['crosses the picture', 'cross the picture'],
  moves: ['moves', 'move'],
  stops: ['stops', 'stop'],
  starts: ['starts moving', 'start moving'],
  stands: ['stands still', 'stand still'],
  loiters: ['stays in one place', 'stay in one place'],
  approaches: ['approaches', 'approach'],
  passes: ['passes', 'pass'],
  overtakes: ['overtakes', 'overtake'],
  follows: ['follows', 'follow'],
  close_ahead: ['is close ahead', 'are close ahead'],
  left_behind: ['is left behind', 'are left behind'],
  taken_away: ['is taken away', 'are taken away'],
  falls: ['falls', 'fall'],
  lies: ['lies on the ground', 'lie on the ground'],
  sits_down: ['sits down', 'sit down'],
  crouches: ['crouches', 'crouch'],
  stands_up: ['stands up', 'stand up'],
  sits: ['sits', 'sit'],
  bends: ['bends over', 'bend over'],
  raises_hand: ['raises a hand', 'raise a hand'],
  waves: ['waves', 'wave'],
  points: ['points at something', 'point at something'],
  hand_at_face: ['has a hand at the face', 'have a hand at the face'],
  phones: ['holds a phone to the ear', 'hold a phone to the ear'],
  runs: ['runs', 'run'],
  goes_against: ['moves in the opposite direction to most others', 'move in the opposite direction to most others'],
  cuts_in: ['cuts in ahead of the recording vehicle', 'cut in ahead of the recording vehicle'],
  blocks_way: ['is in the way of the recording vehicle', 'are in the way of the recording vehicle'],
  collides: ['is in a collision', 'are in a collision'],
};

export const FROM: Record<Side, string> = {
  left: 'from the left',
  right: 'from the right',
  top: 'from the top',
  bottom: 'from the bottom',
};
export const TO: Record<Side, string> = {
  left: 'to the left',
  right: 'to the right',
  top: 'at the top',
  bottom: 'at the bottom',
};
export const WAYS = {
  left: 'to the left',
  right: 'to the right',
  up: 'up',
  down: 'down',
  towards: 'towards the camera',
  away: 'away from the camera',
} as const;

export const RELATIONS: Record<Relation, string> = {
  near: 'near',
  too_close_to: 'too close to',
  with: 'with',
  overlaps: 'overlapping',
  in_front_of: 'in front of',
  behind: 'behind',
  left_of: 'left of',
  right_of: 'right of',
  above: 'above',
  below: 'below',
  on: 'on',
  inside: 'inside',
};

export const CAMERA: Record<CameraMove, [so: string, not: string]> = {
  moves: ['camera moves', 'camera does not move'],
  still: ['camera is still', 'camera is not still'],
  pans: ['camera pans', 'camera does not pan'],
  tilts: ['camera tilts', 'camera does not tilt'],
  turns: ['camera turns', 'camera does not turn'],
  rolls: ['camera rolls', 'camera does not roll'],
  zooms: ['camera zooms', 'camera does not zoom'],
  forward: ['camera moves forward', 'camera does not move forward'],
  backward: ['camera moves backward', 'camera does not move backward'],
  stops: ['camera stops', 'camera does not stop'],
  starts: ['camera starts moving', 'camera does not start moving'],
  brakes: ['camera slows down', 'camera does not slow down'],
  jolts: ['camera jolts or stops at once, as in a collision', 'camera does not jolt, as in a collision'],
};

/** The vehicle that carries the camera is named instead of the camera where the prompt is about it. */
export const cameraText = ({ vehicle }: CameraTarget, text: string): string =>
  vehicle ? text.replace(/^camera/, 'recording vehicle') : text;

/** Phrases for hard braking and turning. */
export const HARD: Partial<Record<CameraMove, string>> = {
  brakes: 'camera brakes hard',
  turns: 'camera turns sharply',
};

/** "The spoken words "stop"", "speech about the forklift", "everything that is spoken". */
export function speechText({ words, about }: SpeechTarget, negated: boolean): string {
  const text = words === null ? 'spoken words' : about ? `speech about "${words}"` : `the spoken words "${words}"`;
  return negated ? `times without ${text}` : text;
}

export const SOUNDS: Record<SoundName, [so: string, not: string]> = {
  silence: ['silence', 'no silence'],
  sound: ['sound', 'no sound'],
  loud: ['loud sound', 'nothing loud'],
  bang: ['bang', 'no bang'],
  recognized: ['any recognized sound', 'no recognized sound'],
  siren: ['siren', 'no siren'],
  alarm: ['alarm', 'no alarm'],
  car_horn: ['horn', 'no horn'],
  glass_breaking: ['glass breaking', 'no glass breaking'],
  gunshot: ['gunshot', 'no gunshot'],
  explosion: ['explosion', 'no explosion'],
  dog_bark: ['dog barking', 'no dog barking'],
  cat_meow: ['cat meowing', 'no cat meowing'],
  rooster: ['rooster crowing', 'no rooster crowing'],
  birds: ['birds singing', 'no birds singing'],
  baby_cry: ['baby crying', 'no baby crying'],
  scream: ['scream', 'no scream'],
  laughter: ['laughter', 'no laughter'],
  sneeze: ['sneeze', 'no sneeze'],
  cough: ['cough', 'no cough'],
  snoring: ['snoring', 'no snoring'],
  applause: ['applause', 'no applause'],
  cheering: ['cheering', 'no cheering'],
  speech: ['speech', 'no speech'],
  music: ['music', 'no music'],
  engine: ['sound of an engine', 'no sound of an engine'],
  chainsaw: ['sound of a chainsaw', 'no sound of a chainsaw'],
  helicopter: ['sound of a helicopter', 'no sound of a helicopter'],
  airplane: ['sound of an airplane', 'no sound of an airplane'],
  train: ['sound of a train', 'no sound of a train'],
  rain: ['sound of rain', 'no sound of rain'],
  thunder: ['thunder', 'no thunder'],
  sea_waves: ['sound of waves', 'no sound of waves'],
  clock_tick: ['ticking', 'no ticking'],
  fire_crackling: ['crackling of a fire', 'no crackling of a fire'],
  typing: ['sound of typing', 'no sound of typing'],
};

/** "In the left third of the picture", "in the left part of the picture". */
export function placeText(place: ObjectQuery['place']): string {
  if (!place) return '';
  if ('points' in place && place.zone) return ` in ${borderName(place)}`;
  if (place.name === 'ahead') return ' ahead, in the middle of the picture';
  return ` in the ${place.name}${/\b(left|right|top|bottom)$/.test(place.name) ? ' part' : ''} of the picture`;
}

/** `text "STOP"`, "text" for any. */
export function textText({ text }: Extract<Target, { kind: 'text' }>, negated: boolean): string {
  return `${negated ? 'no ' : ''}text${text === null ? '' : ` "${text}"`}`;
}

/** "red traffic light", "traffic light turns red"; passing a red one is never certain. */
export function lightText({ event, color }: LightTarget, negated: boolean): string {
  const light = `${color === null ? '' : `${color} `}traffic light`;
  if (event === 'shows') return negated ? `no ${light}` : light;
  if (event === 'turns') return color === null ? 'traffic light changes' : `traffic light turns ${color}`;
  return `recording vehicle ${event === 'waits' ? 'stands at' : 'may pass'} a ${light}`;
}

/** "0:05.0 to 0:08.8", or "at 0:05.0" for a moment. */
export const timeOf = ({ startS, endS }: { startS: number; endS: number }) =>
  endS - startS < 0.5 ? `at ${clock(startS)}` : `${clock(startS)} to ${clock(endS)}`;

/** "a, b and c". */
export function listed(items: readonly string[]): string {
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** 12.34 is "12 s", 1.23 is "1.2 s". */
export const seconds = (value: number) => `${value >= 10 ? Math.round(value) : Math.round(value * 10) / 10} s`;

/** "10 s before", "as long as possible after", "between one and the next". */
export function momentsText({ kind, seconds: length }: NonNullable<PlannedSearch['moments']>, time = seconds): string {
  if (kind === 'between') return 'between one and the next';
  return length === null ? `any time ${kind}` : `${time(length)} ${kind}`;
}
