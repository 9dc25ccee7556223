import type { EventFields } from '#features/analyses/index';

export type LabelFormat = 'csv' | 'coco' | 'cvat' | 'label_studio';

/**
 * When a label is, as its file states it: an interval in seconds or in frames, of which the end is not a part, or one
 * frame of a sequence. Frames count from 0. `exact`: seconds that the frames were computed from.
 */
export type LabelTime =
  | { startS: number; endS: number }
  | { startFrame: number; endFrame: number; exact?: { startS: number; endS: number } }
  | { timeS: number }
  | { frame: number };

/** A label as a file states it. */
export type ParsedLabel = Pick<EventFields, 'label' | 'severity' | 'note'> & {
  /** Where in the file it is: a line of text, or a path in JSON. */
  location: string;
  /** Ids and names of its video, the most certain first; empty if the file names none. */
  videos: readonly string[];
  when: LabelTime;
  /** The object that it is about, so that frames of two objects are not joined; empty if the file states none. */
  track: string;
};

/** A part of a file that cannot be imported, with the reason. */
export type LabelFault = { location: string; message: string };

/** The content of a file. */
export type ParsedLabels = {
  labels: ParsedLabel[];
  /** Entries that are no labels, such as predictions, or rows that nobody approved. */
  skipped: number;
  faults: LabelFault[];
};
