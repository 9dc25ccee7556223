import type { OutputSchema } from '#engine/index';

export type EventField = OutputSchema['fields'][number];

/** Fields by which the events of a dataset are classified. */
export type Taxonomy = {
  /** Null if it comes from the queries of the dataset. */
  id: string | null;
  label: string;
  fields: EventField[];
  status: 'processing' | 'done' | 'failed';
  /** Reason of a failure; null without one. */
  reason: string | null;
  analysesDone: number;
  analysesTotal: number;
};

/** Values by the name of their field. */
export type EventValues = Record<string, unknown>;

/** An event of a dataset with the values of its fields. */
export type DatasetEvent = {
  analysisId: string;
  /** Index of the event in its document. */
  position: number;
  videoId: string;
  videoName: string;
  batchId: string | null;
  type: string;
  label: string;
  severity: string;
  approval: string;
  confidence: number;
  startS: number;
  endS: number;
  fieldValues: EventValues;
};

/** Conditions on the fields of an event. */
export type Filter =
  | { kind: 'and' | 'or'; of: Filter[] }
  | { kind: 'equals'; field: string; values: (string | number | boolean)[] }
  | { kind: 'compare'; field: string; operator: '<' | '<=' | '>' | '>='; value: number };
