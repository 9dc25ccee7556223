import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Comparison } from '@sightline/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { isUnavailable, queries } from '#api/queries.ts';
import { Breadcrumbs } from '#frame/breadcrumbs.tsx';
import { Title } from '#frame/page-slots.tsx';
import type { ComparisonSearch } from '#frame/search-params.ts';
import { PATH, savedQuestionsQuery } from '#rooms/saved-questions/queries.ts';
import { SaveButton } from '#rooms/saved-questions/save-button.tsx';
import { Button, buttonClass } from '#ui/controls/button.tsx';
import { formatNumber } from '#ui/format/format.ts';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { ErrorNotice, ProgressBar, Skeleton, UnavailableState } from '#ui/states.tsx';
import { CompareButton } from './compare-button.tsx';
import { DifferenceList } from './difference-list.tsx';
import { comparisonQuery } from './queries.ts';
import { SideTable } from './side-table.tsx';

/** A changed query beside the earlier one on reviewed videos: figures, and the events that differ. */
export function ComparisonPage() {
  const { t } = useLingui();
  const { batchId } = useParams({ from: '/app/comparisons/$batchId' });
  const search = useSearch({ from: '/app/comparisons/$batchId' });
  const navigate = useNavigate({ from: '/comparisons/$batchId' });
  const { data, error, refetch } = useQuery(comparisonQuery(batchId, search.baseline));
  const onSearch = (next: ComparisonSearch) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true, resetScroll: false });
  const title = (
    <Title text={t`Comparison`}>
      <Breadcrumbs to="/questions" list={<Trans>Questions</Trans>} title={t`Comparison`} />
    </Title>
  );
  if (isUnavailable(error)) {
    return (
      <>
        {title}
        <Unavailable />
      </>
    );
  }
  if (error || !data) {
    return (
      <>
        {title}
        {error ? (
          <ErrorNotice error={error} onRetry={() => void refetch()} className="m-4.5" />
        ) : (
          <Skeleton className="m-4.5 h-60" />
        )}
      </>
    );
  }
  const { videos, compared_videos: compared, failed_videos: failed, baseline_query: earlier, query } = data;
  const isRunning = data.status === 'processing';
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4.5 md:py-6">
      {title}
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1">
        <dt className="text-ink-2">
          <Trans>Earlier</Trans>
        </dt>
        <dd className="break-words">{earlier}</dd>
        <dt className="text-ink-2">
          <Trans>Changed</Trans>
        </dt>
        <dd className="break-words">{query}</dd>
      </dl>
      <div className="flex flex-wrap items-center gap-2">
        <p className="num mr-auto text-ink-2" aria-live="polite">
          {isRunning ? (
            <Trans>
              {formatNumber(compared)} of {formatNumber(videos)} videos compared
            </Trans>
          ) : (
            <Plural value={compared} one="# reviewed video compared" other="# reviewed videos compared" />
          )}
          {failed > 0 && (
            <span className="text-bad">
              {' · '}
              <Trans>{failed} failed</Trans>
            </span>
          )}
        </p>
        <Link to="/review" search={{ batch: batchId }} className={buttonClass()}>
          <CircleCheck size={15} strokeWidth={1.75} aria-hidden />
          <Trans>Review</Trans>
        </Link>
        <CompareButton compared={{ query: earlier, savedQuestionId: search.question }} />
        {search.question ? (
          <ApplyButton savedQuestionId={search.question} comparison={data} />
        ) : (
          <SaveButton question={{ query, mode: data.mode }} />
        )}
      </div>
      {isRunning && <ProgressBar value={compared / Math.max(1, videos)} label={t`Progress of the comparison`} />}
      <SideTable baseline={data.baseline} candidate={data.candidate} />
      <p className="max-w-prose text-ink-3 text-sm">
        <Trans>
          Events that reviewers approved are the ground truth. Undecided events are in no figure: approve or reject them
          below, and the figures include them. Small numbers are 95 % intervals.
        </Trans>
      </p>
      <DifferenceList comparison={data} search={search} onSearch={onSearch} />
    </div>
  );
}

const Unavailable = () => (
  <UnavailableState
    title={<Trans>This comparison is not available</Trans>}
    action={
      <Link to="/questions" className={buttonClass('primary')}>
        <Trans>Show questions</Trans>
      </Link>
    }
  />
);

/** Changes the prompt of the saved question that was compared. */
function ApplyButton({ savedQuestionId, comparison }: { savedQuestionId: string; comparison: Comparison }) {
  const navigate = useNavigate();
  const { showError } = useToasts();
  const [isBusy, setBusy] = useState(false);
  const apply = async () => {
    setBusy(true);
    try {
      const params = { path: { saved_question_id: savedQuestionId } };
      await api.PATCH(PATH, { params, body: { query: comparison.query, mode: comparison.mode } });
      await queries.invalidateQueries({ queryKey: savedQuestionsQuery.queryKey });
      await navigate({ to: '/saved-questions', search: { question: savedQuestionId } });
    } catch (error) {
      showError(error);
      setBusy(false);
    }
  };
  return (
    <Button look="primary" busy={isBusy} onClick={() => void apply()}>
      <Trans>Change the saved question</Trans>
    </Button>
  );
}
