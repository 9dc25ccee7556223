import { type RefObject, useLayoutEffect, useState } from 'react';

/** The closest ancestor that scrolls; null until the element is on the page. */
export function useScrollParent(ref: RefObject<HTMLElement | null>): HTMLElement | null {
  const [parent, setParent] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => {
    let each = ref.current?.parentElement ?? null;
    while (each && !/auto|scroll/.test(getComputedStyle(each).overflowY)) each = each.parentElement;
    setParent(each ?? document.documentElement);
  }, [ref]);
  return parent;
}
