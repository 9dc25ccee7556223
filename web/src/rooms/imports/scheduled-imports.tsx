import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ImportSync } from '@sightline/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { integrationsQuery } from '#rooms/integrations/integration-query.ts';
import { Button } from '#ui/controls/button.tsx';
import { Ago } from '#ui/format/ago.tsx';
import { type Column, ListTable } from '#ui/lists/table.tsx';
import { ConfirmDialog } from '#ui/overlays/dialog.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { Section } from '#ui/section.tsx';
import { Badge, FailedState } from '#ui/states.tsx';
import { importSyncsQuery } from './import-queries.ts';
import { INTERVALS } from './intervals.ts';

/** Imports on a schedule. Nothing is shown while there are none. */
export function ScheduledImports() {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const { show, showError } = useToasts();
  const [deleting, setDeleting] = useState<ImportSync | null>(null);
  const query = useQuery(importSyncsQuery);
  const refresh = async () => {
    await Promise.all(
      ['import-syncs', 'import-jobs'].map((resource) => queryClient.invalidateQueries({ queryKey: [resource] })),
    );
  };
  async function run({ id }: ImportSync) {
    try {
      await api.POST('/api/import-syncs/{sync_id}/run', { params: { path: { sync_id: id } } });
      show(t`The import was started.`);
    } catch (error) {
      showError(error);
    }
    await refresh();
  }
  const columns = useColumns({ onRun: run, onDelete: setDeleting });
  if (!query.error && (query.data ?? []).length === 0) return null;
  return (
    <Section title={<Trans>On a schedule</Trans>} hint={<Trans>Each run imports the objects that are new.</Trans>}>
      <ListTable
        label={t`Scheduled imports`}
        query={query}
        rows={query.data ?? []}
        columns={columns}
        rowKey={({ id }) => id}
        empty={null}
      />
      <ConfirmDialog
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={<Trans>Delete this schedule?</Trans>}
        action={<Trans>Delete schedule</Trans>}
        look="danger"
        onConfirm={async () => {
          await api.DELETE('/api/import-syncs/{sync_id}', { params: { path: { sync_id: deleting!.id } } });
          await refresh();
        }}
      >
        <Trans>Imported videos and running imports stay.</Trans>
      </ConfirmDialog>
    </Section>
  );
}

function useColumns({
  onRun,
  onDelete,
}: {
  onRun: (sync: ImportSync) => Promise<void>;
  onDelete: (sync: ImportSync) => void;
}): Column<ImportSync>[] {
  const { t } = useLingui();
  const { data: integrations } = useQuery(integrationsQuery);
  const nameOf = ({ integration_id }: ImportSync) =>
    integrations ? (integrations.find(({ id }) => id === integration_id)?.name ?? integration_id) : '…';
  return [
    {
      id: 'source',
      header: t`Source`,
      sort: nameOf,
      cell: (sync) => (
        <>
          <p className="font-medium">{nameOf(sync)}</p>
          <p className="break-all font-mono text-ink-2 text-xs">{[sync.prefix, ...sync.include].join(' ')}</p>
        </>
      ),
    },
    {
      id: 'every',
      header: t`Every`,
      className: 'num',
      sort: ({ every_minutes }) => every_minutes,
      cell: ({ every_minutes }) => {
        const known = INTERVALS.find(({ minutes }) => minutes === every_minutes);
        return known ? t(known.name) : <Plural value={every_minutes} one="# minute" other="# minutes" />;
      },
    },
    {
      id: 'state',
      header: t`Status`,
      cell: ({ error, message }) => (error ? <FailedState message={message} /> : <Badge tone="ok">{t`Active`}</Badge>),
    },
    {
      id: 'next',
      header: t`Next run`,
      className: 'num whitespace-nowrap max-sm:hidden',
      sort: ({ next_run_at }) => next_run_at,
      cell: ({ next_run_at }) => (next_run_at ? <Ago time={next_run_at} /> : '–'),
    },
    {
      id: 'actions',
      header: t`Actions`,
      hideHeader: true,
      end: true,
      cell: (sync) => (
        <div className="flex justify-end gap-1">
          {sync.last_import_job_id && (
            <Link
              to="/imports/$jobId"
              params={{ jobId: sync.last_import_job_id }}
              className="self-center px-2.5 text-accent-text hover:underline max-sm:hidden"
            >
              <Trans>Last run</Trans>
            </Link>
          )}
          <Button look="ghost" onClick={() => void onRun(sync)}>
            <Trans>Run now</Trans>
          </Button>
          <Button look="ghost" onClick={() => onDelete(sync)}>
            <Trans>Delete</Trans>
          </Button>
        </div>
      ),
    },
  ];
}
