/** Prompts of many kinds, for measuring the cost of a prompt on videos that are observed already. */
export const PROMPTS: readonly string[] = [
  'a red car',
  'a car enters from the left',
  'the picture is dark',
  'a truck overtakes',
  'how many cars are there?',
  'a cut',
  'a white car moves right for more than 2 seconds',
  'a person crosses the street',
  'the camera stops',
  'two cars at the same time',
  'is there a bus?',
  'a car leaves over the right edge, then a car enters',
  'what happens?',
  'motion in the top left',
];
