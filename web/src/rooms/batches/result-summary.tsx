import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { AnalysisDocument, Batch } from '@sightline/sdk';
import { useQuery } from '@tanstack/react-query';
import { CircleSlash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { planChips, planSubject } from '#rooms/analyses/ask/plan-chips.ts';
import { SearchHelp } from '#rooms/analyses/ask/search-help.tsx';
import { Chosen } from '#rooms/analyses/chosen.tsx';
import { EMPTY_DRAFT, previewQuery } from '#rooms/analyses/queries.ts';
import { classes } from '#ui/classes.ts';
import { formatDateTime, formatNumber, formatTime } from '#ui/format/format.ts';
import { formatList } from '#ui/format/list.ts';
import { quote } from '#ui/format/quoted.tsx';
import { ServiceLanguageNote, ServiceText } from '#ui/service-text.tsx';
import { Skeleton } from '#ui/states.tsx';
import { openParts, type PartReason, type PartResult, partResults } from './parts.ts';
import type { useBatch } from './queries.ts';

type Found = Pick<ReturnType<typeof useBatch>, 'events' | 'documents' | 'isLoading'> & { batch: Batch };

/** The answer of a question over several videos: one sentence, and a line for each part of the question. */
export function ResultSummary({ batch, events, documents, isLoading }: Found) {
  const isRunning = batch.status === 'processing';
  const videoIds = batch.videos.map(({ video_id }) => video_id);
  const draft = { ...EMPTY_DRAFT, query: batch.query, fast: batch.mode === 'fast' };
  const { data: preview } = useQuery({ ...previewQuery(draft, videoIds), enabled: isRunning });
  if (isLoading) {
    return (
      <div className="grid gap-2">
        <Skeleton className="h-6 max-w-md" />
        <Skeleton className="h-4 max-w-72" />
        <Skeleton className="h-24" />
      </div>
    );
  }
  const parts = isRunning ? openParts(preview?.parts ?? [], videoIds.length) : partResults(documents);
  const plan = isRunning ? preview?.plan : documents.find(({ analysis }) => analysis.plan)?.analysis.plan;
  return (
    <div className="grid gap-2">
      <p role="status" className="max-w-prose text-balance font-semibold text-lg leading-6">
        <Headline batch={batch} events={events} parts={parts} />
      </p>
      {batch.answer && batch.aggregated_progress.total > 0 && (
        <p className="max-w-prose break-words">
          <ServiceText>{batch.answer}</ServiceText>
        </p>
      )}
      <p className="num text-ink-2 text-sm">
        <Facts batch={batch} documents={documents} />
      </p>
      {batch.selection && (
        <p className="text-ink-2 text-sm">
          <Chosen selection={batch.selection} />
        </p>
      )}
      {parts.length > 0 && <PartTable parts={parts} plan={plan ?? null} batch={batch} />}
      <ServiceLanguageNote />
    </div>
  );
}

/** States which parts were found, which were not, and which were not searched. */
function Headline({ batch, events, parts }: Pick<Found, 'batch' | 'events'> & { parts: readonly PartResult[] }) {
  const { t } = useLingui();
  const { total, failed, completed } = batch.aggregated_progress;
  const found = new Set(events.map(({ videoId }) => videoId)).size;
  const textsOf = (holds: (part: PartResult) => boolean) => parts.filter(holds).map(({ text }) => quote(text, t));
  // "Nothing" for a part is an answer only if all videos were searched for it.
  const isPartial = ({ state, skipped }: PartResult) => state === 'nothing' && skipped.length > 0;
  const nothing = textsOf((part) => part.state === 'nothing' && !isPartial(part));
  const partial = textsOf(isPartial);
  const skipped = textsOf(({ state }) => state === 'skipped');
  const counted = <Plural value={events.length} one="# event" other="# events" />;
  const all = <Plural value={total} one="# video" other="# videos" />;
  if (batch.status === 'processing') {
    return events.length > 0 ? (
      <Trans>
        So far: {counted} in {found} of {all}.
      </Trans>
    ) : (
      <Trans>Searching {all}. Nothing found so far.</Trans>
    );
  }
  if (total === 0 && batch.answer) return <ServiceText>{batch.answer}</ServiceText>;
  if (batch.status === 'failed') return <Trans>This question failed. No video was searched.</Trans>;
  const isAllSkipped = parts.length > 0 && skipped.length === parts.length;
  return (
    <>
      {batch.status === 'cancelled' && (
        <>
          <Trans>
            Canceled after {formatNumber(completed - failed)} of {all}.
          </Trans>{' '}
        </>
      )}
      {isAllSkipped && batch.videos.every(({ missed }) => missed) ? (
        <Trans>Nothing was searched: no video is known to be from the requested time.</Trans>
      ) : isAllSkipped ? (
        <Trans>Nothing was searched: no part of this question can be looked for in these videos.</Trans>
      ) : events.length > 0 && total === 1 ? (
        <>{counted}.</>
      ) : events.length > 0 ? (
        <Trans>
          {counted} in {found} of {all}.
        </Trans>
      ) : (
        <Trans>Nothing was found in {all}.</Trans>
      )}
      {!isAllSkipped && events.length > 0 && nothing.length > 0 && (
        <>
          {' '}
          <Trans>Nothing for {formatList(nothing)}.</Trans>
        </>
      )}
      {partial.length > 0 && (
        <>
          {' '}
          <Trans>Searched in some videos only, without events: {formatList(partial)}.</Trans>
        </>
      )}
      {!isAllSkipped && skipped.length > 0 && (
        <>
          {' '}
          <Trans>Not searched: {formatList(skipped)}.</Trans>
        </>
      )}
      {failed > 0 && (
        <>
          {' '}
          <Plural value={failed} one="# video failed." other="# videos failed." />
        </>
      )}
    </>
  );
}

/** When, how much and how. */
function Facts({ batch, documents }: Pick<Found, 'batch' | 'documents'>) {
  const { t } = useLingui();
  const { created_at, completed_at, mode } = batch;
  const lengths = documents.map(({ metadata }) => Number(metadata.duration_s ?? 0));
  const length = lengths.reduce((sum, seconds) => sum + seconds, 0);
  const modes: Record<string, string> = { thinking: t`every frame`, fast: t`fast: some frames` };
  const facts: ReactNode[] = [
    completed_at === null ? t`Asked ${formatDateTime(created_at)}` : t`Finished ${formatDateTime(completed_at)}`,
    <Plural key="videos" value={batch.aggregated_progress.total} one="# video" other="# videos" />,
    length > 0 && formatTime(length, 0),
    modes[mode] ?? mode,
    completed_at !== null && t`took ${formatTime((Date.parse(completed_at) - Date.parse(created_at)) / 1000, 0)}`,
  ];
  return facts.filter(Boolean).map((fact, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order.
    <span key={index}>
      {index > 0 && ' · '}
      {fact}
    </span>
  ));
}

type Plan = AnalysisDocument['analysis']['plan'];

/** A line for each part: how it was understood, its result, and how it was searched. */
function PartTable({ parts, plan, batch }: { parts: readonly PartResult[]; plan: Plan; batch: Batch }) {
  const { t } = useLingui();
  return (
    <table aria-label={t`Parts of the question`} className="w-full border-collapse text-left max-md:block">
      <thead className="max-md:hidden">
        <tr className="text-ink-2 text-sm [&_th]:border-y [&_th]:py-1 [&_th]:pr-4 [&_th]:font-normal">
          <th scope="col" className="w-[22%]">
            <Trans>Part</Trans>
          </th>
          <th scope="col" className="w-[22%]">
            <Trans>Understood as</Trans>
          </th>
          <th scope="col" className="w-44">
            <Trans>Result</Trans>
          </th>
          <th scope="col">
            <Trans>How it was searched</Trans>
          </th>
        </tr>
      </thead>
      <tbody className="max-md:block">
        {parts.map((part) => (
          <tr
            key={part.text}
            className="border-b align-top max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-3 max-md:py-1.5 md:*:py-1.5 md:*:pr-4"
          >
            <th scope="row" className="font-normal">
              <span className="flex items-baseline gap-2">
                <PartMark part={part} />
                <span className="min-w-0 break-words" lang="en">
                  {part.text}
                </span>
              </span>
            </th>
            <td className="max-md:col-span-2 max-md:row-start-2 max-md:pl-4.5 max-md:empty:hidden">
              {plan !== null && part.state !== 'skipped' && (
                <>
                  <span className="mr-1 empty:hidden" lang="en">
                    {planSubject(plan, part.text)}
                  </span>
                  {planChips(plan, part.text, t).map((chip) => (
                    <span key={chip} className="mr-1 inline-block rounded-full border px-1.5 text-ink-2 text-sm">
                      {chip}
                    </span>
                  ))}
                </>
              )}
            </td>
            <td className="num max-md:col-start-2 max-md:row-start-1 max-md:text-right">
              <PartCount part={part} />
            </td>
            <td className="text-ink-2 text-sm max-md:col-span-2 max-md:pl-4.5">
              <PartSearch part={part} batch={batch} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A filled square: found; a ring: nothing; a crossed ring: not searched. */
function PartMark({ part: { state, limits } }: { part: PartResult }) {
  if (state === 'skipped')
    return <CircleSlash2 size={11} strokeWidth={2.5} className="shrink-0 self-center text-warn" aria-hidden />;
  return (
    <span
      aria-hidden
      className={classes(
        'size-2.25 shrink-0',
        state === 'found' ? 'rounded-xs' : 'rounded-full border-2 border-ink-3',
        // Events of a search with limits are not certain.
        state === 'found' && (limits.length > 0 ? 'bg-warn' : 'bg-ok'),
        state === 'open' && 'border-line',
      )}
    />
  );
}

function PartCount({ part: { state, events, eventVideos, searchedVideos, skipped } }: { part: PartResult }) {
  const number = <span className="font-semibold">{formatNumber(events)}</span>;
  if (state === 'open') return '–';
  if (state === 'found') {
    return (
      <Plural
        value={eventVideos}
        one={<Trans>{number} in # video</Trans>}
        other={<Trans>{number} in # videos</Trans>}
      />
    );
  }
  if (state === 'nothing' && skipped.length > 0) {
    return <Plural value={searchedVideos} one="nothing in # video" other="nothing in # videos" />;
  }
  return state === 'nothing' ? (
    <Trans>nothing</Trans>
  ) : (
    <span className="text-warn">
      <Trans>not searched</Trans>
    </span>
  );
}

/** The search for a part. A limit of an answer of nothing is shown; limits of a part with events are folded. */
function PartSearch({ part, batch }: { part: PartResult; batch: Batch }) {
  const { state, by, skipped, limits, searchedVideos } = part;
  const shown = state === 'nothing' ? limits.slice(0, 1) : [];
  const rest = limits.slice(shown.length);
  return (
    <div className="grid gap-0.5">
      {searchedVideos > 0 && (
        <p>
          {batch.mode === 'fast' ? (
            <Plural value={searchedVideos} one="Some frames of # video" other="Some frames of # videos" />
          ) : (
            <Plural value={searchedVideos} one="Every frame of # video" other="Every frame of # videos" />
          )}
          {by.length > 0 && (
            <span className="text-ink-3" lang="en">
              {' · '}
              {by.join(', ')}
            </span>
          )}
        </p>
      )}
      {state === 'open' && (
        <p>
          <Trans>Will be searched</Trans>
        </p>
      )}
      {skipped.map((reason) => (
        <p key={reason.text} className="break-words text-warn">
          {searchedVideos > 0 && (
            <Plural value={reason.videos} one="Not searched in # video:" other="Not searched in # videos:" />
          )}{' '}
          <ServiceText>{reason.text}</ServiceText>
        </p>
      ))}
      {shown.map((reason) => (
        <Limit key={reason.text} reason={reason} of={searchedVideos} />
      ))}
      {rest.length > 0 && (
        <details>
          <summary className="w-max cursor-pointer text-ink-3 hover:text-ink">
            {shown.length > 0 ? (
              <Plural value={rest.length} one="# more limit" other="# more limits" />
            ) : (
              <Plural value={rest.length} one="# limit" other="# limits" />
            )}
          </summary>
          {rest.map((reason) => (
            <Limit key={reason.text} reason={reason} of={searchedVideos} />
          ))}
        </details>
      )}
      {state === 'skipped' && (
        <p>
          <SearchHelp />
        </p>
      )}
    </div>
  );
}

/** A limit of the search, and the number of videos with it. */
const Limit = ({ reason: { text, videos }, of }: { reason: PartReason; of: number }) => (
  <p className="break-words text-ink-3">
    {videos < of && <Plural value={videos} one="In # video:" other="In # videos:" />} <ServiceText>{text}</ServiceText>
  </p>
);
