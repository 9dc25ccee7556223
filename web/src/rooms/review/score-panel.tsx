import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '#api/client.ts';
import { CompareButton } from '#rooms/comparisons/compare-button.tsx';
import { buttonClass } from '#ui/controls/button.tsx';
import { formatConfidence } from '#ui/format/format.ts';

/** The scores of a prompt in a folder, or of videos without one. */
const scoreQuery = (query: string, folderId: string | null) =>
  queryOptions({
    queryKey: ['review-scores', query, folderId],
    staleTime: 30_000,
    queryFn: async ({ signal }) => {
      const params = { query: { query, ...(folderId ? { folder_id: folderId } : {}) } };
      const { scores } = (await api.GET('/api/review/scores', { params, signal })).data!;
      return scores.find((score) => score.folder_id === folderId) ?? null;
    },
  });

type Estimate = { value: number; low: number; high: number };

/** Precision, recall and overlap of the answers to a prompt, from its reviewed events. */
export function ScorePanel({
  query,
  folderId,
  isSampling = false,
}: {
  query: string;
  folderId: string | null;
  /** True beside the samples, to which it otherwise links. */
  isSampling?: boolean;
}) {
  const { t } = useLingui();
  const { data } = useQuery(scoreQuery(query, folderId));
  if (!data) return null;
  const reviewed = data.approved + data.rejected + data.unsure;
  return (
    <section aria-label={t`This question so far`} className="grid gap-1.5 border-t pt-3">
      <h3>
        <Trans>This question so far</Trans>
      </h3>
      <div className="grid grid-cols-[fit-content(60%)_minmax(3rem,1fr)_auto] gap-x-2.5 gap-y-1.5">
        <Score name={t`Precision`} of={data.precision} needs={t`Needs a verdict: approve or reject events.`} />
        {/* The sampled recall includes events that nobody noticed; the other one is an upper estimate. */}
        {data.sampled?.recall ? (
          <Score name={t`Recall, sampled`} of={data.sampled.recall} />
        ) : (
          <Score name={t`Recall, est.`} of={data.recall} needs={t`Needs a look for missed events.`} />
        )}
        <Score name={t`Overlap`} of={data.overlap} needs={t`Needs an approved event.`} />
      </div>
      <p className="num text-ink-3 text-sm">
        <Plural value={reviewed} one="# reviewed" other="# reviewed" />
        {', '}
        <Plural value={data.added} one="# missed event added" other="# missed events added" />
        {'. '}
        <Trans>Bars are 95 % intervals.</Trans>
      </p>
      <div className="flex flex-wrap gap-1.5">
        {!isSampling && (
          <Link
            to="/review"
            search={{ show: 'samples', query, folder: folderId ?? undefined }}
            className={buttonClass()}
          >
            <Trans>Look for missed events</Trans>
          </Link>
        )}
        {data.approved + data.rejected + data.added > 0 && <CompareButton compared={{ query, folderId }} />}
      </div>
    </section>
  );
}

/** A measure with its interval; without data a dash, and what it needs. */
function Score({ name, of, needs }: { name: string; of: Estimate | null; needs?: string }) {
  if (!of) {
    return (
      <div className="col-span-3 grid grid-cols-subgrid">
        <span className="text-ink-2">{name}</span>
        <span className="text-ink-3 text-sm">{needs}</span>
        <span className="num text-right">–</span>
      </div>
    );
  }
  const { value, low, high } = of;
  return (
    <div className="col-span-3 grid grid-cols-subgrid items-center">
      <span className="text-ink-2">{name}</span>
      <span aria-hidden className="relative h-1 rounded-full bg-line">
        <span
          className="absolute inset-y-0 rounded-full bg-accent/60"
          style={{ left: `${low * 100}%`, width: `${(high - low) * 100}%` }}
        />
        <span className="absolute -inset-y-1 w-0.5 bg-accent" style={{ left: `calc(${value * 100}% - 1px)` }} />
      </span>
      <span className="num text-right">{formatConfidence(value)}</span>
    </div>
  );
}
