/**
 * Shows all of a text that its place cuts off, as the browser shows titles, while the pointer is over it, also where a
 * link covers it. Titles that an element has of its own stay.
 */
export function showCutTitles(): void {
  /** The element that has a title from here. */
  let shown: HTMLElement | null = null;
  document.addEventListener(
    'pointermove',
    ({ target, clientX, clientY, buttons }) => {
      if (buttons > 0 || !(target instanceof HTMLElement)) return;
      const isThere = (each: Element) => {
        // A link may extend over more than its text.
        const { left, right, top, bottom } = each.getBoundingClientRect();
        return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
      };
      const cut = document.elementsFromPoint(clientX, clientY).find((each) => isCut(each) && isThere(each));
      const text = cut?.textContent ?? '';
      if (shown === target && target.title === text) return;
      shown?.removeAttribute('title');
      shown = null;
      const titled = target.closest<HTMLElement>('[title]');
      if (!cut || (titled && (cut.contains(titled) || titled.title.includes(text)))) return;
      target.title = text;
      shown = target;
    },
    true,
  );
}

/** True if an ellipsis replaces the end of the text of an element, on its line or on the last one of several. */
function isCut(element: Element): boolean {
  const isWider = element.scrollWidth > element.clientWidth;
  const isHigher = element.scrollHeight > element.clientHeight;
  if (!isWider && !isHigher) return false;
  const { textOverflow, webkitLineClamp } = getComputedStyle(element);
  return (isWider && textOverflow === 'ellipsis') || (isHigher && webkitLineClamp !== 'none');
}
