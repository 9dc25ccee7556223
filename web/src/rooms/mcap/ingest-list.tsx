import { Trans, useLingui } from '@lingui/react/macro';
import type { McapIngestList } from '@sightline/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFolders } from '#api/folders-query.ts';
import { Ago } from '#ui/format/ago.tsx';
import { formatBytes } from '#ui/format/format.ts';
import { type Column, ListTable } from '#ui/lists/table.tsx';
import { Section } from '#ui/section.tsx';
import { EmptyState } from '#ui/states.tsx';
import { ingestsQuery } from './ingest-query.ts';
import { IngestState } from './ingest-state.tsx';

type Ingest = McapIngestList['ingests'][number];

/** Recordings of robots and vehicles, newest first. */
export function IngestList({ action }: { action: ReactNode }) {
  const { t } = useLingui();
  const query = useInfiniteQuery(ingestsQuery);
  const rows = query.data?.pages.flatMap((page) => page.ingests) ?? [];
  return (
    <Section
      title={<Trans>Recordings of robots and vehicles</Trans>}
      hint={<Trans>Each camera of an MCAP file becomes a video with its telemetry. All share one clock.</Trans>}
      action={rows.length > 0 && action}
    >
      <ListTable
        label={t`Recordings of robots and vehicles`}
        query={query}
        rows={rows}
        columns={useColumns()}
        rowKey={({ mcap_ingest_id }) => mcap_ingest_id}
        empty={
          <EmptyState title={<Trans>No recordings yet</Trans>} action={action}>
            <Trans>Upload an MCAP file, or import files from a bucket.</Trans>
          </EmptyState>
        }
      />
    </Section>
  );
}

function useColumns(): Column<Ingest>[] {
  const { t } = useLingui();
  const folders = useFolders();
  const nameOf = (id: string | null) => folders.find((folder) => folder.id === id)?.name ?? null;
  return [
    {
      id: 'name',
      header: t`Name`,
      sort: ({ filename }) => filename,
      cell: ({ mcap_ingest_id, filename, error }) => (
        <>
          <Link to="/recordings" search={{ ingest: mcap_ingest_id }} className="break-all font-medium hover:underline">
            {filename}
          </Link>
          {error && <p className="line-clamp-2 max-w-prose text-bad text-sm">{error}</p>}
        </>
      ),
    },
    {
      id: 'state',
      header: t`Status`,
      sort: ({ status }) => status,
      cell: ({ status }) => <IngestState status={status} />,
    },
    {
      id: 'folder',
      header: t`Folder`,
      className: 'max-md:hidden',
      sort: ({ folder_id }) => nameOf(folder_id),
      cell: ({ folder_id }) => nameOf(folder_id) ?? '–',
    },
    {
      id: 'size',
      header: t`Size`,
      end: true,
      className: 'num whitespace-nowrap max-sm:hidden',
      sort: ({ size_bytes }) => size_bytes,
      cell: ({ size_bytes }) => (size_bytes === null ? '–' : formatBytes(size_bytes)),
    },
    {
      id: 'created',
      header: t`Uploaded`,
      className: 'num whitespace-nowrap',
      sort: ({ created_at }) => created_at,
      cell: ({ created_at }) => <Ago time={created_at} />,
    },
  ];
}
