import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { AnalysisDocument, Batch } from '@sightline/sdk';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import type { QuestionSearch } from '#frame/search-params.ts';
import type { QuestionState } from '#rooms/analyses/question-stream.ts';
import { Swatch } from '#timeline/drawing/swatch.tsx';
import { classes } from '#ui/classes.ts';
import { Button } from '#ui/controls/button.tsx';
import { ConfidenceSelect } from '#ui/controls/confidence-select.tsx';
import { Select } from '#ui/controls/select.tsx';
import { formatConfidence, formatTime } from '#ui/format/format.ts';
import { useColumns, VirtualGrid, VirtualRows } from '#ui/lists/virtual-list.tsx';
import { ServiceText } from '#ui/service-text.tsx';
import { EvidenceTile } from './evidence-tile.tsx';
import { FacetList, VideoFacet, VideoName } from './facet-list.tsx';
import { facet, select } from './facets.ts';
import { type GroupCell, groupByVideo, packGroups, type VideoGroup } from './groups.ts';
import { SectionTitle, sectionRows, VideoRow, type VideoSection } from './other-videos.tsx';
import type { BatchEvent } from './queries.ts';

type Props = {
  batch: Batch;
  events: readonly BatchEvent[];
  candidates: readonly BatchEvent[];
  documents: readonly AnalysisDocument[];
  question: QuestionState;
  search: QuestionSearch;
  onSearch: (next: QuestionSearch) => void;
};

/** Least width of a tile in pixels. */
const TILE_PX = 210;

/** The events of a question by video, with facets that narrow them; below them the videos without events. */
export function EventResults({ batch, events, candidates, documents, question, search, onSearch }: Props) {
  const { t } = useLingui();
  // Wide pages always show the facets.
  const [open, setOpen] = useState(false);
  const shown = useMemo(() => select(events, search), [events, search]);
  const severities: Record<string, string> = { low: t`Low`, medium: t`Medium`, high: t`High` };
  const verdicts: Record<string, string> = {
    pending: t`To review`,
    approved: t`Approved`,
    rejected: t`Rejected`,
    unsure: t`Unsure`,
  };
  const { label, severity, verdict, video, confidence } = search;
  const isFiltered = [label, severity, verdict, video, confidence].some((value) => value !== undefined);
  const colors = useMemo(() => labelColors(events), [events]);
  const inVideos = new Set(shown.map(({ videoId }) => videoId)).size;
  const folded = isFiltered ? 0 : candidates.length;
  return (
    <div className={classes('grid gap-x-6 gap-y-4 p-4.5', events.length > 0 && 'lg:grid-cols-[180px_minmax(0,1fr)]')}>
      <aside
        aria-label={t`Filters`}
        hidden={events.length === 0}
        className={classes(
          'content-start gap-4 max-lg:grid-cols-2 max-sm:grid-cols-1 not-[[hidden]]:lg:grid',
          open ? 'grid' : 'hidden',
        )}
      >
        <FacetList
          title={t`Label`}
          facets={facet(events, search, 'label')}
          mark={(value) => <Swatch color={colors.get(value) ?? 0} />}
          english
          chosen={label}
          onChoose={(next) => onSearch({ label: next })}
        />
        <FacetList
          title={t`Verdict`}
          facets={facet(events, search, 'verdict')}
          name={(value) => verdicts[value] ?? value}
          chosen={verdict}
          onChoose={(next) => onSearch({ verdict: next as QuestionSearch['verdict'] })}
        />
        <FacetList
          title={t`Severity`}
          facets={facet(events, search, 'severity')}
          name={(value) => severities[value] ?? value}
          chosen={severity}
          onChoose={(next) => onSearch({ severity: next })}
        />
        <VideoFacet
          facets={facet(events, search, 'video')}
          chosen={video}
          onChoose={(next) => onSearch({ video: next })}
        />
      </aside>
      <div className="min-w-0">
        <div className={classes('mb-3 flex flex-wrap items-center gap-2', events.length === 0 && 'hidden')}>
          <h2 className="num mr-auto text-base" aria-live="polite">
            <EventTotal events={shown.length} videos={inVideos} />
            {folded > 0 && (
              <span className="ml-2 font-normal text-ink-3">
                <Plural value={folded} one="# candidate folded" other="# candidates folded" />
              </span>
            )}
          </h2>
          <Button className="lg:hidden" aria-expanded={open} onClick={() => setOpen(!open)}>
            <Trans>Filters</Trans>
          </Button>
          {isFiltered && (
            <Button
              look="ghost"
              onClick={() =>
                onSearch({
                  label: undefined,
                  severity: undefined,
                  verdict: undefined,
                  video: undefined,
                  confidence: undefined,
                })
              }
            >
              <Trans>Clear filters</Trans>
            </Button>
          )}
          <ConfidenceSelect value={confidence} onChange={(next) => onSearch({ confidence: next })} />
          <Select
            label={t`Order`}
            value={search.sort ?? 'time'}
            onChange={(sort) => onSearch({ sort: sort === 'time' ? undefined : sort })}
            options={[
              { value: 'time', label: t`By video and time` },
              { value: 'confidence', label: t`Surest first` },
              { value: 'rarest', label: t`Rarest first` },
            ]}
          />
        </div>
        {search.sort === undefined || search.sort === 'time' ? (
          <GroupedEvents
            batch={batch}
            events={shown}
            candidates={isFiltered ? NONE : candidates}
            documents={documents}
            question={question}
            colors={colors}
            hasOthers={!isFiltered}
          />
        ) : (
          <VirtualGrid label={t`Events`} items={shown} itemKey={({ id }) => id} minWidth={TILE_PX} estimate={200}>
            {(event) => <EvidenceTile event={event} color={colors.get(event.label)} />}
          </VirtualGrid>
        )}
      </div>
    </div>
  );
}

