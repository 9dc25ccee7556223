/**
 * Example prompts, one for each kind of the vocabulary in `docs/prompts.md`. Prompts are English, whatever the
 * language of the page.
 */
export const EXAMPLES = [
  'a person walks',
  'a red car',
  'a cyclist crosses from left to right',
  'hard braking',
  'the camera is covered',
  'movement on the left',
  'a loud bang',
  'a person near a car for over 5 seconds',
] as const;
