import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReviewSearch } from '#frame/search-params.ts';
import { Button, buttonClass } from '#ui/controls/button.tsx';
import { EmptyState, ErrorNotice, Skeleton } from '#ui/states.tsx';
import { samplesQuery } from './queries.ts';
import { SampleWorkspace } from './sample-workspace.tsx';

/** Random ranges in which the engine found nothing, one after the other, to estimate what it misses. */
export function SampleReview({ search }: { search: ReviewSearch }) {
  const { t } = useLingui();
  const [draw, setDraw] = useState(0);
  const [index, setIndex] = useState(0);
  const { data: samples, error, isPending, refetch } = useQuery(samplesQuery(search, draw));
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} className="m-3" />;
  if (isPending) return <Skeleton className="m-3 aspect-video max-h-[60vh]" />;
  if (samples.length === 0) {
    return (
      <EmptyState
        title={<Trans>No range is left to watch</Trans>}
        action={
          <Link to="/review" className={buttonClass('primary')}>
            <Trans>Show all events to review</Trans>
          </Link>
        }
      >
        <Trans>Ranges without events of completed questions appear here, until all of them were watched.</Trans>
      </EmptyState>
    );
  }
  const current = samples[index];
  if (!current) {
    return (
      <EmptyState
        title={<Plural value={samples.length} one="# range watched" other="# ranges watched" />}
        action={
          <Button
            look="primary"
            onClick={() => {
              setDraw(draw + 1);
              setIndex(0);
            }}
          >
            {t`Draw more`}
          </Button>
        }
      >
        <Trans>The scores of the question now have its recall from samples. More ranges make it more certain.</Trans>
      </EmptyState>
    );
  }
  return <SampleWorkspace samples={samples} index={index} current={current} onNext={() => setIndex(index + 1)} />;
}
