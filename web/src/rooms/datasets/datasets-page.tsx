import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Dataset } from '@sightline/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Ellipsis, Plus } from 'lucide-react';
import { useState } from 'react';
import { Title } from '#frame/page-slots.tsx';
import { Button, IconButton } from '#ui/controls/button.tsx';
import { Select } from '#ui/controls/select.tsx';
import { Ago } from '#ui/format/ago.tsx';
import { formatNumber } from '#ui/format/format.ts';
import { type Column, ListTable } from '#ui/lists/table.tsx';
import { Menu, MenuItem } from '#ui/overlays/menu.tsx';
import { Section } from '#ui/section.tsx';
import { EmptyState } from '#ui/states.tsx';
import { CreateDatasetDialog, EditDatasetDialog } from './dataset-dialogs.tsx';
import { DatasetState } from './dataset-state.tsx';
import { DeleteDatasetDialog } from './delete-dataset.tsx';
import { DownloadMenu } from './download-menu.tsx';
import { datasetsQuery, refreshDatasets, useCanChange } from './queries.ts';

type Action = { kind: 'edit' | 'delete'; dataset: Dataset };

/** Named sets of questions whose results are downloaded as one file. */
export function DatasetsPage() {
  const { t } = useLingui();
  const { scope = 'user' } = useSearch({ from: '/app/datasets' });
  const navigate = useNavigate({ from: '/datasets' });
  const query = useInfiniteQuery(datasetsQuery(scope));
  const [creating, setCreating] = useState(false);
  const [action, setAction] = useState<Action | null>(null);
  const rows = query.data?.pages.flat() ?? [];
  const createButton = (look: 'primary' | 'plain') => (
    <Button icon={Plus} look={look} onClick={() => setCreating(true)}>
      <Trans>Create dataset</Trans>
    </Button>
  );
  return (
    <div className="p-4.5 md:py-6">
      <Title text={t`Datasets`} />
      <Section
        title={<Trans>Datasets</Trans>}
        hint={<Trans>Questions by name, to hand over their results, verdicts and corrections as one file.</Trans>}
        action={
          <div className="flex flex-wrap gap-2">
            <Select
              label={t`Visible to`}
              value={scope}
              onChange={(next) =>
                void navigate({ search: { scope: next === 'user' ? undefined : next }, replace: true })
              }
              options={[
                { value: 'user', label: t`Yours` },
                { value: 'org', label: t`Shared` },
              ]}
            />
            {rows.length > 0 && createButton('plain')}
          </div>
        }
      >
        <ListTable
          label={t`Datasets`}
          query={query}
          rows={rows}
          columns={useColumns(setAction)}
          rowKey={({ id }) => id}
          empty={
            <EmptyState title={<Trans>No datasets yet</Trans>} action={createButton('primary')}>
              {scope === 'user' ? (
                <Trans>Create one here, or add a question on its page.</Trans>
              ) : (
                <Trans>Nobody has shared a dataset with the organization.</Trans>
              )}
            </EmptyState>
          }
        />
      </Section>
      {creating && (
        <CreateDatasetDialog
          onClose={() => setCreating(false)}
          onDone={({ id }) => void navigate({ to: '/datasets/$datasetId', params: { datasetId: id } })}
        />
      )}
      {action?.kind === 'edit' && <EditDatasetDialog dataset={action.dataset} onClose={() => setAction(null)} />}
      <DeleteDatasetDialog
        dataset={action?.kind === 'delete' ? action.dataset : null}
        onClose={() => setAction(null)}
        onDeleted={refreshDatasets}
      />
    </div>
  );
}

function useColumns(onAction: (action: Action) => void): Column<Dataset>[] {
  const { t } = useLingui();
  const canChange = useCanChange();
  return [
    {
      id: 'name',
      header: t`Name`,
      sort: ({ name }) => name,
      cell: ({ id, name, search_description: text }) => (
        <div className="min-w-0">
          <Link
            to="/datasets/$datasetId"
            params={{ datasetId: id }}
            className="break-words font-medium hover:underline"
          >
            {name}
          </Link>
          {text && <p className="line-clamp-2 max-w-prose break-words text-ink-2 text-sm">{text}</p>}
        </div>
      ),
    },
    { id: 'state', header: t`Status`, sort: ({ status }) => status, cell: (dataset) => <DatasetState of={dataset} /> },
    {
      id: 'videos',
      header: t`Videos`,
      className: 'num max-md:hidden',
      end: true,
      sort: ({ totals }) => totals.video_count,
      cell: ({ totals }) => formatNumber(totals.video_count),
    },
    {
      id: 'events',
      header: t`Events`,
      className: 'num max-sm:hidden',
      end: true,
      sort: ({ totals }) => totals.event_counts.total,
      cell: ({ totals: { event_counts: counts } }) => (
        <>
          <p>{formatNumber(counts.total)}</p>
          {counts.approved > 0 && (
            <p className="whitespace-nowrap text-ink-3 text-sm">
              <Plural value={counts.approved} one="# approved" other="# approved" />
            </p>
          )}
        </>
      ),
    },
    {
      id: 'changed',
      header: t`Changed`,
      className: 'num whitespace-nowrap max-md:hidden',
      sort: ({ updated_at }) => updated_at,
      cell: ({ updated_at }) => <Ago time={updated_at} />,
    },
    {
      id: 'actions',
      header: t`Actions`,
      hideHeader: true,
      end: true,
      cell: (dataset) => (
        <span className="inline-flex gap-1">
          <DownloadMenu dataset={dataset} compact />
          {canChange(dataset.id) && (
            <Menu align="end" trigger={<IconButton icon={Ellipsis} label={t`More for ${dataset.name}`} />}>
              <MenuItem onSelect={() => onAction({ kind: 'edit', dataset })}>{t`Edit`}</MenuItem>
              <MenuItem danger onSelect={() => onAction({ kind: 'delete', dataset })}>{t`Delete`}</MenuItem>
            </Menu>
          )}
        </span>
      ),
    },
  ];
}
