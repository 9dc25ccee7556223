import { LABEL_FORMATS } from './formats/index.ts';
import { type LabeledVideo, type PlacedLabels, placeLabels } from './place-labels.ts';
import type { LabelFault, LabelFormat } from './types.ts';

type LabelFile = {
  format: LabelFormat;
  content: string;
  /** Labels to import; null: all. */
  wanted: readonly string[] | null;
  videos: readonly LabeledVideo[];
  /** The video of all labels, whatever they state; null: the one that each names. */
  all: LabeledVideo | null;
};

export type ReadLabels = Omit<PlacedLabels, 'faults'> & {
  skipped: number;
  /** The first ones, in the order of the file. */
  faults: LabelFault[];
  faultCount: number;
};

/** Labels and videos of one import, which is one transaction. */
const MAX_LABELS = 5_000;
const MAX_VIDEOS = 200;
const SHOWN_FAULTS = 100;

/** Reads a file of labels and finds their places in videos. Runs in a thread if the file is large. */
export async function readLabels({ format, content, wanted, videos, all }: LabelFile): Promise<ReadLabels> {
  const parsed = await LABEL_FORMATS[format](content);
  const selected = wanted ? parsed.labels.filter(({ label }) => wanted.includes(label)) : parsed.labels;
  const placed = placeLabels(selected, videos, all);
  const faults = [...parsed.faults, ...placed.faults, ...faultsOfSize(placed)];
  return {
    byAnalysis: placed.byAnalysis,
    duplicates: placed.duplicates,
    skipped: parsed.skipped + parsed.labels.length - selected.length,
    faults: faults.sort(byLocation).slice(0, SHOWN_FAULTS),
    faultCount: faults.length,
  };
}

export const READ_LABELS = {
  module: new URL('./read-labels.ts', import.meta.url),
  name: 'readLabels',
  run: readLabels,
} as const;

const { compare } = new Intl.Collator('en', { numeric: true });
const byLocation = (a: LabelFault, b: LabelFault) => compare(a.location, b.location);

function faultsOfSize({ byAnalysis }: PlacedLabels) {
  const count = [...byAnalysis.values()].reduce((sum, { length }) => sum + length, 0);
  const tooMany = (what: string, limit: number) => ({
    location: 'file',
    message: `The file has more than ${limit.toLocaleString('en')} ${what}. Split it.`,
  });
  return [
    ...(count > MAX_LABELS ? [tooMany('labels', MAX_LABELS)] : []),
    ...(byAnalysis.size > MAX_VIDEOS ? [tooMany('videos', MAX_VIDEOS)] : []),
  ];
}
