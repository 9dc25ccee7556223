import { Trans, useLingui } from '@lingui/react/macro';
import {
  BellRing,
  ChevronLeft,
  ChevronRight,
  Grid2x2,
  Grid3x3,
  type LucideIcon,
  Maximize,
  Move,
  Rows4,
  Square,
} from 'lucide-react';
import { LiveTabs } from '#rooms/live/live-tabs.tsx';
import { classes } from '#ui/classes.ts';
import { Button, IconButton } from '#ui/controls/button.tsx';
import { Keys } from '#ui/controls/keys.tsx';
import { Select } from '#ui/controls/select.tsx';
import { formatNumber } from '#ui/format/format.ts';
import { Tip } from '#ui/overlays/tooltip.tsx';
import { columnsOf, pageCount, WALL_SIZES, type WallSize, type WallSource } from './layout.ts';

const ICONS: Record<WallSize, LucideIcon> = { 1: Square, 4: Grid2x2, 9: Grid3x3, 16: Rows4 };
/** More folders are a list instead of buttons. */
const MOST_CHIPS = 5;
const ALL = '';

export type WallFilter = { folder?: string | undefined; events?: true | undefined };

/** Above the tiles: how many, which of them, and which page. */
export function WallToolbar({
  sources,
  filter,
  onFilter,
  size,
  onSize,
  page,
  count,
  onPage,
  isArranging,
  onArrange,
  onFullScreen,
}: {
  /** All of them, for the numbers of the filters. */
  sources: readonly WallSource[];
  filter: WallFilter;
  onFilter: (filter: WallFilter) => void;
  size: WallSize;
  onSize: (size: WallSize) => void;
  page: number;
  /** Number of tiles on all pages. */
  count: number;
  onPage: (page: number) => void;
  isArranging: boolean;
  onArrange: () => void;
  onFullScreen: () => void;
}) {
  const { t } = useLingui();
  const pages = pageCount(count, size);
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 px-3 py-2.5 sm:px-4.5">
      <LiveTabs />
      {sources.length > 0 && (
        <>
          <fieldset className="flex overflow-hidden rounded-md border max-sm:hidden">
            <legend className="sr-only">{t`Number of tiles`}</legend>
            {WALL_SIZES.map((each) => {
              const Icon = ICONS[each];
              return (
                <Tip key={each} text={t`Tiles: ${each}`} keys={String(columnsOf(each))}>
                  <button
                    type="button"
                    aria-pressed={size === each}
                    aria-label={t`Tiles: ${each}`}
                    onClick={() => onSize(each)}
                    className="num inline-flex h-7.5 items-center gap-1.5 px-2.5 text-ink-2 not-first:border-l hover:text-ink aria-pressed:bg-raise aria-pressed:font-semibold aria-pressed:text-ink"
                  >
                    <Icon size={14} strokeWidth={1.75} aria-hidden />
                    {each}
                  </button>
                </Tip>
              );
            })}
          </fieldset>
          <Folders sources={sources} value={filter.folder} onChange={(folder) => onFilter({ ...filter, folder })} />
          <Button
            look="ghost"
            icon={BellRing}
            aria-pressed={filter.events === true}
            className="aria-pressed:bg-raise aria-pressed:text-ink"
            onClick={() => onFilter({ ...filter, events: filter.events ? undefined : true })}
          >
            <Trans>Only with new events</Trans>
          </Button>
          <div className="ml-auto flex items-center gap-1 max-sm:hidden">
            {pages > 1 && (
              <>
                <span className="num text-ink-2">
                  <Trans>
                    {formatNumber(page * size + 1)}–{formatNumber(Math.min(count, (page + 1) * size))} of{' '}
                    {formatNumber(count)}
                  </Trans>
                </span>
                <IconButton
                  icon={ChevronLeft}
                  label={t`Previous page`}
                  keys="PgUp"
                  disabled={page === 0}
                  onClick={() => onPage(page - 1)}
                />
                <IconButton
                  icon={ChevronRight}
                  label={t`Next page`}
                  keys="PgDn"
                  disabled={page === pages - 1}
                  onClick={() => onPage(page + 1)}
                />
              </>
            )}
            <IconButton icon={Move} label={t`Arrange`} pressed={isArranging} onClick={onArrange} />
            <Button look="ghost" icon={Maximize} onClick={onFullScreen}>
              <Trans>Full screen</Trans>
              <Keys>F</Keys>
            </Button>
          </div>
        </>
      )}
    </div>
  );
}

function Folders({
  sources,
  value,
  onChange,
}: {
  sources: readonly WallSource[];
  value: string | undefined;
  onChange: (folder: string | undefined) => void;
}) {
  const { t } = useLingui();
  const names = new Map(sources.flatMap(({ folder }) => (folder ? [[folder.id, folder.name] as const] : [])));
  if (names.size === 0) return null;
  const folders = [...names].sort(([, a], [, b]) => a.localeCompare(b));
  const countOf = (id: string) => sources.filter(({ folder }) => folder?.id === id).length;
  const chip = (id: string | undefined, name: string, count: number) => (
    <button
      key={id ?? ALL}
      type="button"
      aria-pressed={value === id}
      onClick={() => onChange(id)}
      className={classes(
        'inline-flex h-7.5 items-center gap-1.5 whitespace-nowrap rounded-full border px-3 hover:border-strong-line',
        value === id ? 'border-strong-line bg-raise text-ink' : 'border-line text-ink-2',
      )}
    >
      {name} <span className="num text-ink-3">{formatNumber(count)}</span>
    </button>
  );
  const isShort = folders.length <= MOST_CHIPS;
  return (
    <>
      {isShort && (
        <fieldset className="flex flex-wrap gap-1.5 max-lg:hidden">
          <legend className="sr-only">{t`Folder`}</legend>
          {chip(undefined, t`All`, sources.length)}
          {folders.map(([id, name]) => chip(id, name, countOf(id)))}
        </fieldset>
      )}
      <span className={isShort ? 'lg:hidden' : undefined}>
        <Select
          label={t`Folder`}
          value={value ?? ALL}
          onChange={(id) => onChange(id || undefined)}
          options={[
            { value: ALL, label: t`All folders` },
            ...folders.map(([id, name]) => ({ value: id, label: `${name} (${formatNumber(countOf(id))})` })),
          ]}
        />
      </span>
    </>
  );
}
