import { useLingui } from '@lingui/react/macro';
import type { EventSummary } from '@sightline/sdk';
import { Check, CircleHelp, type LucideIcon, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { EvidenceImage } from '#rooms/analyses/event-card.tsx';
import { toEventItem } from '#rooms/search/queries.ts';
import { classes } from '#ui/classes.ts';
import { formatTime } from '#ui/format/format.ts';

const MARKS: Record<string, { icon: LucideIcon; tone: string }> = {
  approved: { icon: Check, tone: 'bg-ok' },
  rejected: { icon: X, tone: 'bg-bad' },
  unsure: { icon: CircleHelp, tone: 'bg-warn' },
};

/** Images shown before and after the current one; more are not needed to keep the place. */
const BEFORE = 4;
const AFTER = 12;

/** The events around the current one, with what was decided. */
export function Filmstrip({
  events,
  index,
  selected,
  onChoose,
}: {
  events: readonly EventSummary[];
  index: number;
  selected: ReadonlySet<string>;
  onChoose: (event: EventSummary) => void;
}) {
  const { t } = useLingui();
  const first = Math.max(0, index - BEFORE);
  return (
    <ol
      aria-label={t`Events to review`}
      className="flex min-h-0 gap-2 overflow-auto border-b p-2.5 lg:flex-col lg:border-r lg:border-b-0"
    >
      {events.slice(first, index + AFTER).map((event) => (
        <Frame
          key={event.event_id}
          event={event}
          isCurrent={event === events[index]}
          isSelected={selected.has(event.event_id)}
          onChoose={() => onChoose(event)}
        />
      ))}
    </ol>
  );
}

function Frame({
  event,
  isCurrent,
  isSelected,
  onChoose,
}: {
  event: EventSummary;
  isCurrent: boolean;
  isSelected: boolean;
  onChoose: () => void;
}) {
  const { t } = useLingui();
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCurrent) item.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isCurrent]);
  const states: Record<string, string> = {
    approved: t`approved`,
    rejected: t`rejected`,
    unsure: t`unsure`,
    pending: t`not reviewed`,
  };
  const mark = MARKS[event.approval];
  const Icon = mark?.icon;
  // The name of the button has its visible text.
  const range = `${formatTime(event.start_s)}–${formatTime(event.end_s)}`;
  const name = `${range}, ${event.label}, ${states[event.approval] ?? event.approval}`;
  return (
    <li
      ref={item}
      className={classes(
        'relative w-28 shrink-0 rounded-md outline-2 outline-offset-1 lg:w-full',
        isCurrent ? 'outline-accent' : isSelected ? 'outline-lane-1' : 'outline-transparent',
        mark && !isCurrent && 'opacity-60',
      )}
    >
      <button
        type="button"
        aria-label={isSelected ? t`${name}, selected` : name}
        aria-current={isCurrent ? 'true' : undefined}
        onClick={onChoose}
        className="block w-full"
      >
        <EvidenceImage event={toEventItem(event)} className="w-full rounded-md" />
      </button>
      {mark && Icon && (
        <span
          aria-hidden
          className={classes('absolute top-1 right-1 grid size-5 place-items-center rounded-full text-bg', mark.tone)}
        >
          <Icon size={13} strokeWidth={3} />
        </span>
      )}
    </li>
  );
}
