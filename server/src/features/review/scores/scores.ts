import { estimateRecall, type SampledCounts, type SampledRecall } from '../samples/estimate.ts';
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
  /** Recall that includes events that nobody noticed; null without samples. */
  sampled: SampledRecall | null;
  /** Mean temporal overlap (intersection over union) of approved events with their corrected times. */
  overlap: Estimate | null;
  /** Mean difference of confidence and precision over all decided events; null without one. */
  calibrationError: number | null;
  calibration: CalibrationBin[];
};

const COUNTS = ['approved', 'rejected', 'unsure', 'pending', 'added', 'overlap', 'overlapSquares'] as const;

type GroupKey = Pick<ScoredBin, 'query' | 'engineVersion' | 'folderId'>;
const keyOf = ({ query, engineVersion, folderId }: GroupKey) => JSON.stringify([query, engineVersion, folderId]);

/** The scores of each prompt, engine and folder, those with the most decided events first. */
export function toScores(bins: readonly ScoredBin[], samples: readonly SampledCounts[] = []): Score[] {
  const sampledBy = new Map(samples.map((counts) => [keyOf(counts), counts]));
  const groups = Map.groupBy(bins, keyOf);
  const reviewed = [...groups].map(([key, ofGroup]) => scoreOf(ofGroup, sampledBy.get(key)));
  // Nothing was found, or no event was reviewed.
  const onlySampled = samples
    .filter((counts) => !groups.has(keyOf(counts)))
    .map((counts) => scoreOf([emptyBin(counts)], counts));
  const scores = [...reviewed, ...onlySampled];
  return scores.sort((a, b) => b.approved + b.rejected - (a.approved + a.rejected) || a.query.localeCompare(b.query));
}

function emptyBin({ query, engineVersion, folderId, folderName, pending }: SampledCounts): ScoredBin {
  const none = { approved: 0, rejected: 0, unsure: 0, added: 0, confidence: 0, overlap: 0, overlapSquares: 0 };
  return { query, engineVersion, folderId, folderName, bin: 0, pending, ...none };
}

function scoreOf(bins: readonly ScoredBin[], sampled?: SampledCounts): Score {
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
        from: bin.bin / 10,
        to: (bin.bin + 1) / 10,
        events,
        confidence: bin.confidence / events,
        approved: bin.approved / events,
      };
    })
    .sort((a, b) => a.from - b.from);
  const difference = sum(calibration, (bin) => bin.events * Math.abs(bin.confidence - bin.approved));
  return {
    query,
    engineVersion,
    folderId,
    folderName,
    ...counts,
    precision: wilson(approved, decided),
    // Without a missed event nobody may have looked for one: all of what is known would be all there is.
    recall: added === 0 ? null : wilson(approved, approved + added),
    sampled: sampled ? estimateRecall(sampled) : null,
    overlap: meanInterval(overlap, overlapSquares, approved),
    calibrationError: decided === 0 ? null : difference / decided,
    calibration,
  };
}

const sum = <T>(rows: readonly T[], of: (row: T) => number): number => rows.reduce((total, row) => total + of(row), 0);