const NONE: readonly BatchEvent[] = [];

/** "9 events in 4 videos"; one video needs no number. */
function EventTotal({ events, videos }: { events: number; videos: number }) {
  const counted = <Plural value={events} one="# event" other="# events" />;
  return videos > 1 ? (
    <Trans>
      {counted} in {videos} videos
    </Trans>
  ) : (
    counted
  );
}

/** Labels with the number of a timeline color each, in the order of their first events. */
const labelColors = (events: readonly BatchEvent[]) =>
  new Map([...new Set(events.map(({ label }) => label))].map((label, index) => [label, (index % 6) + 1]));

type Row = { kind: 'tiles'; cells: GroupCell<VideoGroup>[] } | VideoSection;

function GroupedEvents({
  batch,
  events,
  candidates,
  documents,
  question,
  colors,
  hasOthers,
}: Omit<Props, 'search' | 'onSearch'> & { colors: ReadonlyMap<string, number>; hasOthers: boolean }) {
  const ref = useRef<HTMLDivElement>(null);
  const columns = useColumns(ref, TILE_PX, 2);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const answers = useMemo(() => new Map(documents.map((each) => [each.video_id, each])), [documents]);
  const groups = useMemo(
    () =>
      groupByVideo(
        events,
        candidates,
        batch.videos.map(({ video_id }) => video_id),
      ),
    [events, candidates, batch],
  );
  const rows = useMemo<Row[]>(() => {
    const sizeOf = (group: VideoGroup) => tilesOf(group, expanded.has(group.videoId)).length;
    return [
      ...packGroups(groups, sizeOf, columns).map((cells) => ({ kind: 'tiles' as const, cells })),
      ...(hasOthers ? sectionRows(batch, groups, candidates, answers) : []),
    ];
  }, [groups, expanded, columns, hasOthers, batch, candidates, answers]);
  const toggle = (videoId: string) => {
    const next = new Set(expanded);
    if (!next.delete(videoId)) next.add(videoId);
    setExpanded(next);
  };
  return (
    <div ref={ref}>
      <VirtualRows rows={rows} rowKey={keyOf} estimate={heightOf}>
        {(row) =>
          row.kind === 'tiles' ? (
            <div className="grid gap-x-3.5" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
              {row.cells.map((cell) => (
                <GroupTiles
                  key={cell.group.videoId}
                  cell={cell}
                  document={answers.get(cell.group.videoId)}
                  colors={colors}
                  isExpanded={expanded.has(cell.group.videoId)}
                  onToggle={() => toggle(cell.group.videoId)}
                />
              ))}
            </div>
          ) : row.kind === 'title' ? (
            <SectionTitle section={row} />
          ) : (
            <VideoRow row={row} batch={batch} question={question} />
          )
        }
      </VirtualRows>
    </div>
  );
}

const keyOf = (row: Row): string => {
  if (row.kind === 'tiles') return row.cells.map(({ group, from }) => `${group.videoId} ${from}`).join();
  return row.kind === 'title' ? row.section : row.video.analysis_id;
};
const heightOf = (row: Row): number => {
  if (row.kind !== 'tiles') return row.kind === 'title' ? 52 : 34;
  return row.cells[0]!.isFirst ? 250 : 195;
};

type Tile = { kind: 'event' | 'candidate'; event: BatchEvent } | { kind: 'fold' };

