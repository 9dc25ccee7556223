import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Batch } from '@sightline/sdk';
import { useNavigate } from '@tanstack/react-router';
import { ArrowLeftRight, Unlink, X } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { QuestionSearch } from '#frame/search-params.ts';
import { Confidence, EvidenceImage } from '#rooms/analyses/event-card.tsx';
import { classes } from '#ui/classes.ts';
import { Button, IconButton } from '#ui/controls/button.tsx';
import { Select } from '#ui/controls/select.tsx';
import { formatConfidence, formatDateTime, formatNumber, formatShare, formatTime } from '#ui/format/format.ts';
import { ErrorNotice, ProgressBar, Skeleton } from '#ui/states.tsx';
import { compareEvents, type EventPair, type SingleEvent, WITHIN_S } from './compare.ts';
import { VideoLink } from './evidence-tile.tsx';
import { VideoName } from './facet-list.tsx';
import { HoverClip, useRests } from './hover-clip.tsx';
import { type OtherReason, reasonOf } from './other-reason.ts';
import type { BatchEvent, useBatch } from './queries.ts';

type Side = ReturnType<typeof useBatch>;
type Loaded = Side & { batch: Batch };
type Props = { a: Loaded; b: Side; search: QuestionSearch; onSearch: (next: QuestionSearch) => void };

/** Rows of a column before it is expanded. */
const SHOWN = 40;
const TIMES_S = [0.5, 2, 5, 10];
const NO_PAIRS: ReadonlySet<string> = new Set();
const keyOf = ({ a, b }: EventPair) => `${a.id} ${b.id}`;

/** Two questions side by side: incidents of both, and events of one. No number is shown before both are known. */
export function ComparisonView({ a, b, search, onSearch }: Props) {
  const { t } = useLingui();
  const end = () => onSearch({ compare: undefined, part: undefined, within: undefined });
  if (b.error) return <ErrorNotice error={b.error} onRetry={b.refetch} className="m-4.5" />;
  const running = [a, b].filter(({ batch }) => batch?.status === 'processing');
  if (!b.batch || running.length > 0 || a.isLoading || b.isLoading) {
    return (
      <div className="grid gap-3 p-4.5">
        <div className="flex items-center gap-3">
          <p role="status" className="mr-auto font-semibold text-lg">
            {running.length > 0 ? (
              <Trans>The comparison appears when both questions have ended.</Trans>
            ) : (
              <Trans>Loading the events of both questions…</Trans>
            )}
          </p>
          <IconButton icon={X} label={t`End the comparison`} onClick={end} />
        </div>
        {running.map(({ batch }) => (
          <div key={batch!.batch_id} className="grid gap-1">
            <p className="truncate text-ink-2">{batch!.query}</p>
            <ProgressBar
              value={batch!.aggregated_progress.completed / batch!.aggregated_progress.total}
              label={t`Progress of the question`}
            />
          </div>
        ))}
        <div className="grid gap-3.5 lg:grid-cols-3">
          {['a', 'both', 'b'].map((key) => (
            <Skeleton key={key} className="h-60" />
          ))}
        </div>
      </div>
    );
  }
  return <Compared a={a} b={b as Loaded} search={search} onSearch={onSearch} onEnd={end} />;
}

type Part = 'a' | 'both' | 'b';

