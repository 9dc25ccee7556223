import { Trans, useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { IconButton } from '#ui/controls/button.tsx';
import { INPUT } from '#ui/controls/field.tsx';
import { type FramePoint, movePoint, removePoint, type ZoneDraft } from './draft.ts';

/** The points of a zone as numbers, in percent of the frame. */
export function PointFields({ draft, onDraft }: { draft: ZoneDraft; onDraft: (draft: ZoneDraft) => void }) {
  const { t } = useLingui();
  const { points } = draft;
  if (points.length === 0) return null;
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 font-medium text-ink-2 text-sm">
        <Trans>Points, in percent from the left and from the top</Trans>
      </legend>
      {points.map((point, index) => {
        const number = index + 1;
        const set = (axis: keyof FramePoint) => (percent: number) =>
          onDraft(movePoint(draft, index, { ...point, [axis]: percent / 100 }));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: points have no identity but their place.
          <div key={index} className="flex items-center gap-1.5">
            <span aria-hidden className="num w-5 text-ink-3 text-sm">
              {number}
            </span>
            <Percent label={t`Point ${number}, from the left`} value={point.x} onChange={set('x')} />
            <Percent label={t`Point ${number}, from the top`} value={point.y} onChange={set('y')} />
            <IconButton icon={X} label={t`Remove point ${number}`} onClick={() => onDraft(removePoint(draft, index))} />
          </div>
        );
      })}
    </fieldset>
  );
}

const Percent = ({ label, value, onChange }: { label: string; value: number; onChange: (percent: number) => void }) => (
  <input
    type="number"
    aria-label={label}
    min={0}
    max={100}
    step={0.1}
    value={Math.round(value * 1000) / 10}
    onChange={(event) => Number.isFinite(event.target.valueAsNumber) && onChange(event.target.valueAsNumber)}
    className={`${INPUT} num`}
  />
);
