/** Reasons for which words block a search although a picture may show what they name. */
export const NO_CLASS = 'the detector has no class for this';
export const NO_PLACES = 'places such as this one are not recognized';
export const NO_WEATHER = 'no observer here recognizes weather';
export const NOT_RECOGNIZED = 'no observer here recognizes this';
export const UNKNOWN_WORD = 'this is not a known object, action, signal or sound';
/** Of sentences whose words are known. */
export const WORDING = 'this wording is not understood; write it in other words, or in shorter sentences';

/** Reasons for which words only narrow a search, although frames may show what they name. */
export const ANY_PERSON = 'the detector knows persons, not their age, sex, role or intent: any person counts';
export const ANY_CAR = 'the detector knows cars, not their kind: any car counts';
export const ANY_TRUCK = 'the detector knows trucks, not their kind: any truck counts';
export const ANY_BUS = 'the detector knows buses, not their kind: any bus counts';
export const ANY_BICYCLE = 'the detector knows bicycles, not their kind: any bicycle counts';
export const ANY_VEHICLE = 'the detector knows vehicles, not what they are for: looked for as any vehicle of this kind';
export const NO_VANS = 'the detector has no class for vans: any car or truck counts';
export const NO_DELIVERIES = 'looked for as a truck or a car: what it brings is not seen';
export const NO_ROBOTS = 'the detector has no class for robots, so any motion in the frame counts';
export const ANY_GLASS = 'looked for as a wine glass or a cup, the only glasses the detector knows';
export const AS_TRAIN = 'looked for as a train';
export const ONLY_TABLE = 'looked for as a dining table, the only table the detector knows';
export const AS_JAM =
  'looked for as three or more vehicles that stand at the same time: parked ones look alike, and slow traffic is not found';
export const NO_LOOKS = 'how something looks is not recognized, except its color; the rest was looked for without it';
export const UPPER_GARMENT = 'the color of what is worn on the upper body is checked, not the kind of garment';
export const LOWER_GARMENT = 'the color of what is worn on the legs is checked, not the kind of garment';
export const ANY_GARMENT = 'the color of the clothes is checked, not their kind';
export const SAFETY_VEST = 'looked for by its color, orange or yellow, which other clothes may have';
export const DARK_COLORS = '"dark" is looked for as black or gray';
export const LIGHT_COLORS = 'light colors are looked for as white or gray';
export const PALE_COLORS =
  'light shades are not distinguished: looked for by the color, and in part they count as white or gray';
export const SILVER = 'silver is looked for as gray or white';
export const ANY_MOTION = 'looked for as any motion';
export const ONCOMING = 'looked for as coming towards the camera';
export const ANY_PACE = 'looked for as any motion; the pace is not checked';
export const KNEELING = 'kneeling is looked for as crouching';
export const SITTING = 'sitting is looked for as staying in one place, because poses are not detected';
export const PARKING = 'parking is looked for as stopping';
export const GETTING_OUT = 'getting out is looked for as appearing, because doors are not detected';
export const OVERLAPPING = 'looked for as boxes that overlap';
export const CLOSE_HANDS = 'looked for as being close together; hand actions are not detected';
export const BY_SOUND = 'looked for by its sound';
export const CLOSE_TOGETHER = 'looked for as being close together';
export const REMOVED = 'looked for as a stationary object that disappears while a person is close';
export const NO_SIDE = 'the side is not checked; being close counts';
export const BETWEEN = '"between" is treated as near one of them';

const NOT_MEASURED = 'this word cannot be measured; the rest was looked for without it';

