import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { EventSummary } from '@sightline/sdk';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useRef, useState } from 'react';
import { sightline } from '#api/client.ts';
import { Title } from '#frame/page-slots.tsx';
import type { ReviewSearch } from '#frame/search-params.ts';
import { openShortcuts } from '#frame/shortcuts.tsx';
import type { Player } from '#player/player.ts';
import { VideoLink } from '#rooms/batches/evidence-tile.tsx';
import { Button, buttonClass } from '#ui/controls/button.tsx';
import { Keys } from '#ui/controls/keys.tsx';
import { formatNumber } from '#ui/format/format.ts';
import { Quoted } from '#ui/format/quoted.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { EmptyState, ErrorNotice, Skeleton } from '#ui/states.tsx';
import { ClipPlayer } from './clip-player.tsx';
import { EdgeStrip } from './edge-strip.tsx';
import { EventPanel } from './event-panel.tsx';
import { Filmstrip } from './filmstrip.tsx';
import { IncidentEvents } from './incident-events.tsx';
import { MissedDialog } from './missed-dialog.tsx';
import { useReasons } from './reasons.ts';
import { ReviewFilters } from './review-filters.tsx';
import { useReviewKeys } from './review-keys.ts';
import { SampleReview } from './samples/sample-review.tsx';
import { ScorePanel } from './score-panel.tsx';
import { type Queue, useQueue } from './use-queue.ts';

/** Events one after the other: the clip repeats, a key decides, the next one is already loaded. */
export function ReviewPage() {
  const { t } = useLingui();
  const search = useSearch({ from: '/app/review' });
  const navigate = useNavigate({ from: '/review' });
  const onSearch = useCallback(
    (next: ReviewSearch) =>
      void navigate({ search: (old) => ({ ...old, ...next }), replace: true, resetScroll: false }),
    [navigate],
  );
  return (
    <div className="flex min-h-full flex-col lg:h-full">
      <Title text={t`Review`} />
      {search.show === 'samples' ? (
        <>
          <ReviewFilters facets={null} search={search} onSearch={onSearch} />
          <SampleReview key={`${search.query} ${search.folder} ${search.batch}`} search={search} />
        </>
      ) : (
        <EventReview search={search} onSearch={onSearch} />
      )}
    </div>
  );
}

function EventReview({ search, onSearch }: { search: ReviewSearch; onSearch: (next: ReviewSearch) => void }) {
  const onEvent = useCallback((event: string | undefined) => onSearch({ event }), [onSearch]);
  const queue = useQueue(search, onEvent);
  const { current, error, isPending, refetch } = queue;
  return (
    <>
      <ReviewFilters facets={queue.facets} search={search} onSearch={onSearch} />
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} className="m-3" />}
      {isPending && <Skeleton className="m-3 aspect-video max-h-[60vh]" />}
      {!isPending && !error && !current && <Empty isFiltered={Object.values(search).some(Boolean)} />}
      {current && <Workspace queue={queue} current={current} />}
    </>
  );
}

