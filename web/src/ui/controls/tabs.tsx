import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import { classes } from '../classes.ts';
import { formatNumber } from '../format/format.ts';

export type Tab<T extends string> = { value: T; label: ReactNode; count?: number; panel: ReactNode };

/** Tabs above their panels; only the panel of the selected tab is mounted. */
export function Tabs<T extends string>({
  label,
  tabs,
  value,
  onChange,
  className,
}: {
  label: string;
  tabs: readonly Tab<T>[];
  value: T;
  onChange: (value: T) => void;
  className?: string;
}) {
  return (
    <Base.Root
      value={value}
      onValueChange={(next) => onChange(next as T)}
      className={classes('flex min-h-0 flex-col', className)}
    >
      <Base.List aria-label={label} className="flex shrink-0 gap-0.5 overflow-x-auto border-b px-1.5">
        {tabs.map(({ value: each, label: text, count }) => (
          <Base.Tab
            key={each}
            value={each}
            className="-mb-px flex h-9 items-center gap-1.5 border-transparent border-b-2 px-2 text-ink-2 outline-offset-[-2px] hover:text-ink data-active:border-accent data-active:font-medium data-active:text-ink"
          >
            {text}
            {count !== undefined && <span className="num text-ink-3 text-sm">{formatNumber(count)}</span>}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(({ value: each, panel }) => (
        <Base.Panel key={each} value={each} className="min-h-0 flex-1 overflow-y-auto outline-offset-[-2px]">
          {panel}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
