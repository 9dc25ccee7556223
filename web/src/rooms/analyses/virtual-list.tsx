import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useScrollParent } from './use-scroll-parent.ts';

/** A list that scrolls with the page around it and renders only what is visible. */
export function VirtualList<T>({
  label,
  items,
  itemKey,
  estimate,
  show,
  children,
}: {
  label: string;
  items: readonly T[];
  itemKey: (item: T) => string;
  /** Estimated height of an item in pixels. */
  estimate: number;
  /** Index of an item that is scrolled into view when it changes; -1: none. */
  show: number;
  children: (item: T) => ReactNode;
}) {
  const ref = useRef<HTMLUListElement>(null);
  const parent = useScrollParent(ref);
  const [margin, setMargin] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is above the list changes with its items.
  useLayoutEffect(() => {
    if (!parent || !ref.current) return;
    setMargin(ref.current.getBoundingClientRect().top - parent.getBoundingClientRect().top + parent.scrollTop);
  }, [parent, items]);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => parent,
    estimateSize: () => estimate,
    getItemKey: (index) => itemKey(items[index]!),
    overscan: 6,
    scrollMargin: margin,
  });
  useLayoutEffect(() => {
    if (show >= 0 && parent) virtual.scrollToIndex(show, { align: 'auto' });
  }, [show, parent, virtual]);
  return (
    <ul ref={ref} aria-label={label} className="relative" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ key, index, start }) => (
        <li
          key={key}
          ref={virtual.measureElement}
          data-index={index}
          aria-setsize={items.length}
          aria-posinset={index + 1}
          className="absolute inset-x-0 top-0"
          style={{ transform: `translateY(${start - margin}px)` }}
        >
          {children(items[index]!)}
        </li>
      ))}
    </ul>
  );
}
