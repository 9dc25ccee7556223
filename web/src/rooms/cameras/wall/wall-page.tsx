import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { useFolders } from '#api/folders-query.ts';
import { lazyComponent } from '#api/lazy-component.ts';
import { Title } from '#frame/page-slots.tsx';
import { type KeyCommands, useKeyCommands } from '#player/shortcuts.ts';
import { toggleFullScreen } from '#player/stage/video-stage.tsx';
import { Button, buttonClass } from '#ui/controls/button.tsx';
import { Select } from '#ui/controls/select.tsx';
import { formatShare } from '#ui/format/format.ts';
import { EmptyState, ErrorNotice, Skeleton } from '#ui/states.tsx';
import { camerasQuery } from '../queries.ts';
import { LatestEvents } from './latest-events.tsx';
import {
  arrange,
  columnsOf,
  gridOf,
  isArrow,
  neighbor,
  pageCount,
  pageOf,
  swap,
  toSources,
  WALL_SIZES,
  type WallSize,
} from './layout.ts';
import { isNew } from './seen-events.ts';
import { useDroppedShare, useIsNarrow, useWallEvents, useWallLayout, useWallSessions } from './use-wall.ts';
import { WallTile } from './wall-tile.tsx';
import { WallToolbar } from './wall-toolbar.tsx';

const CameraDialog = lazyComponent(async () => (await import('../camera-dialog.tsx')).CameraDialog);

/**
 * More tiles are previews: each player of low latency waits on a connection of its own, and browsers have six of them
 * to a server, one of which the change feed has.
 */
const MOST_LOW_LATENCY = 4;
/** A larger share of dropped frames is stated. */
const NOTABLE_DROPPED = 0.1;

