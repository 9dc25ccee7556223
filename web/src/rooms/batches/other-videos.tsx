import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { AnalysisDocument, Batch } from '@sightline/sdk';
import type { QuestionState } from '#rooms/analyses/question-stream.ts';
import { useStages } from '#rooms/analyses/stages.ts';
import { formatShare, formatTime } from '#ui/format/format.ts';
import { ServiceText } from '#ui/service-text.tsx';
import { ProgressBar } from '#ui/states.tsx';
import { VideoLink } from './evidence-tile.tsx';
import { VideoName } from './facet-list.tsx';
import type { VideoGroup } from './groups.ts';
import { type PartResult, partResults } from './parts.ts';
import type { BatchEvent } from './queries.ts';

type Video = Batch['videos'][number];
type Section = 'running' | 'failed' | 'cancelled' | 'nothing' | 'no_clock' | 'outside';
type Title = { kind: 'title'; section: Section; count: number };
type Row = {
  kind: 'video';
  section: Section;
  video: Video;
  document: AnalysisDocument | undefined;
  candidates: number;
  /** Parts that were not searched in this video, but in others. */
  skipped: readonly PartResult[];
};
/** A line of the list of videos without events. */
export type VideoSection = Title | Row;

/** The videos without events, by what happened to them. */
export function sectionRows(
  batch: Batch,
  groups: readonly VideoGroup[],
  candidates: readonly BatchEvent[],
  documents: ReadonlyMap<string, AnalysisDocument>,
): VideoSection[] {
  const found = new Set(groups.map(({ videoId }) => videoId));
  const folded = Map.groupBy(candidates, ({ videoId }) => videoId);
  const isSkippedInAll = new Map(
    partResults([...documents.values()]).map(({ text, state }) => [text, state === 'skipped']),
  );
  const sections = Map.groupBy(batch.videos, (video): Section | 'found' => {
    if (video.status === 'failed') return 'failed';
    // Of a canceled question, videos without an answer wait for nothing.
    if (video.status !== 'completed') return batch.status === 'processing' ? 'running' : 'cancelled';
    return found.has(video.video_id) ? 'found' : (video.missed ?? 'nothing');
  });
  return (['failed', 'running', 'cancelled', 'no_clock', 'nothing', 'outside'] as const).flatMap(
    (section): VideoSection[] => {
      const videos = sections.get(section) ?? [];
      if (videos.length === 0) return [];
      const toRow = (video: Video): Row => ({
        kind: 'video',
        section,
        video,
        document: documents.get(video.video_id),
        candidates: folded.get(video.video_id)?.length ?? 0,
        skipped: skippedParts(documents.get(video.video_id)).filter(({ text }) => !isSkippedInAll.get(text)),
      });
      return [{ kind: 'title', section, count: videos.length }, ...videos.map(toRow)];
    },
  );
}

const skippedParts = (document: AnalysisDocument | undefined) =>
  partResults(document ? [document] : []).filter(({ state }) => state === 'skipped');

export function SectionTitle({ section: { section, count } }: { section: Title }) {
  return (
    <h2 className="num border-b border-t pt-3.5 pb-1.5 text-base">
      {section === 'failed' && <Plural value={count} one="# video failed" other="# videos failed" />}
      {section === 'running' && <Plural value={count} one="# video to search" other="# videos to search" />}
      {section === 'cancelled' && (
        <Plural
          value={count}
          one="# video: canceled before it was searched"
          other="# videos: canceled before they were searched"
        />
      )}
      {section === 'no_clock' && (
        <Plural
          value={count}
          one="# video: it is not known when it was recorded"
          other="# videos: it is not known when they were recorded"
        />
      )}
      {section === 'outside' && (
        <Plural value={count} one="# video recorded at another time" other="# videos recorded at another time" />
      )}
      {section === 'nothing' && <Plural value={count} one="# video: nothing found" other="# videos: nothing found" />}
    </h2>
  );
}

/** A video without events, with the reason. */
export function VideoRow({ row, batch, question }: { row: Row; batch: Batch; question: QuestionState }) {
  const { video, document } = row;
  const duration = Number(document?.metadata.duration_s ?? 0);
  return (
    <div className="relative grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 border-b py-1.5 hover:bg-raise/60 md:grid-cols-[minmax(0,2fr)_5rem_minmax(0,5fr)]">
      <VideoLink
        videoId={video.video_id}
        search={{ tab: 'events', analysis: video.analysis_id }}
        className="block truncate after:absolute after:inset-0"
      >
        <VideoName videoId={video.video_id} />
      </VideoLink>
      <span className="num text-right text-ink-3 md:text-left">{duration > 0 && formatTime(duration, 0)}</span>
      <div className="text-ink-2 text-sm leading-4.75 max-md:col-span-2">
        <Note row={row} batch={batch} question={question} />
      </div>
    </div>
  );
}

function Note({
  row: { section, video, document, candidates, skipped },
  batch,
  question,
}: Parameters<typeof VideoRow>[0]) {
  const { t } = useLingui();
  const stages = useStages();
  if (section === 'failed') {
    const reason = video.last_error ?? document?.analysis.message;
    return (
      <p className="break-words text-bad">
        {reason ? <ServiceText>{reason}</ServiceText> : <Trans>The service states no reason</Trans>}
      </p>
    );
  }
  if (section === 'cancelled') return <Trans>Not searched</Trans>;
  if (section === 'running') {
    const live = question.progress.get(video.analysis_id);
    const share = (live?.percent ?? video.progress) / 100;
    return (
      <div className="num flex items-center gap-3">
        <span className="w-44 shrink-0 truncate">
          {stages(live?.stage ?? video.stage ?? 'waiting')} · {formatShare(share)}
        </span>
        <ProgressBar value={share} label={t`Progress of a video`} className="h-0.75 max-w-40 flex-1" />
      </div>
    );
  }
  if (!document) return null;
  if (video.missed) return <MissedReason document={document} />;
  const isSearched = document.analysis.coverage.some(({ status }) => status !== 'not_looked_for');
  const isQuestion = document.analysis.plan != null && document.analysis.plan.question !== null;
  return (
    <>
      {isQuestion && (
        <p className="break-words text-ink">
          <ServiceText>{document.analysis.answer}</ServiceText>
        </p>
      )}
      {isSearched && (
        <p>
          {batch.mode === 'fast' ? <Trans>Some frames searched</Trans> : <Trans>Every frame searched</Trans>}
          {candidates > 0 && (
            <>
              {' · '}
              <Plural value={candidates} one="# candidate folded" other="# candidates folded" />
            </>
          )}
        </p>
      )}
      {skipped.length > 0 && (
        <p className="break-words text-warn">
          <Trans>Not searched:</Trans> <SkippedParts parts={skipped} />
        </p>
      )}
    </>
  );
}

const MissedReason = ({ document }: { document: AnalysisDocument }) => (
  <p className="break-words text-ink-3">
    <ServiceText>{document.analysis.answer}</ServiceText>
  </p>
);

const SkippedParts = ({ parts }: { parts: readonly PartResult[] }) => (
  <span lang="en">
    {parts.map(({ text, skipped }) => (skipped[0] ? `${text} (${skipped[0].text})` : text)).join('; ')}
  </span>
);