function Compared({ a, b, search, onSearch, onEnd }: Omit<Props, 'b'> & { b: Loaded; onEnd: () => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [split, setSplit] = useState(NO_PAIRS);
  const withinS = search.within ?? WITHIN_S;
  const compared = useMemo(
    () => compareEvents(a.events, b.events, { withinS, isSplit: (pair) => split.has(keyOf(pair)) }),
    [a.events, b.events, withinS, split],
  );
  const { both, onlyA, onlyB } = compared;
  const reasonInA = useMemo(() => readReasons(a, withinS), [a, withinS]);
  const reasonInB = useMemo(() => readReasons(b, withinS), [b, withinS]);
  const part = search.part ?? (both.length > 0 ? 'both' : onlyA.length > 0 ? 'a' : 'b');
  const counts: Record<Part, number> = { a: onlyA.length, both: both.length, b: onlyB.length };
  const names: Record<Part, string> = { a: t`Only A`, both: t`In both`, b: t`Only B` };
  const column = (value: Part, children: ReactNode) => (
    <section
      aria-label={names[value]}
      className={classes('min-w-0 lg:block lg:not-last:border-r', part !== value && 'hidden')}
    >
      {children}
    </section>
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the rows in it.
    <div onKeyDown={moveByKeys}>
      <div className="flex flex-wrap items-start gap-2 border-b px-4.5 py-3.5">
        <div className="mr-auto min-w-0">
          <p role="status" className="text-balance font-semibold text-lg leading-6">
            <Plural
              value={both.length}
              _0="The questions share no incident."
              one="Both questions found # incident."
              other="Both questions found # incidents."
            />{' '}
            <Trans>
              Only A found {formatNumber(onlyA.length)}, only B {formatNumber(onlyB.length)}.
            </Trans>
          </p>
          <p className="text-ink-2 text-sm">
            <Trans>Matched by video, object, place and time. Each event counts once.</Trans>{' '}
            <SharedVideos a={a.batch} b={b.batch} />
          </p>
        </div>
        <Select
          label={t`Longest time between the events of an incident`}
          value={String(withinS)}
          onChange={(value) => onSearch({ within: Number(value) === WITHIN_S ? undefined : Number(value) })}
          options={[...new Set([...TIMES_S, withinS])].map((seconds) => ({
            value: String(seconds),
            label: t`Within ${formatNumber(seconds)} s`,
          }))}
        />
        <Button
          icon={ArrowLeftRight}
          onClick={() =>
            void navigate({
              to: '/questions/$batchId',
              params: { batchId: b.batch.batch_id },
              search: { compare: a.batch.batch_id, within: search.within },
            })
          }
          className="max-sm:hidden"
        >
          <Trans>Swap A and B</Trans>
        </Button>
        <IconButton icon={X} label={t`End the comparison`} onClick={onEnd} />
      </div>
      <fieldset className="flex border-b lg:hidden">
        <legend className="sr-only">
          <Trans>Comparison</Trans>
        </legend>
        {(['a', 'both', 'b'] as const).map((value) => (
          <button
            key={value}
            type="button"
            aria-pressed={part === value}
            onClick={() => onSearch({ part: value })}
            className={classes(
              'num h-11 flex-1 border-b-2',
              part === value ? 'border-accent font-medium text-ink' : 'border-transparent text-ink-2',
            )}
          >
            {names[value]} {formatNumber(counts[value])}
          </button>
        ))}
      </fieldset>
      <div className="grid lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)_minmax(0,4fr)]">
        {column(
          'a',
          <>
            <ColumnHead letter="A" side={a} count={onlyA.length} name={names.a} />
            <Singles singles={onlyA} other="B" reasonOf={reasonInB} letter="A" />
          </>,
        )}
        {column(
          'both',
          <>
            {/* Below it, headings name videos: on narrow screens it is the only one above them. */}
            <h2 className="sr-only">{names.both}</h2>
            <div className="flex flex-col justify-between border-b px-4.5 py-2.5 max-lg:hidden lg:h-20">
              <p className="text-ink-3 text-sm">
                <Trans>A on the left, B on the right</Trans>
              </p>
              <ColumnCount count={both.length} name={t`the same incident in both`} />
            </div>
            <Pairs pairs={both} onSplit={(pair) => setSplit(new Set([...split, keyOf(pair)]))} />
          </>,
        )}
        {column(
          'b',
          <>
            <ColumnHead letter="B" side={b} count={onlyB.length} name={names.b} />
            <Singles singles={onlyB} other="A" reasonOf={reasonInA} letter="B" />
          </>,
        )}
      </div>
      {split.size > 0 && (
        <p className="flex items-center gap-2 border-t px-4.5 py-2 text-ink-2 text-sm">
          <Plural value={split.size} one="# pair is split." other="# pairs are split." />
          <Button look="ghost" onClick={() => setSplit(NO_PAIRS)}>
            <Trans>Match them again</Trans>
          </Button>
        </p>
      )}
    </div>
  );
}

/** States why a question has no event like one of the other question. */
function readReasons({ documents, events, candidates }: Loaded, withinS: number) {
  const answers = new Map(documents.map((each) => [each.video_id, each]));
  const found = new Set(events.map(({ videoId }) => videoId));
  return (single: SingleEvent) => reasonOf(single, answers, found, candidates, withinS);
}

/** Arrow keys move between rows; X splits the pair that has the focus. */
function moveByKeys(event: React.KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const row = (event.target as HTMLElement).closest('[data-row]');
  if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
  if (step) {
    const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')].filter((each) =>
      each.checkVisibility(),
    );
    const next = rows[rows.indexOf(row as HTMLElement) + step];
    next?.querySelector('a')?.focus();
    event.preventDefault();
  } else if (event.key.toLowerCase() === 'x') {
    row.querySelector<HTMLElement>('[data-split]')?.click();
  }
}

