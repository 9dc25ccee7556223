import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMemo, useState } from 'react';
import type { QuestionSearch } from '#frame/search-params.ts';
import { classes } from '#ui/classes.ts';
import { Button } from '#ui/controls/button.tsx';
import { ConfidenceSelect } from '#ui/controls/confidence-select.tsx';
import { Select } from '#ui/controls/select.tsx';
import { VirtualGrid } from '#ui/lists/virtual-list.tsx';
import { EvidenceTile } from './evidence-tile.tsx';
import { FacetList, VideoFacet } from './facet-list.tsx';
import { facet, select } from './facets.ts';
import type { BatchEvent } from './queries.ts';

type Props = {
  events: readonly BatchEvent[];
  search: QuestionSearch;
  onSearch: (next: QuestionSearch) => void;
};

/** The events of a question as images, with facets that narrow them. */
export function EventGrid({ events, search, onSearch }: Props) {
  const { t } = useLingui();
  // Wide pages always show the facets.
  const [open, setOpen] = useState(false);
  const shown = useMemo(() => select(events, search), [events, search]);
  const severities: Record<string, string> = { low: t`Low`, medium: t`Medium`, high: t`High` };
  const isFiltered = search.label || search.severity || search.video || search.confidence;
  return (
    <div className="grid gap-4 p-4.5 lg:grid-cols-[200px_minmax(0,1fr)]">
      <aside
        aria-label={t`Filters`}
        className={classes(
          'content-start gap-4 max-lg:grid-cols-2 max-sm:grid-cols-1 lg:grid',
          open ? 'grid' : 'hidden',
        )}
      >
        <FacetList
          title={t`Label`}
          facets={facet(events, search, 'label')}
          english
          chosen={search.label}
          onChoose={(label) => onSearch({ label })}
        />
        <FacetList
          title={t`Severity`}
          facets={facet(events, search, 'severity')}
          name={(value) => severities[value] ?? value}
          chosen={search.severity}
          onChoose={(severity) => onSearch({ severity })}
        />
        <VideoFacet
          facets={facet(events, search, 'video')}
          chosen={search.video}
          onChoose={(video) => onSearch({ video })}
        />
      </aside>
      <div className="min-w-0">
        <div className="mb-3 flex flex-wrap items-center gap-2">
          <p className="num mr-auto font-semibold" aria-live="polite">
            <Plural value={shown.length} one="# event" other="# events" />
          </p>
          <Button className="lg:hidden" aria-expanded={open} onClick={() => setOpen(!open)}>
            <Trans>Filters</Trans>
          </Button>
          {isFiltered && (
            <Button
              look="ghost"
              onClick={() =>
                onSearch({ label: undefined, severity: undefined, video: undefined, confidence: undefined })
              }
            >
              <Trans>Clear filters</Trans>
            </Button>
          )}
          <ConfidenceSelect value={search.confidence} onChange={(confidence) => onSearch({ confidence })} />
          <Select
            label={t`Order`}
            value={search.sort ?? 'time'}
            onChange={(sort) => onSearch({ sort: sort === 'time' ? undefined : sort })}
            options={[
              { value: 'time', label: t`By video and time` },
              { value: 'confidence', label: t`Surest first` },
              { value: 'rarest', label: t`Rarest first` },
            ]}
          />
        </div>
        <VirtualGrid label={t`Events`} items={shown} itemKey={(event) => event.id} minWidth={210} estimate={190}>
          {(event) => <EvidenceTile event={event} />}
        </VirtualGrid>
      </div>
    </div>
  );
}
