import { useLingui } from '@lingui/react/macro';
import type { KeyboardEvent } from 'react';
import { formatShare } from '#ui/format/format.ts';
import { type FrameSize, movedByKey, movePoint, removePoint, type ZoneDraft } from './draft.ts';

/** Radius of a handle, and of the area that grabs it, in pixels of the screen. */
const RADIUS = 6;
const GRAB = 14;

/** The points of a draft. Arrow keys move the focused one, finely with Shift; Delete removes it. */
export function DraftHandles({
  draft,
  onDraft,
  size: { width, height, pixel },
}: {
  draft: ZoneDraft;
  onDraft: (draft: ZoneDraft) => void;
  size: FrameSize;
}) {
  const { t } = useLingui();
  const onKey = (event: KeyboardEvent, index: number) => {
    const moved = movedByKey(draft.points[index]!, event.key, event.shiftKey);
    const isRemoved = event.key === 'Delete' || event.key === 'Backspace';
    if (!moved && !isRemoved) return;
    // The player has keys of its own.
    event.preventDefault();
    event.stopPropagation();
    onDraft(moved ? movePoint(draft, index, moved) : removePoint(draft, index));
  };
  return draft.points.map(({ x, y }, index) => {
    const [number, left, top] = [index + 1, formatShare(x), formatShare(y)];
    return (
      // biome-ignore lint/a11y/useSemanticElements: SVG has no buttons.
      <g
        // biome-ignore lint/suspicious/noArrayIndexKey: points have no identity but their place.
        key={index}
        data-point={index}
        role="button"
        tabIndex={0}
        aria-label={t`Point ${number}: ${left} from the left, ${top} from the top`}
        onKeyDown={(event) => onKey(event, index)}
        transform={`translate(${x * width} ${y * height}) scale(${pixel})`}
        className="cursor-move outline-none [&:focus-visible>circle:last-child]:fill-accent"
      >
        <circle r={GRAB} fill="transparent" />
        <circle r={RADIUS} fill="white" stroke="var(--accent)" strokeWidth={2} />
      </g>
    );
  });
}
