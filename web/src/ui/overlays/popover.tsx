import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';
import { classes } from '../classes.ts';
import { POPUP } from './popup.ts';

/** A small panel that `trigger`, a button, opens. `open` and `onOpenChange` are for pages that close it themselves. */
export function Popover({
  trigger,
  title,
  children,
  className,
  open,
  onOpenChange,
}: {
  trigger: ReactElement;
  title?: ReactNode;
  children: ReactNode;
  className?: string;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Trigger render={trigger as ReactElement<Record<string, unknown>>} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} className="z-50">
          <Base.Popup className={classes(POPUP, 'p-3', className)}>
            {title && <Base.Title className="mb-2 font-semibold">{title}</Base.Title>}
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
