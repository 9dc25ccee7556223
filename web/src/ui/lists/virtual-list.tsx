import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { fitColumns } from './columns.ts';
import { useScrollParent } from './use-scroll-parent.ts';

/** Rows of a list that scrolls with the page around it. `content` changes when what is above the list may have. */
function useVirtualRows(
  ref: RefObject<HTMLElement | null>,
  count: number,
  estimate: number | ((index: number) => number),
  content: unknown,
  /** Sizes stay with their items when others are added before them. Default: with their positions. */
  keyOf?: (index: number) => string,
) {
  const parent = useScrollParent(ref);
  const [margin, setMargin] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: see `content`.
  useLayoutEffect(() => {
    if (!parent || !ref.current) return;
    setMargin(ref.current.getBoundingClientRect().top - parent.getBoundingClientRect().top + parent.scrollTop);
  }, [parent, content]);
  const virtual: Virtualizer<HTMLElement, Element> = useVirtualizer({
    count,
    getScrollElement: () => parent,
    estimateSize: typeof estimate === 'number' ? () => estimate : estimate,
    overscan: 6,
    scrollMargin: margin,
    ...(keyOf && { getItemKey: keyOf }),
  });
  return { virtual, margin, parent };
}

/** A list that renders only what is visible. It scrolls with the page around it. */
export function VirtualList<T>({
  label,
  items,
  itemKey,
  estimate,
  show = -1,
  className,
  children,
}: {
  label: string;
  items: readonly T[];
  itemKey: (item: T) => string;
  /** Estimated height of an item in pixels. */
  estimate: number;
  /** Index of an item that is scrolled into view when it changes; -1: none. */
  show?: number;
  /** Class names of an item. */
  className?: string;
  children: (item: T) => ReactNode;
}) {
  const ref = useRef<HTMLUListElement>(null);
  const latest = useRef(itemKey);
  useEffect(() => {
    latest.current = itemKey;
  });
  // Another function makes the list compute all positions again.
  const keyOf = useCallback((index: number) => latest.current(items[index]!), [items]);
  const { virtual, margin, parent } = useVirtualRows(ref, items.length, estimate, items, keyOf);
  useLayoutEffect(() => {
    if (show >= 0 && parent) virtual.scrollToIndex(show, { align: 'auto' });
  }, [show, parent, virtual]);
  return (
    <ul ref={ref} aria-label={label} className="relative" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, start }) => (
        <li
          key={itemKey(items[index]!)}
          ref={virtual.measureElement}
          data-index={index}
          aria-setsize={items.length}
          aria-posinset={index + 1}
          className={`absolute inset-x-0 top-0 ${className ?? ''}`}
          style={{ transform: `translateY(${start - margin}px)` }}
        >
          {children(items[index]!)}
        </li>
      ))}
    </ul>
  );
}

const GAP_PX = 14;

/** Columns of at least `minWidth` pixels that fit into an element, and no fewer than `least`. */
export function useColumns(ref: RefObject<HTMLElement | null>, minWidth: number, least = 1): number {
  const [columns, setColumns] = useState(least);
  useLayoutEffect(() => {
    const measure = () => setColumns(fitColumns(ref.current!.clientWidth, minWidth, GAP_PX, least));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(ref.current!);
    return () => observer.disconnect();
  }, [ref, minWidth, least]);
  return columns;
}

/** Rows of different kinds, of which only the visible ones are rendered. They scroll with the page around them. */
export function VirtualRows<T>({
  rows,
  rowKey,
  estimate,
  children,
}: {
  rows: readonly T[];
  rowKey: (row: T) => string;
  /** Estimated height of a row in pixels. */
  estimate: (row: T) => number;
  children: (row: T) => ReactNode;
}) {
  const ref = useRef<HTMLDivElement>(null);
  const latest = useRef(rowKey);
  useEffect(() => {
    latest.current = rowKey;
  });
  // A row keeps its measured height when others are added before it: its element is not measured again.
  const keyOf = useCallback((index: number) => latest.current(rows[index]!), [rows]);
  const { virtual, margin } = useVirtualRows(ref, rows.length, (index) => estimate(rows[index]!), rows, keyOf);
  return (
    <div ref={ref} className="relative" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, start }) => (
        <div
          key={rowKey(rows[index]!)}
          ref={virtual.measureElement}
          data-index={index}
          className="absolute inset-x-0 top-0"
          style={{ transform: `translateY(${start - margin}px)` }}
        >
          {children(rows[index]!)}
        </div>
      ))}
    </div>
  );
}

/** Like `VirtualList`, in as many columns as fit. */
export function VirtualGrid<T>({
  label,
  items,
  itemKey,
  minWidth,
  estimate,
  onEnd,
  children,
}: {
  label: string;
  items: readonly T[];
  itemKey: (item: T) => string;
  /** Least width of a column in pixels. */
  minWidth: number;
  estimate: number;
  /** Called when the last rows are shown, to fetch more. */
  onEnd?: () => void;
  children: (item: T) => ReactNode;
}) {
  const ref = useRef<HTMLDivElement>(null);
  const columns = useColumns(ref, minWidth);
  const { virtual, margin } = useVirtualRows(ref, Math.ceil(items.length / columns), estimate, items);
  const shown = ((virtual.getVirtualItems().at(-1)?.index ?? -1) + 1) * columns;
  useEffect(() => {
    if (shown >= items.length) onEnd?.();
  }, [shown, items.length, onEnd]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: between a list and its items there are rows.
    <div ref={ref} role="list" aria-label={label} className="relative" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ key, index: row, start }) => (
        <div
          key={key}
          role="presentation"
          ref={virtual.measureElement}
          data-index={row}
          className="absolute inset-x-0 top-0 grid gap-3.5 pb-3.5"
          style={{
            transform: `translateY(${start - margin}px)`,
            gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
          }}
        >
          {items.slice(row * columns, (row + 1) * columns).map((item, column) => (
            // biome-ignore lint/a11y/useSemanticElements: see above.
            <div
              key={itemKey(item)}
              role="listitem"
              aria-setsize={items.length}
              aria-posinset={row * columns + column + 1}
              className="min-w-0"
            >
              {children(item)}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