function Workspace({ queue, current }: { queue: Queue; current: EventSummary }) {
  const { t } = useLingui();
  const { show } = useToasts();
  const reasons = useReasons();
  const [player, setPlayer] = useState<Player | null>(null);
  const [rejecting, setRejecting] = useState<string | null>(null);
  const [missedAt, setMissedAt] = useState<number | null>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [showBoxes, setShowBoxes] = useState(true);
  const toggleBoxes = () => setShowBoxes(!showBoxes);
  const label = useRef<HTMLInputElement>(null);
  const isRejecting = rejecting === current.event_id;

  const decide = (approval: 'approved' | 'rejected' | 'unsure', reason?: string) => {
    setRejecting(null);
    queue.change({ approval, ...(reason ? { reason } : {}) });
    queue.advance();
  };
  const setEdge = (edge: 'start' | 'end', time: number) => {
    const [start, end] = edge === 'start' ? [time, current.end_s] : [current.start_s, time];
    // An edge beyond the other one moves both.
    const moved = { start_s: edge === 'end' ? Math.min(start, time) : start, end_s: Math.max(end, start) };
    queue.change({ start_s: round(Math.max(0, moved.start_s)), end_s: round(moved.end_s) });
  };
  const toggleSelected = () => {
    const next = new Set(selected);
    if (!next.delete(current.event_id)) next.add(current.event_id);
    setSelected(next);
  };
  const decideSelected = (approval: 'approved' | 'rejected') => {
    const ids = [...selected];
    if (ids.length === 0) return show(t`Select events with X first`);
    queue.change({ approval }, ids);
    setSelected(new Set());
  };
  useReviewKeys(player, {
    approve: () => decide('approved'),
    approveSelected: () => decideSelected('approved'),
    reject: () => (isRejecting ? decide('rejected') : setRejecting(current.event_id)),
    reason: (number) => isRejecting && reasons[number - 1] && decide('rejected', reasons[number - 1]!.value),
    disarm: () => setRejecting(null),
    unsure: () => decide('unsure'),
    edit: () => {
      label.current?.focus();
      label.current?.select();
    },
    setEdge: (edge) => player && setEdge(edge, player.time()),
    nudge: (edge) =>
      player &&
      setEdge(edge, edge === 'start' ? current.start_s - 1 / player.frameRate : current.end_s + 1 / player.frameRate),
    toggleBoxes,
    missed: () => setMissedAt(player?.time() ?? current.start_s),
    undo: () => void queue.undo(),
    select: toggleSelected,
    skip: () => queue.step(1),
    back: () => queue.step(-1),
  });

  const { events, index, total, isComplete } = queue;
  const position = index + 1;
  const rate = queue.times.length;
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] lg:grid-cols-[132px_minmax(0,1fr)_280px]">
      <Filmstrip events={events} index={index} selected={selected} onChoose={queue.goTo} />
      <div className="flex min-h-0 min-w-0 flex-col gap-2 p-3">
        <div className="relative aspect-video min-h-40 overflow-hidden rounded-lg bg-black lg:aspect-auto lg:flex-1">
          {/* The next event is loaded while this one is shown. */}
          {events.slice(index, index + 2).map((event) => (
            <ClipPlayer
              key={event.event_id}
              event={event}
              isShown={event === current}
              showBoxes={showBoxes}
              onToggleBoxes={toggleBoxes}
              onPlayer={setPlayer}
            />
          ))}
        </div>
        {player && <EdgeStrip event={current} player={player} />}
        <KeyHints />
      </div>
      <aside
        aria-label={t`Event`}
        className="min-h-0 border-t bg-panel p-3.5 lg:overflow-y-auto lg:border-t-0 lg:border-l"
      >
        <p className="num mb-1 text-ink-3 text-sm">
          <Trans>
            Event {formatNumber(position)} of {formatNumber(total)}
          </Trans>
          {isComplete ? '' : '+'}
          {rate > 0 && <Trans> · {rate} in the last minute</Trans>}
        </p>
        <EventPanel event={current} label={label} isRejecting={isRejecting} onChange={queue.change} onVerdict={decide}>
          {selected.size > 0 && (
            <div className="grid gap-1.5 border-t pt-3">
              <p className="num text-sm">
                <Plural value={selected.size} one="# event selected" other="# events selected" />
              </p>
              <div className="flex flex-wrap gap-1.5">
                <Button onClick={() => decideSelected('approved')}>
                  <Trans>Approve selected</Trans>
                </Button>
                <Button look="danger" onClick={() => decideSelected('rejected')}>
                  <Trans>Reject selected</Trans>
                </Button>
              </div>
            </div>
          )}
          <p className="truncate border-t pt-3 text-ink-2 text-sm">
            <VideoLink
              videoId={current.video_id}
              search={{ t: current.start_s, tab: 'events', analysis: current.analysis_id, event: current.event_id }}
              className="hover:underline"
            >
              {current.video_name}
            </VideoLink>
            <span className="block truncate text-ink-3" title={current.query}>
              <Quoted>{current.query}</Quoted>
            </span>
          </p>
          <IncidentEvents event={current} />
          <ScorePanel query={current.query} folderId={current.folder_id} />
        </EventPanel>
      </aside>
      {missedAt !== null && (
        <MissedDialog
          event={current}
          time={missedAt}
          onAdd={async (event) => queue.added(await sightline.addEvent(current.video_id, current.analysis_id, event))}
          onClose={() => setMissedAt(null)}
        />
      )}
    </div>
  );
}

const round = (seconds: number) => Math.round(seconds * 1000) / 1000;

function KeyHints() {
  const { t } = useLingui();
  const hints: [string[], string][] = [
    [['A'], t`approve`],
    [['R'], t`reject`],
    [['[', ']'], t`set edges here`],
    [[',', '.'], t`frame`],
    [['M'], t`missed event`],
    [['U'], t`undo`],
    [['J', 'K', 'L'], t`shuttle`],
  ];
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1 text-ink-2 text-sm max-lg:hidden">
      {hints.map(([keys, text]) => (
        <span key={text} className="flex items-center gap-1">
          {keys.map((key) => (
            <Keys key={key}>{key}</Keys>
          ))}
          {text}
        </span>
      ))}
      <button type="button" onClick={openShortcuts} className="ml-auto flex items-center gap-1 hover:text-ink">
        <Keys>?</Keys>
        <Trans>all keys</Trans>
      </button>
    </div>
  );
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState
        title={<Trans>No event matches these filters</Trans>}
        action={
          <Link to="/review" className={buttonClass('primary')}>
            <Trans>Show all events to review</Trans>
          </Link>
        }
      />
    );
  }
  return (
    <EmptyState
      title={<Trans>Nothing to review</Trans>}
      action={
        <Link to="/questions" className={buttonClass('primary')}>
          <Trans>Questions</Trans>
        </Link>
      }
    >
      <Trans>
        Events of your questions appear here, one after the other: approve or reject them, correct them, and add those
        that were missed.
      </Trans>
    </EmptyState>
  );
}
