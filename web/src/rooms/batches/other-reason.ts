import type { AnalysisDocument } from '@sightline/sdk';
import type { SingleEvent } from './compare.ts';
import type { BatchEvent } from './queries.ts';

/** The reason why a question has no event where another one has one. */
export type OtherReason =
  | { kind: 'not-asked' | 'failed' | 'nothing-in-video' }
  | { kind: 'nothing-near'; withinS: number }
  | { kind: 'other-class'; className: string }
  | { kind: 'candidate'; timeS: number; confidence: number }
  | { kind: 'other-object'; label: string; timeS: number };

type Answered = { analysis: Pick<AnalysisDocument['analysis'], 'status' | 'plan'> };

/** The first reason that holds, from the documents, the videos with events and the candidates of the other question. */
export function reasonOf(
  { event, near }: SingleEvent,
  documents: ReadonlyMap<string, Answered>,
  found: ReadonlySet<string>,
  candidates: readonly BatchEvent[],
  withinS: number,
): OtherReason {
  const answer = documents.get(event.videoId)?.analysis;
  if (!answer) return { kind: 'not-asked' };
  if (answer.status === 'FAILED') return { kind: 'failed' };
  const className = event.objects?.[0]?.className;
  const requested = requestedClasses(answer.plan);
  if (className !== undefined && requested !== null && !event.objects!.some((each) => requested.has(each.className)))
    return { kind: 'other-class', className };
  const candidate = candidates.find(
    ({ videoId, startS, endS }) =>
      videoId === event.videoId && startS <= event.endS + withinS && event.startS <= endS + withinS,
  );
  if (candidate) return { kind: 'candidate', timeS: candidate.startS, confidence: candidate.confidence };
  if (near) return { kind: 'other-object', label: near.label, timeS: near.startS };
  return found.has(event.videoId) ? { kind: 'nothing-near', withinS } : { kind: 'nothing-in-video' };
}

/** Classes of objects that a plan asks for; null if it asks for any object. */
function requestedClasses(plan: AnalysisDocument['analysis']['plan']): Set<string> | null {
  const classes = new Set<string>();
  for (const { what } of plan?.searches.flatMap(({ steps }) => steps) ?? []) {
    if (what.kind !== 'object') continue;
    const objects = [what.subject, ...(what.relation ? [what.relation.other] : [])];
    for (const { classes: own } of objects) {
      if (own.length === 0) return null;
      for (const each of own) classes.add(each);
    }
  }
  return plan ? classes : null;
}
