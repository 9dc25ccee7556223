import type { BatchAnalysis } from '#features/analyses/index';

/** An event as it stands in a document, in its stored form. */
export type StoredEvent = {
  type: string;
  description: string;
  approval: string;
  data: { confidence: number; evidence?: unknown };
};

/** What became of one analysis of a batch. */
export type Result = {
  video_id: string;
  analysis_id: string;
  status: string;
  analysis: { status: string; answer?: string; message?: string; events: StoredEvent[] };
};

/** How rare an event of this kind is among those of its batch: 1 for the only one, towards 0 for what happens all the time. */
export type Rated = StoredEvent & { uniqueness_rating: number; uniqueness_reasoning: string };

/** The results that have events in one of these states of approval, with those alone; all of them when none is named. */
export function filterResults(results: readonly Result[], approvals: readonly string[] | null): Result[] {
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

/** The results, their events rated by how rare they are in the batch: rarest first, and of equally rare ones the most certain. */
export function sortByRarity(results: readonly Result[]): Result[] {
  const counts = new Map<string, number>();
  let total = 0;
  for (const { analysis } of results) {
    for (const event of analysis.events) {
      counts.set(kindOf(event), (counts.get(kindOf(event)) ?? 0) + 1);
      total++;
    }
  }
  const rate = (event: StoredEvent): Rated => {
    const count = counts.get(kindOf(event))!;
    return {
      ...event,
      uniqueness_rating: Math.round((1 - (count - 1) / total) * 100) / 100,
      uniqueness_reasoning: `${count} of ${total} events of this batch ${count === 1 ? 'is' : 'are'} of this kind: ${kindOf(event)}.`,
    };
  };
  return results
    .map((result) => withEvents(result, result.analysis.events.map(rate).sort(byRarity)))
    .sort((a, b) => {
      const [first, second] = [a.analysis.events[0], b.analysis.events[0]] as (Rated | undefined)[];
      if (!first || !second) return Number(!first) - Number(!second);
      return byRarity(first, second);
    });
}

const byRarity = (a: Rated, b: Rated) =>
  b.uniqueness_rating - a.uniqueness_rating || b.data.confidence - a.data.confidence;

/** What it is apart from its numbers: two red cars that enter are of one kind. */
const kindOf = ({ description }: StoredEvent) =>
  description
    .toLowerCase()
    .replace(/\d+([.,:]\d+)*/g, '#')
    .trim();

const withEvents = (result: Result, events: StoredEvent[]): Result => ({
  ...result,
  analysis: { ...result.analysis, events },
});

/** What a document says, as a result: its events without their evidence, which the document has. */
export function resultOf(text: string): Result {
  const { video_id, analysis_id, analysis } = JSON.parse(text) as Result;
  const { status, answer, message } = analysis;
  const events = analysis.events.map(({ data: { evidence: _, ...data }, ...event }) => ({ ...event, data }));
  return { video_id, analysis_id, status: status.toLowerCase(), analysis: { status, answer, message, events } };
}

/** The result of an analysis without a document: still running, or its video was deleted. */
export const withoutDocument = ({ videoId, analysisId, status, problemMessage }: BatchAnalysis): Result => ({
  video_id: videoId,
  analysis_id: analysisId,
  status: status.toLowerCase(),
  analysis: { status, message: problemMessage ?? undefined, events: [] },
});