/** Videos that only one of the questions is about cannot be compared. */
function SharedVideos({ a, b }: { a: Batch; b: Batch }) {
  const [inA, inB] = [a, b].map(({ videos }) => new Set(videos.map(({ video_id }) => video_id))) as [
    Set<string>,
    Set<string>,
  ];
  const shared = [...inA].filter((id) => inB.has(id)).length;
  if (shared === inA.size && shared === inB.size) {
    return <Plural value={shared} one="The same video." other="The same # videos." />;
  }
  const others = inA.size + inB.size - 2 * shared;
  return (
    <span className="text-warn">
      <Plural value={shared} one="# video in common;" other="# videos in common;" />{' '}
      <Plural value={others} one="# was searched by one question only." other="# were searched by one question only." />
    </span>
  );
}

const LETTERS = { A: 'border-lane-1', B: 'border-lane-3' };

const Letter = ({ letter }: { letter: 'A' | 'B' }) => (
  <span
    className={classes(
      'grid size-5 shrink-0 place-items-center rounded-sm border-2 font-semibold text-ink text-xs',
      LETTERS[letter],
    )}
  >
    {letter}
  </span>
);

function ColumnHead({ letter, side, count, name }: { letter: 'A' | 'B'; side: Loaded; count: number; name: string }) {
  const { batch, events } = side;
  return (
    <div className="border-b px-4.5 py-2.5 lg:h-20">
      <h2 className="flex items-center gap-2 text-base">
        <Letter letter={letter} />
        <span className="min-w-0 truncate" title={batch.query}>
          {batch.query}
        </span>
      </h2>
      <p className="num text-ink-3 text-sm">
        <Plural value={events.length} one="# event" other="# events" /> · {formatDateTime(batch.created_at)}
      </p>
      <ColumnCount count={count} name={name} of={events.length} />
    </div>
  );
}

const ColumnCount = ({ count, name, of }: { count: number; name: string; of?: number }) => (
  <p className="num flex items-baseline gap-2">
    <span className="font-semibold text-lg">{formatNumber(count)}</span>
    <span className="font-medium">{name}</span>
    {of !== undefined && (
      <span className="ml-auto text-ink-3 text-sm">
        <Trans>of {formatNumber(of)}</Trans>
      </span>
    )}
  </p>
);