/** Cameras and running streams beside each other, as each user arranges them. */
export function WallPage() {
  const { t } = useLingui();
  const queries = useQueryClient();
  const filter = useSearch({ from: '/app/live/wall' });
  const navigate = useNavigate({ from: '/live/wall' });
  const cameras = useQuery(camerasQuery);
  const folders = useFolders();
  const { query: open, sessions } = useWallSessions();
  const { query: stored, save } = useWallLayout();
  const { events, clockAheadMs, seen, markSeen } = useWallEvents();
  const isNarrow = useIsNarrow();
  const [adding, setAdding] = useState(false);
  const [isArranging, setArranging] = useState(false);
  const [wantedPage, setPage] = useState(0);
  const [current, setCurrent] = useState<string | null>(null);
  const stage = useRef<HTMLDivElement>(null);
  const links = useRef(new Map<string, HTMLAnchorElement>());
  /** The tile to focus once it is rendered. */
  const wanted = useRef<string | null>(null);
  const dropped = useDroppedShare(stage);
  useEffect(() => {
    const link = wanted.current === null ? undefined : links.current.get(wanted.current);
    if (!link) return;
    wanted.current = null;
    link.focus();
  });

  const layout = stored.data ?? { size: 4 as const, stream_ids: [] };
  const sources = toSources(cameras.data ?? [], sessions, folders);
  const all = arrange(sources, layout.stream_ids);
  const newEvents = events.filter((event) => isNew(seen, event));
  const newestOf = (id: string) => newEvents.find(({ stream_id }) => stream_id === id);
  const inFolder = all.filter(({ folder }) => filter.folder === undefined || folder?.id === filter.folder);
  const shown = filter.events ? inFolder.filter(({ id }) => newestOf(id) !== undefined) : inFolder;
  const size = layout.size;
  const page = Math.min(wantedPage, pageCount(shown.length, size) - 1);
  const tiles = isNarrow ? shown : shown.slice(page * size, (page + 1) * size);
  const { columns, rows } = isNarrow ? { columns: 1, rows: tiles.length } : gridOf(Math.max(1, tiles.length), size);
  const currentId = tiles.find(({ id }) => id === current)?.id ?? tiles[0]?.id;
  const ofShown = events.filter(({ stream_id }) => inFolder.some(({ id }) => id === stream_id));

  const focus = (id: string | undefined) => {
    if (id === undefined) return;
    setCurrent(id);
    wanted.current = id;
  };
  const exchange = (a: string, b: string) => {
    save({
      size,
      stream_ids: swap(
        all.map(({ id }) => id),
        layout.stream_ids,
        a,
        b,
      ),
    });
    focus(a);
  };
  const resize = (next: WallSize) => {
    save({ size: next, stream_ids: layout.stream_ids });
    // The page with the tile that had the focus.
    setPage(
      pageOf(
        shown.findIndex(({ id }) => id === currentId),
        next,
      ),
    );
  };
  const onArrow = (event: KeyboardEvent, id: string) => {
    if (!isArrow(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const index = tiles.findIndex((tile) => tile.id === id);
    const next = tiles[neighbor(index, event.key, { count: tiles.length, columns })]!.id;
    if (next === id) return;
    if (event.shiftKey) exchange(id, next);
    else focus(next);
  };

  const latest = useRef<KeyCommands>({});
  /** The size to return to from a single tile. */
  const several = useRef<WallSize>(4);
  useEffect(() => {
    if (size > 1) several.current = size;
    const toCurrent = () => focus(currentId);
    latest.current = {
      ...Object.fromEntries(WALL_SIZES.map((each) => [String(columnsOf(each)), () => resize(each)])),
      f: () => toggleFullScreen(stage.current),
      s: () => currentId !== undefined && markSeen(newEvents.filter(({ stream_id }) => stream_id === currentId)),
      PageUp: () => setPage(Math.max(0, page - 1)),
      PageDown: () => setPage(Math.min(page + 1, pageCount(shown.length, size) - 1)),
      Escape: () => (isArranging ? setArranging(false) : size === 1 && resize(several.current)),
      ArrowLeft: toCurrent,
      ArrowRight: toCurrent,
      ArrowUp: toCurrent,
      ArrowDown: toCurrent,
    };
  });
  useKeyCommands(useCallback(() => latest.current, []));

  const error = cameras.error ?? open.error ?? stored.error;
  const isLoading = !cameras.data || !open.data || !stored.data;
  const options = all.map(({ id, name }) => ({ value: id, label: name }));
  const announced = newEvents[0];
  return (
    <div className="flex min-h-full flex-col sm:h-full">
      <Title text={t`Wall`} />
      <WallToolbar
        sources={sources}
        filter={filter}
        onFilter={(search) => void navigate({ search, replace: true })}
        size={size}
        onSize={resize}
        page={page}
        count={shown.length}
        onPage={setPage}
        isArranging={isArranging}
        onArrange={() => setArranging(!isArranging)}
        onFullScreen={() => toggleFullScreen(stage.current)}
      />
      {dropped !== null && dropped > NOTABLE_DROPPED && (
        <p role="status" className="num px-3 pb-2 text-warn sm:px-4.5">
          <Trans>
            This device cannot show so many streams at once: {formatShare(dropped)} of their frames are dropped.
          </Trans>{' '}
          {/* A phone has no control of their number. */}
          {!isNarrow && <Trans>Show fewer tiles.</Trans>}
        </p>
      )}
      {isLoading ? (
        error ? (
          <ErrorNotice error={error} onRetry={() => void queries.refetchQueries({ type: 'active' })} className="m-4" />
        ) : (
          <Skeleton className="mx-3 aspect-video max-h-[70vh] sm:mx-4.5" />
        )
      ) : sources.length === 0 ? (
        <EmptyState
          title={<Trans>No cameras yet</Trans>}
          action={
            <>
              <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
                <Trans>Add camera</Trans>
              </Button>
              <Link to="/live" className={buttonClass()}>
                <Trans>Start a session</Trans>
              </Link>
            </>
          }
        >
          <Trans>The wall shows all cameras and running streams at once, and marks those with new events.</Trans>
        </EmptyState>
      ) : (
        <>
          <div ref={stage} className="sm:[container-type:size] grid min-h-0 flex-1 bg-bg px-3 pb-3 sm:px-4.5">
            {tiles.length === 0 ? (
              <EmptyState
                title={filter.events ? <Trans>No new events</Trans> : <Trans>No camera matches</Trans>}
                action={
                  <Button onClick={() => void navigate({ search: {}, replace: true })}>
                    <Trans>Show all</Trans>
                  </Button>
                }
              />
            ) : (
              <ul
                aria-label={t`Streams`}
                className="m-auto grid w-full gap-2.5"
                style={isNarrow ? undefined : fitGrid(columns, rows)}
              >
                {tiles.map((source, place) => (
                  <WallTile
                    // biome-ignore lint/suspicious/noArrayIndexKey: a moved video pauses; the places stay instead.
                    key={place}
                    source={source}
                    event={newestOf(source.id)}
                    isPreview={tiles.length > MOST_LOW_LATENCY}
                    clockAheadMs={clockAheadMs}
                    isCurrent={source.id === currentId}
                    attach={(link) =>
                      void (link ? links.current.set(source.id, link) : links.current.delete(source.id))
                    }
                    onOpen={() => markSeen(newEvents.filter(({ stream_id }) => stream_id === source.id))}
                    onFocus={() => setCurrent(source.id)}
                    onKeyDown={(event) => onArrow(event, source.id)}
                    onDropped={(other) => exchange(other, source.id)}
                  >
                    {isArranging && (
                      <span className="absolute inset-x-2 bottom-10 grid justify-items-center">
                        <Select
                          label={t`Camera in place ${page * size + place + 1}`}
                          value={source.id}
                          options={options}
                          onChange={(other) => exchange(other, source.id)}
                        />
                      </span>
                    )}
                  </WallTile>
                ))}
              </ul>
            )}
          </div>
          <LatestEvents events={ofShown} isNew={(event) => isNew(seen, event)} onSeen={markSeen} />
        </>
      )}
      <span role="status" className="sr-only">
        {/* A new element: an equal text after an equal event would not be announced. */}
        {announced && (
          <span key={announced.event_id}>{t`New event: ${announced.label}, ${announced.session_name}`}</span>
        )}
      </span>
      {adding && (
        <CameraDialog
          onClose={() => setAdding(false)}
          onSaved={() => void queries.invalidateQueries({ queryKey: camerasQuery.queryKey })}
        />
      )}
    </div>
  );
}

/** Tiles of 16 : 9 that fill the page. */
const fitGrid = (columns: number, rows: number) => ({
  gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
  gridTemplateRows: `repeat(${rows}, minmax(0, 1fr))`,
  aspectRatio: `${16 * columns} / ${9 * rows}`,
  width: `min(100cqw, 100cqh * ${(16 * columns) / (9 * rows)})`,
});
