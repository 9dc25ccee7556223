import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#ui/controls/button.tsx';
import { formatBytes, formatNumber } from '#ui/format/format.ts';
import { ErrorNotice, Skeleton } from '#ui/states.tsx';
import { previewQuery, type Selection } from './import-queries.ts';

const ROW_HEIGHT = 28;

/** The objects that an import would read: their number, their size and their keys. */
export function ImportPreview({ selection }: { selection: Selection }) {
  const { t } = useLingui();
  const [counting, setCounting] = useState(false);
  const query = useInfiniteQuery(previewQuery(selection));
  const { data, error, isPending, isFetching, hasNextPage, fetchNextPage, refetch } = query;
  const objects = data?.pages.flatMap((page) => page.objects) ?? [];
  const passedOver = data?.pages.reduce((sum, page) => sum + page.passed_over, 0) ?? 0;
  const bytes = objects.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  useEffect(() => {
    if (counting && hasNextPage && !isFetching && !error) void fetchNextPage();
  }, [counting, hasNextPage, isFetching, error, fetchNextPage]);

  return (
    <section
      aria-label={t`Preview`}
      className="flex min-w-0 flex-col lg:sticky lg:top-6 lg:self-start lg:border-l lg:pl-8"
    >
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-2">
        <h2 className="text-lg">
          <Trans>Preview</Trans>
        </h2>
        {data && (
          <p className="num text-ink-2" role="status">
            {hasNextPage ? (
              <Trans>
                more than {formatNumber(objects.length)} objects · {formatBytes(bytes)}
              </Trans>
            ) : (
              <>
                <Plural value={objects.length} one="# object" other="# objects" /> · {formatBytes(bytes)}
              </>
            )}
          </p>
        )}
      </div>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} className="mb-3" />}
      {isPending && <Skeleton className="h-60" />}
      {data && objects.length === 0 && (
        <p className="py-8 text-center text-ink-2">
          <Trans>The selection finds no videos and no recordings.</Trans>
        </p>
      )}
      {objects.length > 0 && <Keys objects={objects} />}
      {passedOver > 0 && (
        <p className="num mt-2 text-ink-3 text-sm">
          <Plural
            value={passedOver}
            one="# object is left out: no video, no recording, or excluded"
            other="# objects are left out: no videos, no recordings, or excluded"
          />
        </p>
      )}
      {hasNextPage && (
        <Button className="mt-3 self-start" busy={counting && !error} onClick={() => setCounting(true)}>
          <Trans>Count all</Trans>
        </Button>
      )}
    </section>
  );
}

function Keys({ objects }: { objects: readonly { key: string; size_bytes: number }[] }) {
  const { t } = useLingui();
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: objects.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the list scrolls, also by keyboard.
    <section ref={scroller} tabIndex={0} aria-label={t`Objects`} className="max-h-[60vh] overflow-y-auto border-y">
      <ul className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start, size }) => (
          <li
            key={objects[index]!.key}
            className="absolute inset-x-0 flex items-center gap-3 border-b px-1"
            style={{ height: size, transform: `translateY(${start}px)` }}
          >
            <span className="min-w-0 flex-1 truncate font-mono text-sm" title={objects[index]!.key}>
              {objects[index]!.key}
            </span>
            <span className="num shrink-0 text-ink-2">{formatBytes(objects[index]!.size_bytes)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