/** Rows with the name of the video above the first one of each. */
function Rows<T>({
  items,
  videoOf,
  empty,
  children,
}: {
  items: readonly T[];
  videoOf: (item: T) => string;
  empty: ReactNode;
  children: (item: T) => ReactNode;
}) {
  const [shown, setShown] = useState(SHOWN);
  if (items.length === 0) return <p className="p-4.5 text-ink-3">{empty}</p>;
  return (
    <>
      {[...Map.groupBy(items.slice(0, shown), videoOf)].map(([videoId, rows]) => (
        <div key={videoId} className="px-2.5 py-2">
          <h3 className="truncate px-2 pb-1 font-normal text-ink-2 text-sm">
            <VideoName videoId={videoId} />
          </h3>
          <ul>{rows.map(children)}</ul>
        </div>
      ))}
      {items.length > shown && (
        <Button className="mx-4.5 mb-4" onClick={() => setShown(shown + SHOWN * 5)}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </>
  );
}

function Singles({
  singles,
  letter,
  other,
  reasonOf,
}: {
  singles: readonly SingleEvent[];
  letter: 'A' | 'B';
  other: 'A' | 'B';
  reasonOf: (single: SingleEvent) => OtherReason;
}) {
  return (
    <Rows
      items={singles}
      videoOf={({ event }) => event.videoId}
      empty={<Trans>Nothing that {other} did not find, too.</Trans>}
    >
      {(single) => (
        <SingleRow key={single.event.id} single={single} letter={letter} other={other} reason={reasonOf(single)} />
      )}
    </Rows>
  );
}

function SingleRow({
  single: { event },
  letter,
  other,
  reason,
}: {
  single: SingleEvent;
  letter: 'A' | 'B';
  other: 'A' | 'B';
  reason: OtherReason;
}) {
  const { rests, handlers } = useRests();
  return (
    <li
      data-row
      {...handlers}
      className="relative flex gap-3 rounded-md p-2 hover:bg-raise/60 has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent"
    >
      <Picture event={event} plays={rests} className="w-34" />
      <div className="grid min-w-0 flex-1 content-start gap-0.5">
        <EventLink event={event} />
        <p className="break-words text-ink-2 text-sm">
          <span className="sr-only">{letter}</span>
          <Reason reason={reason} other={other} />
        </p>
        <span className="text-sm">
          <Confidence value={event.confidence} />
        </span>
      </div>
    </li>
  );
}

/** The reason why the other question has no such event. */
function Reason({ reason, other }: { reason: OtherReason; other: 'A' | 'B' }) {
  switch (reason.kind) {
    case 'not-asked':
      return <Trans>{other} was not asked about this video.</Trans>;
    case 'failed':
      return <Trans>{other} failed on this video.</Trans>;
    case 'other-class':
      return (
        <Trans>
          {other} does not ask for “<span lang="en">{reason.className}</span>”.
        </Trans>
      );
    case 'candidate':
      return (
        <Trans>
          {other}: a candidate at {formatTime(reason.timeS)}, with {formatConfidence(reason.confidence)} not certain
          enough.
        </Trans>
      );
    case 'other-object':
      return (
        <Trans>
          {other}: something else at {formatTime(reason.timeS)}, “<span lang="en">{reason.label}</span>”.
        </Trans>
      );
    case 'nothing-in-video':
      return <Trans>{other}: nothing in this video.</Trans>;
    default:
      return (
        <Trans>
          {other}: nothing within {formatNumber(reason.withinS)} s.
        </Trans>
      );
  }
}

function Pairs({ pairs, onSplit }: { pairs: readonly EventPair[]; onSplit: (pair: EventPair) => void }) {
  return (
    <Rows
      items={pairs}
      videoOf={({ a }) => a.videoId}
      empty={<Trans>No event of A is of the same object, in the same place and at the same time as one of B.</Trans>}
    >
      {(pair) => <PairRow key={keyOf(pair)} pair={pair} onSplit={() => onSplit(pair)} />}
    </Rows>
  );
}

function PairRow({ pair: { a, b, relation }, onSplit }: { pair: EventPair; onSplit: () => void }) {
  const { t } = useLingui();
  const { rests, handlers } = useRests();
  const facts = [
    relation.how === 'track' && t`same track ${relation.track ?? ''}`,
    relation.how === 'place' && t`same place`,
    relation.how === 'label' && t`same label`,
    relation.overlap > 0
      ? t`${formatShare(relation.overlap)} of the time`
      : t`${formatNumber(relation.gapS, { maximumFractionDigits: 1 })} s apart`,
  ];
  return (
    <li
      data-row
      {...handlers}
      className="group relative grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] gap-3 rounded-md p-2 hover:bg-raise/60 has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent sm:grid-cols-[136px_minmax(0,1fr)_136px]"
    >
      <Picture event={a} plays={rests} />
      <div className="min-w-0 max-sm:order-last max-sm:col-span-2">
        <div className="grid grid-cols-2 gap-3">
          <div className="min-w-0">
            <EventLink event={a} />
            <p className="num text-ink-2 text-sm">{formatConfidence(a.confidence)}</p>
          </div>
          <div className="min-w-0 text-right">
            <EventLink event={b} />
            <p className="num text-ink-2 text-sm">{formatConfidence(b.confidence)}</p>
          </div>
        </div>
        <p className="num mt-1 flex min-h-6 flex-wrap items-center gap-x-3 border-t pt-1 text-ink-2 text-sm">
          {facts.filter(Boolean).map((fact) => (
            <span key={String(fact)}>{fact}</span>
          ))}
          <IconButton
            icon={Unlink}
            label={t`Not the same`}
            keys="X"
            data-split
            onClick={onSplit}
            className="relative ml-auto size-6! opacity-0 focus-visible:opacity-100 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100"
          />
        </p>
      </div>
      <Picture event={b} plays={rests} />
    </li>
  );
}

const Picture = ({ event, plays, className = '' }: { event: BatchEvent; plays: boolean; className?: string }) => (
  <EvidenceImage event={event} className={className}>
    {plays && <HoverClip videoId={event.videoId} startS={event.startS} endS={event.endS} />}
  </EvidenceImage>
);

const EventLink = ({ event }: { event: BatchEvent }) => (
  <VideoLink
    videoId={event.videoId}
    search={{ t: event.startS, tab: 'events', analysis: event.analysisId, event: event.id }}
    className="block truncate font-medium first-letter:uppercase hover:underline focus-visible:outline-none"
  >
    <span lang="en" title={event.label}>
      {event.label}
    </span>
  </VideoLink>
);
