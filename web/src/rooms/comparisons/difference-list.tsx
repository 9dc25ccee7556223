import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Comparison } from '@sightline/sdk';
import type { ComparisonSearch } from '#frame/search-params.ts';
import { EvidenceTile } from '#rooms/batches/evidence-tile.tsx';
import { toEventItem } from '#rooms/search/queries.ts';
import { Button } from '#ui/controls/button.tsx';
import { formatNumber } from '#ui/format/format.ts';
import { VirtualGrid } from '#ui/lists/virtual-list.tsx';
import { Badge, EmptyState } from '#ui/states.tsx';

type Props = {
  comparison: Comparison;
  search: ComparisonSearch;
  onSearch: (next: ComparisonSearch) => void;
};

/** Events that only one of the two answers has, as images that open them in their video. */
export function DifferenceList({ comparison, search, onSearch }: Props) {
  const { t } = useLingui();
  const { appeared, disappeared, events, status } = comparison;
  // Without a choice, the side that has events.
  const change = search.change ?? (appeared === 0 && disappeared > 0 ? 'disappeared' : 'appeared');
  const shown = events.filter((each) => each.change === change);
  const judgments = { right: t`Right`, wrong: t`Wrong`, undecided: t`Undecided` };
  const tones = { right: 'ok', wrong: 'bad', undecided: 'neutral' } as const;
  const total = change === 'appeared' ? appeared : disappeared;
  return (
    <section aria-label={t`Differences`} className="grid gap-3">
      <div className="flex flex-wrap items-center gap-1">
        <h2 className="mr-3">
          <Trans>Differences</Trans>
        </h2>
        {(['appeared', 'disappeared'] as const).map((value) => (
          <Button
            key={value}
            look={change === value ? 'plain' : 'ghost'}
            aria-pressed={change === value}
            onClick={() => onSearch({ change: value })}
          >
            {value === 'appeared' ? t`Appeared` : t`Disappeared`}
            <span className="num text-ink-3">{formatNumber(value === 'appeared' ? appeared : disappeared)}</span>
          </Button>
        ))}
      </div>
      {shown.length === 0 ? (
        <EmptyState title={status === 'processing' ? <Trans>Nothing yet</Trans> : <Trans>No events</Trans>}>
          {change === 'appeared' ? (
            <Trans>Events that only the changed prompt finds appear here.</Trans>
          ) : (
            <Trans>Events that only the earlier prompt found appear here.</Trans>
          )}
        </EmptyState>
      ) : (
        <VirtualGrid
          label={t`Events`}
          items={shown}
          itemKey={({ event }) => event.event_id}
          minWidth={210}
          estimate={215}
        >
          {({ event, judgment }) => (
            <div className="grid gap-1">
              <EvidenceTile event={toEventItem(event)} />
              <span className="justify-self-start">
                <Badge tone={tones[judgment]}>{judgments[judgment]}</Badge>
              </span>
            </div>
          )}
        </VirtualGrid>
      )}
      {shown.length < total && (
        <p className="num text-ink-3 text-sm">
          <Plural
            value={shown.length}
            one="Only the first event is shown."
            other="Only the first # events are shown."
          />
        </p>
      )}
    </section>
  );
}
