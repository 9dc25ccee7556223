import { type Estimate, meanInterval, wilson } from './intervals.ts';

/** Events of one prompt, engine and folder whose confidence is in one bin. */
export type ScoredBin = {
  query: string;
  engineVersion: string;
  folderId: string | null;
  folderName: string | null;
  /** From 0: confidence of at least a tenth of it. */
  bin: number;
  approved: number;
  rejected: number;
  unsure: number;
  pending: number;
  /** Approved events that people added. */
  added: number;
  /** Sums over decided events of the engine. */
  confidence: number;
  /** Sums over approved events of the engine: temporal overlap with the corrected event, and its square. */
  overlap: number;
  overlapSquares: number;
};

export type CalibrationBin = { from: number; to: number; events: number; confidence: number; approved: number };

export type Score = Pick<
  ScoredBin,
  'query' | 'engineVersion' | 'folderId' | 'folderName' | 'approved' | 'rejected' | 'unsure' | 'pending' | 'added'
> & {
  /** Share of the decided events that are right. */
  precision: Estimate | null;
  /** Share of the right events that the engine found; an upper bound while people have not looked everywhere. */
  recall: Estimate | null;
  /** Mean temporal overlap (intersection over union) of approved events with their corrected times. */
  overlap: Estimate | null;
  /** Mean difference of confidence and precision over all decided events; null without one. */
  calibrationError: number | null;
  calibration: CalibrationBin[];
};

const COUNTS = ['approved', 'rejected', 'unsure', 'pending', 'added', 'overlap', 'overlapSquares'] as const;

/** The scores of each prompt, engine and folder, those with the most decided events first. */
export function toScores(bins: readonly ScoredBin[]): Score[] {
  const groups = Map.groupBy(bins, ({ query, engineVersion, folderId }) =>
    JSON.stringify([query, engineVersion, folderId]),
  );
  const scores = [...groups.values()].map(scoreOf);
  return scores.sort((a, b) => b.approved + b.rejected - (a.approved + a.rejected) || a.query.localeCompare(b.query));
}

function scoreOf(bins: readonly ScoredBin[]): Score {
  const { query, engineVersion, folderId, folderName } = bins[0]!;
  const sums = Object.fromEntries(COUNTS.map((name) => [name, sum(bins, (bin) => bin[name])])) as Record<
    (typeof COUNTS)[number],
    number
  >;
  const { overlap, overlapSquares, ...counts } = sums;
  const { approved, rejected, added } = counts;
  const decided = approved + rejected;
  const calibration = bins
    .filter((bin) => bin.approved + bin.rejected > 0)
    .map((bin) => {
      const events = bin.approved + bin.rejected;
      return {
        ...{ from: bin.bin / 10, to: (bin.bin + 1) / 10, events },
        ...{ confidence: bin.confidence / events, approved: bin.approved / events },
      };
    })
    .sort((a, b) => a.from - b.from);
  const difference = sum(calibration, (bin) => bin.events * Math.abs(bin.confidence - bin.approved));
  return {
    ...{ query, engineVersion, folderId, folderName, ...counts },
    precision: wilson(approved, decided),
    recall: wilson(approved, approved + added),
    overlap: meanInterval(overlap, overlapSquares, approved),
    calibrationError: decided === 0 ? null : difference / decided,
    calibration,
  };
}

const sum = <T>(rows: readonly T[], of: (row: T) => number): number => rows.reduce((total, row) => total + of(row), 0);
