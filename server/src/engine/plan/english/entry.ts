import type { Entry, Sense } from '../meaning/senses.ts';

/** Makes entries of one group whose phrases all change in the same way. */
export const entry =
  (group: Entry['group'], inflection: Entry['inflection']) =>
  (phrases: string, ...senses: Sense[]): Entry => ({ phrases, inflection, senses, group });

/** Words that do not change, of any group. */
export const words = (group: Entry['group'], phrases: string, ...senses: Sense[]): Entry =>
  entry(group, 'none')(phrases, ...senses);

/** Words for the picture. */
export const PICTURES = ['picture', 'image', 'video', 'screen', 'frame', 'view', 'scene', 'footage'];