/** Tiles of a group: events, then the number of candidates, then these if they are shown. */
const tilesOf = ({ events, candidates }: VideoGroup, isExpanded: boolean): Tile[] => [
  ...events.map((event) => ({ kind: 'event' as const, event })),
  ...(candidates.length > 0 ? [{ kind: 'fold' as const }] : []),
  ...(isExpanded ? candidates.map((event) => ({ kind: 'candidate' as const, event })) : []),
];

function GroupTiles({
  cell: { group, from, to, isFirst },
  document,
  colors,
  isExpanded,
  onToggle,
}: {
  cell: GroupCell<VideoGroup>;
  document: AnalysisDocument | undefined;
  colors: ReadonlyMap<string, number>;
  isExpanded: boolean;
  onToggle: () => void;
}) {
  const { t } = useLingui();
  const duration = Number(document?.metadata.duration_s ?? 0);
  const isQuestion = document?.analysis.plan != null && document.analysis.plan.question !== null;
  return (
    <section
      style={{ gridColumn: `span ${to - from}` }}
      className={classes('min-w-0 pb-4', isFirst && 'border-t pt-2.5')}
    >
      {isFirst && (
        <header className="mb-2 grid gap-0.5">
          <h3 className="truncate text-base">
            <VideoName videoId={group.videoId} />
          </h3>
          <p className="num flex items-center gap-2 text-ink-3 text-sm">
            {duration > 0 && <span>{formatTime(duration, 0)}</span>}
            <span className="ml-auto text-ink">
              <Plural value={group.events.length} one="# event" other="# events" />
            </span>
            {duration > 0 && <EventMarks events={group.events} duration={duration} colors={colors} />}
          </p>
          {isQuestion && (
            <p className="break-words text-ink-2">
              <ServiceText>{document.analysis.answer}</ServiceText>
            </p>
          )}
        </header>
      )}
      <ul
        aria-label={t`Events`}
        className="grid gap-x-3.5"
        style={{ gridTemplateColumns: `repeat(${to - from}, minmax(0, 1fr))` }}
      >
        {tilesOf(group, isExpanded)
          .slice(from, to)
          .map((tile) =>
            tile.kind === 'fold' ? (
              <li key="fold">
                <CandidateFold
                  count={group.candidates.length}
                  least={document?.analysis.min_confidence}
                  isExpanded={isExpanded}
                  onToggle={onToggle}
                />
              </li>
            ) : (
              <li key={tile.event.id} className={classes('min-w-0', tile.kind === 'candidate' && 'opacity-80')}>
                <EvidenceTile event={tile.event} color={tile.kind === 'event' ? colors.get(tile.event.label) : 0} />
              </li>
            ),
          )}
      </ul>
    </section>
  );
}

/** Where the events are in their video. */
function EventMarks({
  events,
  duration,
  colors,
}: {
  events: readonly BatchEvent[];
  duration: number;
  colors: ReadonlyMap<string, number>;
}) {
  return (
    <span aria-hidden className="relative h-2 w-24 min-w-10 shrink">
      <span className="absolute inset-x-0 top-1/2 h-0.5 -translate-y-1/2 rounded-full bg-line" />
      {events.map(({ id, startS, label }) => (
        <span
          key={id}
          className={classes('absolute inset-y-0 w-1 -translate-x-1/2 rounded-xs', MARKS[colors.get(label) ?? 0])}
          style={{ left: `${Math.min(1, startS / duration) * 100}%` }}
        />
      ))}
    </span>
  );
}

const MARKS = ['bg-ink-3', 'bg-lane-1', 'bg-lane-2', 'bg-lane-3', 'bg-lane-4', 'bg-lane-5', 'bg-lane-6'];

/** Possible events that are not certain enough, as one tile that shows them. */
function CandidateFold({
  count,
  least = 0.5,
  isExpanded,
  onToggle,
}: {
  count: number;
  least: number | undefined;
  isExpanded: boolean;
  onToggle: () => void;
}) {
  const Icon = isExpanded ? ChevronDown : ChevronRight;
  return (
    <button
      type="button"
      aria-expanded={isExpanded}
      onClick={onToggle}
      className="grid aspect-video w-full content-center gap-0.5 rounded-md border border-strong-line border-dashed px-3 text-left hover:bg-raise/60"
    >
      <span className="flex items-center gap-2 font-medium">
        <Icon size={14} aria-hidden />
        <Plural value={count} one="# candidate" other="# candidates" />
      </span>
      <span className="text-ink-3 text-sm">
        <Trans>Below {formatConfidence(least)} or not confirmed</Trans>
      </span>
    </button>
  );
}
