import { useLingui } from '@lingui/react/macro';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { fitColumns } from '#ui/lists/columns.ts';
import { Skeleton } from '#ui/states.tsx';
import { useGridKeys } from './grid-keys.ts';
import type { LibraryVideo } from './library-query.ts';
import type { VideoSelection } from './selection/selection.ts';
import { VideoCard } from './video-card.tsx';
import { TableHeader, VideoRow } from './video-table.tsx';

const MIN_CARD_WIDTH = 220;
/** On a phone, two columns fit. */
const NARROW_WIDTH = 480;
const MIN_NARROW_CARD_WIDTH = 150;
const COLUMN_GAP = 14;
/** Height of name, status and gap below a poster. */
const CAPTION_HEIGHT = 62;
const TABLE_ROW_HEIGHT = 44;
/** Rows before the end of the list at which the next page is fetched. */
const FETCH_AHEAD_ROWS = 6;
const SKELETONS = 24;

export type VideoGridProps = {
  videos: readonly LibraryVideo[];
  view: 'grid' | 'table';
  isPending: boolean;
  hasMore: boolean;
  fetchMore: () => void;
  selection: VideoSelection;
  onOpen: (video: LibraryVideo) => void;
  onDelete: () => void;
};

/** Any number of videos as a grid or a table; only the visible rows are in the document. */
export const VideoGrid = memo(function VideoGrid(props: VideoGridProps) {
  const { videos, view, isPending, hasMore, fetchMore, selection } = props;
  const { t } = useLingui();
  const scroller = useRef<HTMLDivElement>(null);
  const { columns, rowHeight } = useLayout(scroller, view);
  const shown = isPending ? SKELETONS : videos.length + (hasMore ? columns : 0);
  const rows = Math.ceil(shown / columns);
  const virtualizer = useVirtualizer({
    count: rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 3,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height of all rows has changed.
  useEffect(() => virtualizer.measure(), [rowHeight]);

  const visible = virtualizer.getVirtualItems();
  const lastRow = visible.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && lastRow >= rows - FETCH_AHEAD_ROWS) fetchMore();
  }, [hasMore, lastRow, rows, fetchMore]);

  const latest = useRef(videos);
  latest.current = videos;
  const idAt = useCallback((index: number) => latest.current[index]?.video_id, []);
  const extendTo = useCallback((index: number) => selection.extendTo(index, idAt), [selection, idAt]);
  const { active, onKeyDown, onFocus } = useGridKeys({ ...props, columns, scroller, virtualizer, extendTo });
  const Cell = view === 'table' ? VideoRow : VideoCard;

  return (
    <div
      ref={scroller}
      data-scroll-restoration-id="library"
      className="min-h-0 flex-1 overflow-y-auto px-4.5 pt-1 pb-24"
    >
      {view === 'table' && shown > 0 && <TableHeader />}
      {/* biome-ignore lint/a11y/useSemanticElements: a virtual list cannot be a table. */}
      <div
        role="grid"
        aria-label={t`Videos`}
        aria-multiselectable
        aria-busy={isPending}
        aria-rowcount={hasMore ? -1 : rows}
        className="relative"
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
      >
        {visible.map((row) => (
          // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: its cells have the focus.
          <div
            key={row.key}
            role="row"
            aria-rowindex={row.index + 1}
            className="absolute inset-x-0 grid gap-x-3.5"
            style={{ top: row.start, height: rowHeight, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
          >
            {Array.from({ length: columns }, (_, column) => {
              const index = row.index * columns + column;
              const video = videos[index];
              if (video) {
                return (
                  <Cell
                    key={video.video_id}
                    video={video}
                    index={index}
                    active={index === active}
                    selection={selection}
                    extendTo={extendTo}
                  />
                );
              }
              return index < shown && <Placeholder key={index} view={view} />;
            })}
          </div>
        ))}
      </div>
    </div>
  );
});

const Placeholder = ({ view }: { view: 'grid' | 'table' }) => (
  // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: shown while a page loads.
  <div role="gridcell">
    <Skeleton className={view === 'table' ? 'mt-1 h-9' : 'aspect-video'} />
  </div>
);

/** Number of columns and height of a row, which follow from the width. */
function useLayout(scroller: React.RefObject<HTMLDivElement | null>, view: 'grid' | 'table') {
  const [width, setWidth] = useState(1200);
  // Before the first paint, which would otherwise show the columns of another width.
  useLayoutEffect(() => {
    const element = scroller.current!;
    const measure = () => {
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      setWidth(element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
  if (view === 'table') return { columns: 1, rowHeight: TABLE_ROW_HEIGHT };
  const minWidth = width < NARROW_WIDTH ? MIN_NARROW_CARD_WIDTH : MIN_CARD_WIDTH;
  const columns = fitColumns(width, minWidth, COLUMN_GAP);
  const cardWidth = (width - (columns - 1) * COLUMN_GAP) / columns;
  return { columns, rowHeight: Math.round((cardWidth * 9) / 16) + CAPTION_HEIGHT };
}
