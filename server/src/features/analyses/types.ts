/** The video of a document, as it was when the document was written. */
export type DocumentVideo = {
  name: string;
  durationS: number | null;
  width: number | null;
  height: number | null;
  frameRate: number | null;
  sizeBytes: number | null;
  sourceUri: string | null;
  createdAt: Date;
};

/** The fields of every document, whatever the status of the analysis. */
export type AnalysisHeader = {
  analysisId: string;
  videoId: string;
  batchId: string | null;
  query: string;
  mode: 'fast' | 'thinking';
  /** Possible events below it are candidates. */
  minConfidence: number;
  createdAt: Date;
  engineVersion: string;
};

/** The stable id of an event: of its analysis, and its index among the events or candidates of the document. */
export const toEventId = (analysisId: string, index: number, kind: 'event' | 'candidate' = 'event') =>
  `${analysisId}-${kind === 'candidate' ? 'c' : ''}${index}`;

/** A person waits for the analysis, an organization that started many at once, or nobody in particular. */
export type AnalysisClass = 'interactive' | 'batch' | 'background';
