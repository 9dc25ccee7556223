/** Shows all of a text that its place cuts off, as the browser shows titles, while the pointer is over it. */
export function showCutTitles(): void {
  document.addEventListener(
    'pointerover',
    ({ target }) => {
      if (!(target instanceof HTMLElement) || target.scrollWidth <= target.clientWidth) return;
      if (target.closest('[title]') || getComputedStyle(target).textOverflow !== 'ellipsis') return;
      target.title = target.textContent;
    },
    true,
  );
}
