import { Menu as Base } from '@base-ui/react/menu';
import type { LucideIcon } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { classes } from '../classes.ts';
import { POPUP, POPUP_ITEM } from './popup.ts';

/** A menu that `trigger`, a button, opens. */
export function Menu({
  trigger,
  children,
  align = 'start',
}: {
  trigger: ReactElement;
  children: ReactNode;
  align?: 'start' | 'end';
}) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger as ReactElement<Record<string, unknown>>} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align={align} className="z-50">
          <Base.Popup className={POPUP}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export function MenuItem({
  icon: Icon,
  danger,
  children,
  onSelect,
  disabled,
}: {
  icon?: LucideIcon;
  danger?: boolean;
  children: ReactNode;
  onSelect: () => void;
  disabled?: boolean;
}) {
  return (
    <Base.Item onClick={onSelect} disabled={disabled} className={classes(POPUP_ITEM, danger && 'text-bad')}>
      {Icon && <Icon size={15} strokeWidth={1.75} aria-hidden className={danger ? undefined : 'text-ink-3'} />}
      {children}
    </Base.Item>
  );
}

export const MenuSeparator = () => <Base.Separator className="my-1 h-px bg-line" />;
