import type { Analyses, ListedEvent, OpenAnalysis } from '#features/analyses/index';
import { applyChange, diff, valuesOf, WITHDRAWN } from '../changes.ts';
import type { ChangeKind, ReviewChange, ReviewDiff } from '../types.ts';
import { matchLabels } from './matching.ts';
import type { Label, LabelCounts } from './types.ts';

export type LabelChange = ReviewDiff & { analysisId: string; position: number; kind: ChangeKind };

type Target = { analysis: OpenAnalysis; labels: readonly Label[]; required: number };
type Context = {
  origin: string;
  complete: boolean;
  userId: string;
  findClock: (videoId: string) => ReturnType<Analyses['reviewing']['findClock']>;
};

/**
 * Writes labels into an open analysis: an event of the engine that a label matches is approved with the times of the
 * label, and labels without an event are added. Decisions of reviewers stay. Adds to `counts`; returns the changes.
 */
export async function applyLabels(
  { analysis, labels, required }: Target,
  { origin, complete, userId, findClock }: Context,
  counts: LabelCounts,
): Promise<LabelChange[]> {
  const { analysisId } = analysis;
  const changes: LabelChange[] = [];
  const change = ({ position, state }: ListedEvent, values: ReviewChange) => {
    const next = applyChange(state, values, userId);
    const differences = diff(valuesOf(state, userId), valuesOf(next, userId));
    if (!differences) return;
    analysis.write(position, next, required);
    changes.push({ analysisId, position, kind: 'changed', ...differences });
  };

  const events = analysis.list();
  const matches = matchLabels(labels, events);
  const clock = await findClock(analysis.videoId);
  for (const [index, label] of labels.entries()) {
    const event = matches[index];
    if (!event) {
      const position = analysis.add({ ...label, addedBy: userId, origin }, clock, required);
      const after = valuesOf(analysis.read(position)!, userId);
      changes.push({ analysisId, position, kind: 'added', before: {}, after });
      counts.added++;
    } else if (isWithdrawn(event, userId)) {
      change(event, { approval: 'approved', reason: null });
      counts.added++;
    } else if (isOpen(event, userId)) {
      const isUntouched = event.state.verdicts.length === 0 && !event.original;
      const times = isUntouched ? { startS: label.startS, endS: label.endS } : {};
      change(event, { approval: 'approved', reason: `In the labels of ${origin}.`, ...times });
      counts.confirmed++;
    } else counts.unchanged++;
  }
  if (!complete) return changes;
  const matched = new Set(matches);
  for (const event of events) {
    if (event.added || matched.has(event) || !isOpen(event, userId)) continue;
    change(event, { approval: 'rejected', reason: `Not in the labels of ${origin}.` });
    counts.rejected++;
  }
  return changes;
}

const ownVerdict = ({ state }: ListedEvent, userId: string) => state.verdicts.find((each) => each.userId === userId);

/** Nothing is decided, and the user has not judged it yet. */
const isOpen = (event: ListedEvent, userId: string) => event.approval === 'pending' && !ownVerdict(event, userId);

/** The user undid its addition. */
function isWithdrawn(event: ListedEvent, userId: string): boolean {
  const own = ownVerdict(event, userId);
  return event.added && own?.verdict === WITHDRAWN.approval && own.reason === WITHDRAWN.reason;
}