/** Reasons that the grammar gives, and the rules that read what it does not. */
export const REASONS = {
  place: NO_PLACES,
  identity: 'what something is can only be asked by name: "a dog"',
  shown: 'taken as the place that the camera shows',
  others: 'which others are meant is not known, all of them count',
  same: 'whether it is the same object as before is not known; any that comes counts',
  noEarlier: 'whether it was there before is not known, so a return cannot be distinguished from a first appearance',
  again: NOT_MEASURED,
  deadline: 'whether it happens within this time is not checked; it must not happen at the same time',
  intoVehicle: 'getting in is detected as disappearing close to it',
  outOfVehicle: 'getting out is detected as appearing close to it',
  readAsCarrier: 'this was read as the vehicle that carries the camera',
  notPlaced: 'where the vehicle that carries the camera is, is not measured',
  notTheCamera:
    'for objects in the frame, only position and motion are detected; write "camera" for the recording vehicle',
  noExclusion: 'exclusions are not supported; name what to look for instead',
  noExcludedColor: 'excluding a color is not supported; name the colors that it may have',
  clothing: 'clothing is not recognized, except its color',
  wholeObject: 'the color is checked on the whole object',
  people: 'falling and postures are looked for in people only',
  onRoads: 'only collisions of vehicles, with each other or with people and animals, are looked for',
  ahead: 'only vehicles are looked for that cut in or are in the way',
  interaction: 'interactions of objects are detected only as nearness, overlap, approaching and passing',
  passing: 'passing the camera is looked for as any motion',
  busy: 'read as five or more people, cars, buses or trucks at the same time',
  acrossObject: 'looked for as motion on it; whether the other side is reached is not checked',
  uncounted: 'the second object is not counted; one is enough',
  onlyYesNo: 'only a question for yes or no can ask this; the rest was looked for without it',
  noUnit: 'a speed without a unit is taken as km/h',
  notMeasured: NOT_MEASURED,
  anyPlace: 'looked for in any place: where it is cannot be checked',
  eachPicture: 'whether it holds in each shot or frame is not compared; "how much of the time" asks for its share',
  averages: 'averages are available for simultaneous objects; for events, ask "per minute"',
  rate: 'a count per interval is part of the answer and cannot be a condition',
  purpose: 'the purpose of waiting cannot be detected; the waiting itself is looked for',
  partly: 'how much of an object is in view is not measured',
  frequency: 'a frequency is part of the answer and cannot be a condition; the rest was looked for without it',
  oneEvent: 'a time limit needs two events: "A, then B within 10 s"',
  calendarInside:
    'a day or time of day inside a sentence is not applied: write it at the start or at the end; the rest was looked for without it',
  onlyObjects: 'count, color and place apply only to objects',
  wholeFrame: 'this applies to the whole frame',
  apart: 'this word cannot be used to distinguish objects; the rest was looked for without it',
  onlyWords: 'only words are read',
  aside: 'looked for without this; to ask for both at once, join them with "while"',
  whoIs: 'people cannot be identified; any person counts',
  whichObject: 'which object it is cannot be said where the detector has no class for it',
  namesNothing: 'the prompt names nothing before this: read as people',
  namesAnything: 'the prompt names nothing before this: read as any object',
  intoFrame: 'read as coming into the frame or leaving it',
  noLine: 'nobody drew this line: send it with the plan, as `line` of what crosses it',
  halvingLine: 'this is taken as the line that halves the frame; road markings are not detected',
  speakers: 'speakers are not distinguished; "someone says …" finds what anybody says',
  unsureWords: 'it is not certain which words are meant; put them in quotation marks, such as: someone says "stop"',
  whoseLight:
    'which light applies to a vehicle in the frame is not known; "we run a red light" finds candidates for the recording vehicle',
  loudness: 'how loud words are spoken is not checked',
  signWords: 'looked for by its words: a sign with a picture instead is not found',
  textOfKind: 'looked for as text that contains this word',
  nameAmongTexts: 'all texts that are read are listed; whether one of them is the name is not checked',
  zonesOfVideo: 'zones are drawn for a folder or video; choose one of them to use their names',
  twoZones: 'two zones at once: name one in each part and join the parts with "then"',
  besideZone: 'whether something is beside or past a zone is not detected, only whether it is inside',
  outsideZone: 'who is outside of a zone is not searched; for nobody inside write "no person in zone …"',
  onLine: 'a line can only be crossed',
  cause: 'whether it is the cause is not known; that it is in view at that time is checked',
  perHour: 'the prompt has no unit: read as km/h',
  striking: 'what is unusual here is not known: everything notable is listed',
  nothing: 'there is nothing in this to look for',
  context: 'this was taken as a description of the recording or of the situation, and not looked for',
  carried: 'what is held, carried or led was not named',
  noSubject: 'nothing says what stops, so objects in the frame and the camera are both checked',
  besideMotion: 'the motion was looked for without this; to look for both at once, join them with "while"',
  middleAhead: 'ahead is taken as the middle third of the frame',
  notAhead: 'whether it happens ahead is not checked',
  behindCamera: 'only a camera that faces back shows what is behind',
  partOfObject: 'parts of objects are not recognized; the whole object counts',
  nearCamera: 'how close something is to the camera is not known',
  onCamera: 'looked for in view; what sits on the camera itself is not detected',
  besideCamera: 'the camera does not see what is on, inside, above, below or beside it',
  hitByVehicle: 'what the recording vehicle touches is not checked',
  passedByVehicle: 'whether the recording vehicle passes it is not checked; all in view count',
  overtakenByVehicle: 'which vehicles the recording vehicle overtakes is not known',
  ownCar: 'your own car cannot be distinguished from others; any car in the frame counts',
} as const;

