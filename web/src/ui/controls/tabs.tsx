import { Tabs as Base } from '@base-ui/react/tabs';
import { type ReactNode, useEffect, useRef } from 'react';
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
  const list = useRef<HTMLDivElement>(null);
  // Where the tabs do not fit, the strip scrolls.
  // biome-ignore lint/correctness/useExhaustiveDependencies: shows the tab of another value.
  useEffect(() => {
    const strip = list.current!;
    const showSelected = () => {
      const tab = strip.querySelector<HTMLElement>('[aria-selected=true]');
      // Not by `scrollIntoView`, which scrolls the page, too.
      if (tab) strip.scrollLeft = tab.offsetLeft - (strip.clientWidth - tab.offsetWidth) / 2;
    };
    const sizes = new ResizeObserver(showSelected);
    for (const element of [strip, ...strip.children]) sizes.observe(element);
    showSelected();
    return () => sizes.disconnect();
  }, [value]);
  return (
    <Base.Root
      value={value}
      onValueChange={(next) => onChange(next as T)}
      className={classes('flex min-h-0 flex-col', className)}
    >
      <Base.List
        ref={list}
        aria-label={label}
        className="relative flex shrink-0 overflow-x-auto border-b px-1.5 [scrollbar-width:none]"
      >
        {tabs.map(({ value: each, label: text, count }) => (
          <Base.Tab
            key={each}
            value={each}
            className="-mb-px flex h-9 shrink-0 items-center gap-1 whitespace-nowrap border-transparent border-b-2 px-1.5 text-ink-2 outline-offset-[-2px] hover:text-ink data-active:border-accent data-active:font-medium data-active:text-ink"
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
