import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { classes } from '#ui/classes.ts';
import { formatNumber } from '#ui/format/format.ts';
import type { Facet } from './facets.ts';
import { videoNameQuery } from './queries.ts';

/** Values shown before the list is expanded. */
const SHOWN = 8;

type Props = { facets: readonly Facet[]; chosen: string | undefined; onChoose: (value: string | undefined) => void };

/** Values of a field with the number of events of each. Choosing the chosen one again shows all. */
export function FacetList({
  title,
  facets,
  name = (value) => value,
  mark,
  english,
  chosen,
  onChoose,
}: Props & {
  title: string;
  name?: (value: string) => React.ReactNode;
  /** Shown before the name. */
  mark?: (value: string) => React.ReactNode;
  /** The values are words of the engine, such as labels. */
  english?: boolean;
}) {
  const id = useId();
  const [all, setAll] = useState(false);
  if (facets.length === 0) return null;
  const most = Math.max(...facets.map(({ count }) => count));
  const shown = all ? facets : facets.filter(({ value }, index) => index < SHOWN || value === chosen);
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h2 id={id} className="mb-1 text-ink-3 text-sm">
        {title}
      </h2>
      <ul>
        {shown.map(({ value, count }) => (
          <li key={value}>
            <button
              type="button"
              aria-pressed={value === chosen}
              onClick={() => onChoose(value === chosen ? undefined : value)}
              className={classes(
                'relative isolate -mx-1.5 flex w-[calc(100%+12px)] items-center gap-2 overflow-hidden rounded-sm px-1.5 py-0.75 text-left hover:text-ink',
                value === chosen ? 'font-medium text-ink inset-ring inset-ring-accent' : 'text-ink-2',
              )}
            >
              {mark?.(value)}
              <span
                lang={english ? 'en' : undefined}
                className={classes('min-w-0 flex-1 truncate', english && 'first-letter:uppercase')}
              >
                {name(value)}
              </span>
              <span className="num text-ink-3 text-sm">{formatNumber(count)}</span>
              <span
                aria-hidden
                className={classes(
                  'absolute inset-y-px left-0 -z-10 rounded-sm',
                  value === chosen ? 'bg-accent/20' : 'bg-raise',
                )}
                style={{ width: `${(count / most) * 100}%` }}
              />
            </button>
          </li>
        ))}
      </ul>
      {shown.length < facets.length && (
        <button type="button" onClick={() => setAll(true)} className="mt-1 text-accent-text text-sm hover:underline">
          <Trans>Show all {facets.length}</Trans>
        </button>
      )}
    </section>
  );
}

/** The videos of the events. */
export function VideoFacet(props: Props) {
  const { t } = useLingui();
  return <FacetList {...props} title={t`Video`} name={(videoId) => <VideoName videoId={videoId} />} />;
}

export function VideoName({ videoId }: { videoId: string }) {
  const { data } = useQuery(videoNameQuery(videoId));
  return <span title={data}>{data ?? '…'}</span>;
}
