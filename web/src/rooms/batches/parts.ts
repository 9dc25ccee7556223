import type { AnalysisDocument, QueryPreview } from '@sightline/sdk';
import { withoutRepeats, withoutText } from '#rooms/analyses/coverage.ts';

/** A reason of the service, and the number of videos that it holds for. */
export type PartReason = { text: string; videos: number };

/** The result of one part of a question, over all videos whose answers are complete. */
export type PartResult = {
  text: string;
  /** `open` until there are answers; `skipped` if no video was searched for it. */
  state: 'found' | 'nothing' | 'skipped' | 'open';
  events: number;
  /** Videos with events of the part, and videos that were searched for it. */
  eventVideos: number;
  searchedVideos: number;
  /** Observers that searched for it. */
  by: string[];
  /** Reasons why it was not searched in some videos, and limits of the search in others, the most frequent first. */
  skipped: PartReason[];
  limits: PartReason[];
};

type Answered = { analysis: Pick<AnalysisDocument['analysis'], 'coverage'> };

/** Digests of model files, which mean nothing to readers. */
const DIGEST = / [0-9a-f]{12}(?=\))/;

/** The results of each part of a question, in the order of the question. */
export function partResults(documents: readonly Answered[]): PartResult[] {
  const rows = documents.flatMap(({ analysis }) => withoutRepeats(analysis.coverage));
  return [...Map.groupBy(rows, ({ text }) => text)].map(([text, all]) => {
    const searched = all.filter(({ status }) => status !== 'not_looked_for');
    const events = all.reduce((sum, { findings }) => sum + findings, 0);
    return {
      text,
      state: events > 0 ? 'found' : searched.length > 0 ? 'nothing' : 'skipped',
      events,
      eventVideos: all.filter(({ findings }) => findings > 0).length,
      searchedVideos: searched.length,
      by: [...new Set(searched.flatMap(({ by }) => by.map((name) => name.replace(DIGEST, ''))))],
      skipped: countReasons(
        all.filter((row) => !searched.includes(row)),
        text,
      ),
      limits: countReasons(searched, text),
    };
  });
}

/** The parts of a question that still runs: what is known before there are answers. */
export const openParts = (parts: QueryPreview['parts'], videos: number): PartResult[] =>
  withoutRepeats(parts).map(({ text, status, reason }) => ({
    text,
    state: status === 'not_looked_for' ? 'skipped' : 'open',
    events: 0,
    eventVideos: 0,
    searchedVideos: 0,
    by: [],
    skipped: status === 'not_looked_for' && reason ? [{ text: withoutText(reason, text), videos }] : [],
    limits: [],
  }));

function countReasons(rows: readonly { reason: string | null }[], text: string): PartReason[] {
  const reasons = rows.flatMap(({ reason }) => (reason ? [withoutText(reason, text)] : []));
  return [...Map.groupBy(reasons, (reason) => reason)]
    .map(([reason, { length: videos }]) => ({ text: reason, videos }))
    .sort((a, b) => b.videos - a.videos);
}
