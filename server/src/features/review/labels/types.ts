import type { EventFields } from '#features/analyses/index';

/** An event that is known to be in the video of an analysis. */
export type Label = EventFields;

/** Labels of the video of an analysis, without duplicates. */
export type LabeledAnalysis = { analysisId: string; labels: readonly Label[] };

export type LabelImport = {
  /** Name of the file that the labels are from. */
  origin: string;
  analyses: readonly LabeledAnalysis[];
  /** The labels are all events of these videos: what the engine found besides is rejected. */
  complete: boolean;
  /** Counts what would change, and changes nothing. */
  dryRun: boolean;
};

export type LabelCounts = {
  /** Labels that became events. */
  added: number;
  /** Labels of events that the engine found, which are approved now. */
  confirmed: number;
  /** Labels whose events exist and were decided before. */
  unchanged: number;
  /** Events that are in no label, and are rejected now. */
  rejected: number;
};