/** True if other words may say what was not understood for this reason. */
export const isMisread = (reason: string): boolean => reason === UNKNOWN_WORD || reason === WORDING;

/** Reasons of words that only narrow a search, and of which frames may show more. */
const VISIBLY_NARROWING: readonly string[] = [
  NO_PLACES,
  ANY_PERSON,
  ANY_CAR,
  ANY_TRUCK,
  ANY_BUS,
  ANY_BICYCLE,
  ANY_VEHICLE,
  NO_VANS,
  NO_LOOKS,
  UPPER_GARMENT,
  LOWER_GARMENT,
  ANY_GARMENT,
  ANY_MOTION,
  ANY_PACE,
  NO_SIDE,
  REASONS.anyPlace,
  REASONS.notPlaced,
  REASONS.notAhead,
  REASONS.nearCamera,
];

const VISIBLE: ReadonlySet<string> = new Set([
  ...VISIBLY_NARROWING,
  NO_DELIVERIES,
  NO_ROBOTS,
  ANY_GLASS,
  AS_TRAIN,
  ONLY_TABLE,
  AS_JAM,
  SAFETY_VEST,
  DARK_COLORS,
  LIGHT_COLORS,
  PALE_COLORS,
  SILVER,
  ONCOMING,
  KNEELING,
  SITTING,
  PARKING,
  GETTING_OUT,
  OVERLAPPING,
  CLOSE_HANDS,
  CLOSE_TOGETHER,
  REMOVED,
  BETWEEN,
  REASONS.wholeObject,
  REASONS.intoVehicle,
  REASONS.outOfVehicle,
  REASONS.passing,
  REASONS.acrossObject,
  REASONS.besideMotion,
  REASONS.middleAhead,
  REASONS.partOfObject,
  REASONS.onCamera,
  REASONS.hitByVehicle,
  REASONS.passedByVehicle,
]);

/** True if frames may show what words name that were not checked for this reason. */
export const isVisible = (reason: string): boolean => VISIBLE.has(reason);

const NARROWING: ReadonlySet<string> = new Set([
  ...VISIBLY_NARROWING,
  REASONS.shown,
  REASONS.others,
  REASONS.same,
  REASONS.notMeasured,
  REASONS.uncounted,
  REASONS.purpose,
  REASONS.apart,
  REASONS.whoIs,
  REASONS.namesAnything,
  REASONS.cause,
  REASONS.noSubject,
]);

/**
 * True if all that words name is among what was looked for instead, so that where nothing was found, there is nothing
 * of what they name: no person at all is no worker. "Light blue" is not such a word: it may be seen as white.
 */
export const isNarrowing = (reason: string): boolean => NARROWING.has(reason);

/** Names of objects that a prompt does not name itself. */
export const NAMES = {
  anything: 'anything',
  lively: 'person, vehicle or pet',
  colliding: 'vehicle or bicycle',
  traffic: 'vehicle',
  ahead: 'ahead',
} as const;
