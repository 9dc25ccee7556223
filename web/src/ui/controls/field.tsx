import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox';
import { Field as BaseField } from '@base-ui/react/field';
import { Check, Minus } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { classes } from '../classes.ts';

/** Class names of an input without a label of its own, such as one in a toolbar. */
export const INPUT =
  'h-7.5 w-full min-w-0 rounded-md border border-strong-line/60 bg-panel px-2 text-base text-ink outline-offset-0 hover:border-strong-line focus-visible:border-accent';

type FieldProps = { label: ReactNode; hint?: ReactNode; error?: ReactNode; className?: string };

/** A labeled text input. `error` replaces the hint and is announced. */
export function TextField({
  label,
  hint,
  error,
  className,
  ...input
}: FieldProps & Omit<ComponentProps<'input'>, 'className'>) {
  return (
    <BaseField.Root invalid={Boolean(error)} className={classes('grid gap-1', className)}>
      <BaseField.Label className="font-medium text-ink-2 text-sm">{label}</BaseField.Label>
      <BaseField.Control {...(input as object)} className={classes(INPUT, error && 'border-bad')} />
      <Notes hint={hint} error={error} />
    </BaseField.Root>
  );
}

export function TextArea({
  label,
  hint,
  error,
  className,
  ...area
}: FieldProps & Omit<ComponentProps<'textarea'>, 'className'>) {
  return (
    <BaseField.Root invalid={Boolean(error)} className={classes('grid gap-1', className)}>
      <BaseField.Label className="font-medium text-ink-2 text-sm">{label}</BaseField.Label>
      <BaseField.Control
        render={<textarea rows={3} {...area} />}
        className={classes(INPUT, 'h-auto resize-y py-1.5', error && 'border-bad')}
      />
      <Notes hint={hint} error={error} />
    </BaseField.Root>
  );
}

function Notes({ hint, error }: Pick<FieldProps, 'hint' | 'error'>) {
  if (error) {
    return (
      <BaseField.Error match className="text-bad text-sm" role="alert">
        {error}
      </BaseField.Error>
    );
  }
  return hint ? <BaseField.Description className="text-ink-3 text-sm">{hint}</BaseField.Description> : null;
}

export function Checkbox({
  label,
  hideLabel,
  className,
  ...rest
}: Omit<ComponentProps<typeof BaseCheckbox.Root>, 'className'> & {
  label: ReactNode;
  hideLabel?: boolean;
  className?: string;
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the Base UI checkbox inside.
    <label className={classes('inline-flex items-center gap-2', className)}>
      <BaseCheckbox.Root
        {...rest}
        className="grid size-4.5 shrink-0 place-items-center rounded-sm border border-strong-line bg-panel data-checked:border-accent data-indeterminate:border-accent data-checked:bg-accent data-indeterminate:bg-accent"
      >
        <BaseCheckbox.Indicator className="text-accent-ink">
          {rest.indeterminate ? <Minus size={13} strokeWidth={3} /> : <Check size={13} strokeWidth={3} />}
        </BaseCheckbox.Indicator>
      </BaseCheckbox.Root>
      <span className={hideLabel ? 'sr-only' : 'min-w-0'}>{label}</span>
    </label>
  );
}
