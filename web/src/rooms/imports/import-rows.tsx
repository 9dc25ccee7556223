import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ImportJob, ImportRow } from '@sightline/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { VideoLink } from '#rooms/videos/video-link.tsx';
import { classes } from '#ui/classes.ts';
import { formatBytes } from '#ui/format/format.ts';
import { ServiceText } from '#ui/service-text.tsx';
import { Badge, ErrorNotice, Skeleton } from '#ui/states.tsx';
import { importRowsQuery } from './import-queries.ts';

const ROW_HEIGHT = 30;
const CELL = 'border-b px-2 font-normal';

/** The rows of an import, and the reasons of its failures. Only visible rows are in the page. */
export function ImportRows({ job }: { job: ImportJob }) {
  const { t } = useLingui();
  const query = useInfiniteQuery(importRowsQuery(job.import_job_id));
  const { data, error, isPending, isFetching, hasNextPage, fetchNextPage, refetch } = query;
  // The rows of the end are newer than those of the last refresh.
  useEffect(() => {
    if (job.terminal) void refetch();
  }, [job.terminal, refetch]);
  const rows = data?.pages.flatMap((page) => page.videos) ?? [];
  const failed = rows.filter((row) => row.error !== null);

  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  // The reasons need all rows that failed.
  const wanted = last >= rows.length - 1 || (job.terminal && failed.length < job.failed);
  useEffect(() => {
    if (wanted && hasNextPage && !isFetching && !error) void fetchNextPage();
  }, [wanted, hasNextPage, isFetching, error, fetchNextPage]);

  if (error && rows.length === 0) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Skeleton className="h-60" />;
  return (
    <>
      <Reasons failed={failed} />
      <section
        ref={scroller}
        aria-label={t`Objects of the import`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the rows scroll, also by keyboard.
        tabIndex={0}
        className="min-h-72 flex-1 overflow-y-auto border-t outline-offset-[-2px]"
      >
        <table className="w-full table-fixed border-collapse text-left" aria-rowcount={data!.pages[0]!.total + 1}>
          <thead className="sticky top-0 bg-bg text-ink-3 text-sm">
            <tr>
              <th scope="col" className={CELL}>{t`Object`}</th>
              <th scope="col" className={classes(CELL, 'w-24 text-right max-sm:hidden')}>{t`Size`}</th>
              <th scope="col" className={classes(CELL, 'w-[36%]')}>{t`Result`}</th>
            </tr>
          </thead>
          <tbody>
            <Space height={items[0]?.start ?? 0} />
            {items.map(({ index }) => (
              <tr key={rows[index]!.import_source_uri} aria-rowindex={index + 2} style={{ height: ROW_HEIGHT }}>
                <Cells row={rows[index]!} />
              </tr>
            ))}
            <Space height={virtual.getTotalSize() - (items.at(-1)?.end ?? 0)} />
          </tbody>
        </table>
      </section>
    </>
  );
}

/** Takes the place of rows that are not in the page. */
const Space = ({ height }: { height: number }) => (height > 0 ? <tr aria-hidden style={{ height }} /> : null);

function Cells({ row }: { row: ImportRow }) {
  return (
    <>
      <td className={classes(CELL, 'truncate font-mono text-sm')} title={row.import_source_uri}>
        {row.import_source_uri}
      </td>
      <td className={classes(CELL, 'num text-right text-ink-2 max-sm:hidden')}>
        {row.size_bytes === null ? '–' : formatBytes(row.size_bytes)}
      </td>
      <td className={classes(CELL, 'truncate')} title={row.message ?? undefined}>
        <Result row={row} />
      </td>
    </>
  );
}

function Result({ row: { error, message, skipped, status, kind, video_id } }: { row: ImportRow }) {
  const { t } = useLingui();
  if (error)
    return (
      <span className="text-bad" lang="en">
        {message ?? error}
      </span>
    );
  if (status === 'PROCESSING') return <span className="text-ink-3">{t`Waiting`}</span>;
  const text = skipped ? t`Already imported` : t`Imported`;
  return kind === 'video' && video_id ? <VideoLink id={video_id}>{text}</VideoLink> : text;
}

/** The failures by reason, most frequent first. */
function Reasons({ failed }: { failed: readonly ImportRow[] }) {
  const { t } = useLingui();
  if (failed.length === 0) return null;
  const groups = [...Map.groupBy(failed, (row) => row.message ?? row.error!)].sort((a, b) => b[1].length - a[1].length);
  return (
    <section aria-label={t`Reasons of failures`} className="mb-4">
      <h2 className="mb-1.5">
        <Trans>Why objects failed</Trans>
      </h2>
      <ul className="grid gap-1.5">
        {groups.map(([reason, rows]) => (
          <li key={reason} className="flex items-baseline gap-2.5">
            <Badge tone="bad">
              <span className="num">
                <Plural value={rows.length} one="# object" other="# objects" />
              </span>
            </Badge>
            <span className="min-w-0 break-words">
              <ServiceText>{reason}</ServiceText>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
