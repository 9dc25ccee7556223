/**
 * Searches for faults of what a page shows, as expressions for a browser. `root` is a CSS selector: the last element
 * that it finds is searched, such as the topmost dialog.
 */

const inRoot = (root: string, search: string) => `((root) => {
  if (!root) return [];
  ${search}
})([...document.querySelectorAll(${JSON.stringify(root)})].at(-1))`;

/** Texts beyond the right edge of the root that nothing scrolls to or marks as cut, and a page that is too wide. */
const cutTexts = (root: string) =>
  inRoot(
    root,
    `
  const found = document.documentElement.scrollWidth > innerWidth ? ['the page is too wide'] : [];
  const limit = root === document.body ? innerWidth : root.getBoundingClientRect().right;
  const isScrolled = (each) =>
    ['auto', 'scroll'].includes(getComputedStyle(each).overflowX) && each.scrollWidth > each.clientWidth + 1;
  const isReachable = (element) => {
    for (let each = element; each; each = each.parentElement)
      if (isScrolled(each) || getComputedStyle(each).textOverflow === 'ellipsis') return true;
    return false;
  };
  for (const element of root.querySelectorAll('*')) {
    if (!element.checkVisibility()) continue;
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    const { width, right } = element.getBoundingClientRect();
    if (hasText && width > 3 && right > limit + 1 && !isReachable(element)) found.push(element.textContent.trim());
  }
  return found;`,
  );

/** Texts that have shrunk to some letters, and cut ones that the title at a mouse over them does not show whole. */
const shrunkTexts = (root: string) =>
  inRoot(
    root,
    `
  const found = [];
  const join = (text) => text.replaceAll(/\\s+/g, ' ').trim();
  for (const element of root.querySelectorAll('*')) {
    const { textOverflow, webkitLineClamp } = getComputedStyle(element);
    if ((textOverflow !== 'ellipsis' && webkitLineClamp === 'none') || !element.checkVisibility()) continue;
    const text = join(element.textContent);
    const { clientWidth, scrollWidth, clientHeight, scrollHeight } = element;
    const isCut = scrollWidth > clientWidth || (webkitLineClamp !== 'none' && scrollHeight > clientHeight);
    // Texts for screen readers have a pixel.
    if (!text || clientWidth <= 1 || !isCut) continue;
    if (clientWidth < 40) found.push(text + ' has shrunk to ' + clientWidth + ' pixels');
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const { x, y, width, height } = element.getBoundingClientRect();
    const [clientX, clientY] = [x + width / 2, y + height / 2];
    const hit = document.elementFromPoint(clientX, clientY);
    hit?.dispatchEvent(new PointerEvent('pointermove', { clientX, clientY }));
    const titled = hit?.closest('[title]');
    // A title of its own may state more than the text.
    if (!(titled && element.contains(titled)) && !join(titled?.title ?? '').includes(text)) found.push(text + ' is cut, and a mouse over it shows no title: ' + hit?.outerHTML.slice(0, 100));
  }
  document.querySelector('main')?.scrollTo(0, 0);
  return found;`,
  );

/** Controls whose middle something else covers, wherever the page is scrolled to. */
const coveredControls = (root: string) =>
  inRoot(
    root,
    `
  const CONTROLS = 'a[href], button, input, select, textarea, [role=button], [role=tab], [role=checkbox], [role=combobox], [role=switch], [role=slider]';
  // Those of lists for screen readers have no place on the page.
  const ITEMS = root === document.body ? '' : ', [role=option], [role=menuitem]';
  const hitOf = (control) => {
    // A link that is wrapped has nothing in the middle of its lines.
    const { x, y, width, height } = control.getClientRects()[0];
    return document.elementFromPoint(x + width / 2, y + height / 2);
  };
  const belongs = (control, hit) => control.contains(hit) || hit?.closest('label')?.control === control;
  const found = [];
  for (const control of root.querySelectorAll(CONTROLS + ITEMS)) {
    if (!control.checkVisibility({ visibilityProperty: true }) || control.matches(':disabled')) continue;
    const { width, height, bottom } = control.getBoundingClientRect();
    // Such are the inputs behind drawn ones, and the link to the page, which is above it until it has the focus.
    if (width < 4 || height < 4 || bottom <= 0 || getComputedStyle(control).pointerEvents === 'none') continue;
    if (belongs(control, hitOf(control))) continue;
    control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const hit = hitOf(control);
    if (!belongs(control, hit)) found.push((control.ariaLabel ?? control.textContent) + ' is covered by ' + (hit?.outerHTML.slice(0, 100) ?? 'nothing'));
  }
  document.querySelector('main')?.scrollTo(0, 0);
  return found;`,
  );

/** Searches for texts that cannot be read, and for controls that are covered. */
export const layoutFaults = (root: string): string[] => [cutTexts(root), shrunkTexts(root), coveredControls(root)];

/**
 * A script that records the texts that `main` shows: those with numbers, and those of empty states and labels.
 * `recordTexts(root)` starts again, with all texts of another root. `withdrawnTexts()` returns those that are not shown
 * any more.
 */
export const RECORD_TEXTS = `(() => {
  let root = 'main';
  const shown = new Set();
  const read = () => {
    const texts = new Set();
    const element = [...document.querySelectorAll(root)].at(-1);
    const walker = document.createTreeWalker(element ?? document.createElement('main'), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { data, parentElement } = walker.currentNode;
      const block = parentElement.closest('p, li, h1, h2, h3, td, th, button, a, dd, dt, label, [data-badge]') ?? parentElement;
      const says = root !== 'main' || /\\d/.test(block.textContent) || block.closest('[data-empty], [data-badge]');
      if (data.trim() && says && !block.closest('[role=alert]') && parentElement.checkVisibility()) texts.add(block.textContent.trim());
    }
    return texts;
  };
  const record = () => {
    for (const text of read()) shown.add(text);
  };
  new MutationObserver(record).observe(document, { subtree: true, childList: true, characterData: true });
  globalThis.recordTexts = (next) => {
    root = next;
    shown.clear();
    record();
  };
  globalThis.withdrawnTexts = () => {
    const now = [...read()];
    const isTrue = (text) => now.some((each) => each.startsWith(text) && !/^\\d/.test(each.slice(text.length)));
    return [...shown].filter((text) => !isTrue(text));
  };
})()`;

/** Parts of the page that wait for data. */
export const BUSY = '.animate-pulse-slow, [aria-busy=true]';
