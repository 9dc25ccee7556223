import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronDown } from 'lucide-react';
import { classes } from '../classes.ts';
import { POPUP, POPUP_ITEM } from '../overlays/popup.ts';

export type Option<T extends string> = { value: T; label: string };

/** A choice of one of a few values. `label` is its accessible name. */
export function Select<T extends string>({
  label,
  options,
  value,
  onChange,
  className,
  disabled,
}: {
  label: string;
  options: readonly Option<T>[];
  value: T;
  onChange: (value: T) => void;
  className?: string;
  disabled?: boolean;
}) {
  return (
    <Base.Root
      items={options as Option<T>[]}
      value={value}
      onValueChange={(next) => next !== null && onChange(next as T)}
      disabled={disabled}
    >
      <Base.Trigger
        aria-label={label}
        className={classes(
          'inline-flex h-7.5 items-center justify-between gap-2 rounded-md border bg-raise px-2.5 text-ink hover:border-strong-line',
          className,
        )}
      >
        <Base.Value className="truncate" />
        <Base.Icon className="text-ink-3">
          <ChevronDown size={14} aria-hidden />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50">
          <Base.Popup className={classes(POPUP, 'max-h-80 overflow-y-auto')}>
            {options.map((option) => (
              <Base.Item key={option.value} value={option.value} className={POPUP_ITEM}>
                <Base.ItemText className="flex-1">{option.label}</Base.ItemText>
                <Base.ItemIndicator className="text-accent-text">
                  <Check size={14} aria-hidden />
                </Base.ItemIndicator>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** A choice with its label above it, for forms. */
export function SelectField<T extends string>({ label, ...select }: Parameters<typeof Select<T>>[0]) {
  return (
    <div className="grid content-start gap-1">
      <span aria-hidden className="font-medium text-ink-2 text-sm">
        {label}
      </span>
      <Select label={label} {...select} />
    </div>
  );
}
