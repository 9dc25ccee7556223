import type { BatchAnalysis } from '#features/analyses/index';

/** An event of a document, in its stored form. */
export type BatchEvent = {
  type: string;
  description: string;
  approval: string;
  data: { confidence: number; evidence?: unknown };
};

/** Result of one analysis of a batch. */
export type BatchResult = {
  video_id: string;
  analysis_id: string;
  status: string;
  analysis: { status: string; answer?: string; message?: string; events: BatchEvent[] };
};

/** An event with its rarity in the batch: 1 for the only event of its kind, towards 0 for frequent kinds. */
export type RatedEvent = BatchEvent & { uniqueness_rating: number; uniqueness_reasoning: string };

/** Results with events in one of the approval states, limited to those events; all results if `approvals` is null. */
export function filterResults(results: readonly BatchResult[], approvals: readonly string[] | null): BatchResult[] {
  if (approvals === null) return [...results];
  return results
    .map((result) =>
      withEvents(
        result,
        result.analysis.events.filter(({ approval }) => approvals.includes(approval)),
      ),
    )
    .filter(({ analysis }) => analysis.events.length > 0);
}

/**
 * Results with events rated by rarity in the batch: rarest first, equal ones by confidence. Events that reviewers
 * rejected did not happen: they do not count, and come last.
 */
export function sortByRarity(results: readonly BatchResult[]): BatchResult[] {
  const counts = new Map<string, number>();
  let total = 0;
  for (const { analysis } of results) {
    for (const event of analysis.events) {
      if (event.approval === 'rejected') continue;
      counts.set(toEventKind(event), (counts.get(toEventKind(event)) ?? 0) + 1);
      total++;
    }
  }
  const rate = (event: BatchEvent): RatedEvent => {
    if (event.approval === 'rejected') {
      return { ...event, uniqueness_rating: 0, uniqueness_reasoning: 'Rejected by a reviewer.' };
    }
    const count = counts.get(toEventKind(event))!;
    return {
      ...event,
      uniqueness_rating: Math.round((1 - (count - 1) / total) * 100) / 100,
      uniqueness_reasoning: `${count} of ${total} events of this batch ${count === 1 ? 'is' : 'are'} of this kind: ${toEventKind(event)}.`,
    };
  };
  return results
    .map((result) => withEvents(result, result.analysis.events.map(rate).sort(byRarity)))
    .sort((a, b) => {
      const [first, second] = [a.analysis.events[0], b.analysis.events[0]] as (RatedEvent | undefined)[];
      if (!first || !second) return Number(!first) - Number(!second);
      return byRarity(first, second);
    });
}

const byRarity = (a: RatedEvent, b: RatedEvent) =>
  b.uniqueness_rating - a.uniqueness_rating || b.data.confidence - a.data.confidence;

/** Description without its numbers: "car 1 enters" and "car 2 enters" are of one kind. */
const toEventKind = ({ description }: BatchEvent) =>
  description
    .toLowerCase()
    .replace(/\d+([.,:]\d+)*/g, '#')
    .trim();

const withEvents = (result: BatchResult, events: BatchEvent[]): BatchResult => ({
  ...result,
  analysis: { ...result.analysis, events },
});

/** Result of a document: its events without their evidence. */
export function parseResult(text: string): BatchResult {
  const { video_id, analysis_id, analysis } = JSON.parse(text) as BatchResult;
  const { status, answer, message } = analysis;
  const events = analysis.events.map(({ data: { evidence: _, ...data }, ...event }) => ({ ...event, data }));
  return { video_id, analysis_id, status: status.toLowerCase(), analysis: { status, answer, message, events } };
}

/** Result of an analysis without a document: it still runs, or its video was deleted. */
export const toResultWithoutDocument = ({
  videoId,
  analysisId,
  status,
  problemMessage,
}: BatchAnalysis): BatchResult => ({
  video_id: videoId,
  analysis_id: analysisId,
  status: status.toLowerCase(),
  analysis: { status, message: problemMessage ?? undefined, events: [] },
});
