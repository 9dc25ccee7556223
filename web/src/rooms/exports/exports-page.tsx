import { Trans, useLingui } from '@lingui/react/macro';
import type { Export } from '@sightline/sdk';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { Title } from '#frame/page-slots.tsx';
import { buttonClass, IconButton } from '#ui/controls/button.tsx';
import { Ago } from '#ui/format/ago.tsx';
import { formatBytes, formatNumber } from '#ui/format/format.ts';
import { type Column, ListTable } from '#ui/lists/table.tsx';
import { ConfirmDialog } from '#ui/overlays/dialog.tsx';
import { Section } from '#ui/section.tsx';
import { Badge, EmptyState, FailedState } from '#ui/states.tsx';
import { type ExportFormat, FORMATS } from './formats.ts';
import { download, exportsQuery } from './queries.ts';

/** The exports of the user with their state and their files. */
export function ExportsPage() {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const query = useInfiniteQuery(exportsQuery);
  const [deleting, setDeleting] = useState<Export | null>(null);
  return (
    <div className="p-4.5 md:py-6">
      <Title text={t`Exports`} />
      <Section
        title={<Trans>Exports</Trans>}
        hint={<Trans>Files of events that you exported. They are deleted after a week.</Trans>}
      >
        <ListTable
          label={t`Exports`}
          query={query}
          rows={query.data?.pages.flatMap((page) => page.exports) ?? []}
          columns={useColumns(setDeleting)}
          rowKey={({ export_id }) => export_id}
          empty={
            <EmptyState
              title={<Trans>No exports yet</Trans>}
              action={
                <Link to="/search" className={buttonClass('primary')}>
                  <Trans>Search events</Trans>
                </Link>
              }
            >
              <Trans>Search events, or open a question, and choose Export.</Trans>
            </EmptyState>
          }
        />
      </Section>
      <ConfirmDialog
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={<Trans>Delete this export?</Trans>}
        action={<Trans>Delete</Trans>}
        look="danger"
        onConfirm={async () => {
          const params = { path: { export_id: deleting!.export_id } };
          await api.DELETE('/api/exports/{export_id}', { params });
          await queryClient.invalidateQueries({ queryKey: exportsQuery.queryKey });
        }}
      >
        <Trans>Its file is deleted, and links to it stop working. The events stay.</Trans>
      </ConfirmDialog>
    </div>
  );
}

function useColumns(onDelete: (row: Export) => void): Column<Export>[] {
  const { t } = useLingui();
  const nameOf = (format: string) => FORMATS[format as ExportFormat]?.name ?? format;
  return [
    {
      id: 'format',
      header: t`Format`,
      sort: ({ format }) => nameOf(format),
      cell: ({ format, filename, created_at }) => (
        <>
          <p className="font-medium">{nameOf(format)}</p>
          <p className="hidden max-w-56 truncate text-ink-3 text-sm sm:block" title={filename}>
            {filename}
          </p>
          <p className="num text-ink-3 text-sm sm:hidden">
            <Ago time={created_at} />
          </p>
        </>
      ),
    },
    { id: 'state', header: t`Status`, sort: ({ status }) => status, cell: (row) => <State of={row} /> },
    {
      id: 'events',
      header: t`Events`,
      className: 'num max-sm:hidden',
      end: true,
      sort: ({ event_count }) => event_count,
      cell: ({ event_count, status }) => (status === 'completed' ? formatNumber(event_count) : '–'),
    },
    {
      id: 'size',
      header: t`Size`,
      className: 'num max-sm:hidden',
      end: true,
      sort: ({ size_bytes }) => size_bytes,
      cell: ({ size_bytes }) =>
        size_bytes === null ? '–' : <span className="whitespace-nowrap">{formatBytes(size_bytes)}</span>,
    },
    {
      id: 'created',
      header: t`Created`,
      className: 'num whitespace-nowrap max-sm:hidden',
      sort: ({ created_at }) => created_at,
      cell: ({ created_at }) => <Ago time={created_at} />,
    },
    {
      id: 'actions',
      header: t`Actions`,
      hideHeader: true,
      end: true,
      cell: (row) => (
        <span className="inline-flex gap-1">
          {row.download_url && (
            <IconButton icon={Download} label={t`Download`} onClick={() => download(row.download_url!)} />
          )}
          <IconButton icon={Trash2} label={t`Delete`} onClick={() => onDelete(row)} />
        </span>
      ),
    },
  ];
}

function State({ of: { status, message } }: { of: Export }) {
  if (status === 'completed')
    return (
      <Badge tone="ok">
        <Trans>Ready</Trans>
      </Badge>
    );
  if (status === 'failed') return <FailedState message={message} />;
  return (
    <Badge>
      <Trans>Being written</Trans>
    </Badge>
  );
}
