import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { ArrowDown, ArrowUp, ListFilter, Pin } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button, IconButton } from '#ui/controls/button.tsx';
import { Checkbox } from '#ui/controls/field.tsx';
import { Popover } from '#ui/overlays/popover.tsx';
import { Swatch } from './drawing/swatch.tsx';
import {
  canMove,
  isShown,
  type LaneChoice,
  moveLane,
  NO_CHOICE,
  orderLanes,
  readChoice,
  storeChoice,
} from './lane-choice.ts';
import type { Lane } from './lanes.ts';

type LaneOptions = {
  /** The rows to draw, in the chosen order. */
  lanes: readonly Lane[];
  /** All rows in the chosen order. */
  all: readonly Lane[];
  choice: LaneChoice;
  change: (choice: LaneChoice) => void;
};

/** The rows that a person wants to see, remembered for each kind of recording. */
export function useLaneChoice(lanes: readonly Lane[], kind: string): LaneOptions {
  const [stored, setStored] = useState(() => ({ kind, choice: readChoice(kind) }));
  // The kind is known once the telemetry is loaded.
  const choice = useMemo(() => (stored.kind === kind ? stored.choice : readChoice(kind)), [stored, kind]);
  const all = useMemo(() => orderLanes(lanes, choice), [lanes, choice]);
  const shown = useMemo(() => all.filter((lane) => isShown(lane, choice)), [all, choice]);
  const change = (next: LaneChoice) => {
    storeChoice(kind, next);
    setStored({ kind, choice: next });
  };
  return { lanes: shown, all, choice, change };
}

/** Opens the list of rows: which are shown, in which order, which at the top. */
export function LaneMenu({ all, choice, change, lanes }: LaneOptions) {
  const { t } = useLingui();
  const hidden = all.length - lanes.length;
  return (
    <Popover
      className="max-h-[60dvh] w-80 max-w-[calc(100vw-24px)] overflow-y-auto"
      title={<Trans>Rows of the timeline</Trans>}
      trigger={
        <button
          type="button"
          aria-label={hidden > 0 ? t`Rows, ${hidden} hidden` : t`Rows`}
          title={t`Choose rows`}
          className="inline-flex h-6 shrink-0 items-center gap-1 rounded-md px-1 text-ink-2 text-xs hover:bg-raise hover:text-ink"
        >
          <ListFilter size={15} strokeWidth={1.75} aria-hidden />
          {hidden > 0 && <span className="num text-ink-3 max-sm:hidden">{`−${hidden}`}</span>}
        </button>
      }
    >
      <ul aria-label={t`Rows of the timeline`}>
        {all.map((lane) => (
          <LaneRow key={lane.id} lane={lane} all={all} choice={choice} change={change} />
        ))}
      </ul>
      <div className="mt-2 flex items-center gap-2 border-t pt-2">
        <p className="num flex-1 text-ink-3 text-sm">
          {hidden > 0 && <Plural value={hidden} one="# row is hidden" other="# rows are hidden" />}
        </p>
        <Button look="ghost" disabled={choice === NO_CHOICE} onClick={() => change(NO_CHOICE)}>
          <Trans>Reset</Trans>
        </Button>
      </div>
    </Popover>
  );
}

function LaneRow({ lane, all, choice, change }: Omit<LaneOptions, 'lanes'> & { lane: Lane }) {
  const { t } = useLingui();
  const { id, name } = lane;
  const isPinned = choice.pinned.includes(id);
  const pin = () =>
    change({ ...choice, pinned: isPinned ? choice.pinned.filter((each) => each !== id) : [...choice.pinned, id] });
  return (
    <li className="flex items-center gap-1">
      <Checkbox
        className="min-w-0 flex-1"
        label={
          <span className="flex min-w-0 items-center gap-2">
            <Swatch color={lane.color} />
            <span className="truncate first-letter:uppercase" title={name}>
              {name}
            </span>
          </span>
        }
        checked={isShown(lane, choice)}
        onCheckedChange={(on) => change({ ...choice, shown: { ...choice.shown, [id]: on } })}
      />
      <IconButton icon={Pin} label={t`Pin ${name}`} pressed={isPinned} className="h-6 w-6" onClick={pin} />
      <IconButton
        icon={ArrowUp}
        label={t`Move ${name} up`}
        className="h-6 w-6"
        disabled={!canMove(all, choice, id, -1)}
        onClick={() => change(moveLane(all, choice, id, -1))}
      />
      <IconButton
        icon={ArrowDown}
        label={t`Move ${name} down`}
        className="h-6 w-6"
        disabled={!canMove(all, choice, id, 1)}
        onClick={() => change(moveLane(all, choice, id, 1))}
      />
    </li>
  );
}
