/** Reasons for which words block a search although a picture may show what they name. */
export const NO_CLASS = 'the detector has no class for this';
export const NO_PLACES = 'places such as this one are not recognized';
export const NO_WEATHER = 'no observer here recognizes weather';
export const NOT_RECOGNIZED = 'no observer here recognizes this';
export const UNKNOWN_WORD = 'this is not a known object, action, signal or sound';

/** Reasons that grounding gives. */
export const REASONS = {
  place: NO_PLACES,
  identity: 'what something is can only be asked by name: "a dog"',
  shown: 'taken as the place that the camera shows',
  others: 'which others are meant is not known, all of them count',
  same: 'whether it is the same object as before is not known; any that comes counts',
  noEarlier: 'whether it was there before is not known, so a return cannot be distinguished from a first appearance',
  again: 'this word cannot be measured; the rest was looked for without it',
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
  uncounted: 'the second object is not counted; one is enough',
  onlyYesNo: 'only a question for yes or no can ask this; the rest was looked for without it',
  notMeasured: 'this word cannot be measured; the rest was looked for without it',
  anyPlace: 'looked for in any place: where it is cannot be checked',
  carried: 'what is held, carried or led was not named',
} as const;

/** Names of objects that a prompt does not name itself. */
export const NAMES = {
  anything: 'anything',
  lively: 'person, vehicle or pet',
  colliding: 'vehicle or bicycle',
} as const;
