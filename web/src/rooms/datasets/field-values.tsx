import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { DatasetCoverage } from '@sightline/sdk';
import { useQuery } from '@tanstack/react-query';
import { formatNumber } from '#ui/format/format.ts';
import { type Column, Table } from '#ui/lists/table.tsx';
import { Section } from '#ui/section.tsx';
import { ErrorNotice } from '#ui/states.tsx';
import { coverageQuery } from './queries.ts';

/** The most frequent combinations; rarer ones are counted by the command line and the API. */
const SHOWN = 50;

/** The combinations of values of its fields that a dataset has; nothing without such fields. */
export function FieldValues({ datasetId }: { datasetId: string }) {
  const { t } = useLingui();
  const { data: counts = [], error, refetch } = useQuery(coverageQuery(datasetId));
  const names = Object.keys(counts[0]?.values ?? {});
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} className="my-4" />;
  if (names.length === 0) return null;
  const columns: Column<DatasetCoverage>[] = [
    ...names.map((name) => ({
      id: name,
      header: name,
      cell: ({ values }: DatasetCoverage) => values[name] ?? <span className="text-ink-3">–</span>,
      sort: ({ values }: DatasetCoverage) => values[name] ?? null,
    })),
    {
      id: 'events',
      header: t`Events`,
      end: true,
      className: 'num',
      cell: ({ events }) => formatNumber(events),
      sort: ({ events }) => events,
    },
  ];
  return (
    <Section
      title={<Trans>Values of fields</Trans>}
      hint={
        <Trans>
          How many events have each combination of values. Combinations that are not listed have none: footage of them
          is missing.
        </Trans>
      }
    >
      <Table
        label={t`Values of fields`}
        rows={counts.slice(0, SHOWN)}
        columns={columns}
        rowKey={({ values }) => JSON.stringify(values)}
      />
      {counts.length > SHOWN && (
        <p className="mt-2 text-ink-3 text-sm">
          <Plural
            value={counts.length - SHOWN}
            one="# combination with fewer events is not shown."
            other="# combinations with fewer events are not shown."
          />
        </p>
      )}
    </Section>
  );
}
