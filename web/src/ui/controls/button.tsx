import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { classes } from '../classes.ts';
import { Tip } from '../overlays/tooltip.tsx';

export type ButtonLook = 'primary' | 'strong' | 'plain' | 'ghost' | 'danger';

const LOOKS: Record<ButtonLook, string> = {
  primary: 'border-transparent bg-accent font-semibold text-accent-ink hover:brightness-110',
  strong: 'border-transparent bg-ink text-bg hover:bg-ink-2',
  plain: 'border-line bg-raise text-ink hover:border-strong-line',
  ghost: 'border-transparent bg-transparent text-ink-2 hover:bg-raise hover:text-ink',
  danger: 'border-line bg-transparent text-bad hover:border-bad',
};
/** The look of a toggle that is on. */
const PRESSED = 'border-transparent bg-raise text-accent-text';

const SHARED =
  'inline-flex h-7.5 shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-md border text-base transition-[filter,background-color,border-color] duration-100 disabled:opacity-50 aria-disabled:opacity-50';

/** Class names of a button, for links that look like one. */
export const buttonClass = (look: ButtonLook = 'plain', extra?: string): string =>
  classes(SHARED, 'px-2.5', LOOKS[look], extra);

type ButtonProps = ComponentProps<'button'> & { look?: ButtonLook; icon?: LucideIcon; busy?: boolean };

export function Button({ look = 'plain', icon: Icon, busy, className, children, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={buttonClass(look, className)}
    >
      {Icon && <Icon size={15} strokeWidth={1.75} aria-hidden />}
      {children}
    </button>
  );
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label'> & {
  icon: LucideIcon;
  /** Accessible name, also shown as tooltip. */
  label: string;
  /** Keyboard shortcut, shown in the tooltip. */
  keys?: ReactNode;
  look?: ButtonLook;
  /** State of a toggle. */
  pressed?: boolean;
};

export function IconButton({ icon: Icon, label, keys, look = 'ghost', pressed, className, ...rest }: IconButtonProps) {
  return (
    <Tip text={label} keys={keys}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        aria-pressed={pressed}
        className={classes(SHARED, pressed ? PRESSED : LOOKS[look], 'w-7.5', className)}
      >
        <Icon size={16} strokeWidth={1.75} aria-hidden />
      </button>
    </Tip>
  );
}
