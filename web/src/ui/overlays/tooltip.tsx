import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';
import { Keys } from '../controls/keys.tsx';

/** A tooltip on hover and focus. `children` is the element that it describes and keeps its own accessible name. */
export function Tip({ text, keys, children }: { text: ReactNode; keys?: ReactNode; children: ReactElement }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger render={children as ReactElement<Record<string, unknown>>} />
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={6} className="z-50">
          <Tooltip.Popup className="flex max-w-72 items-center gap-2 rounded-md bg-raise px-2 py-1 text-ink text-sm shadow-float">
            {text}
            {keys && <Keys>{keys}</Keys>}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
