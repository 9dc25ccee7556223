import { expect } from 'vitest';
import type { Console } from './console.ts';
import { layoutFaults } from './page-faults.ts';

/** An open dialog, menu, popover or list of a select; the last one is on top. Closed lists may stay in the document. */
export const OVERLAY =
  ':is([role=dialog], [role=alertdialog], [role=menu], [role=listbox][data-side]):not([data-closed])';

const SIZES = [
  { width: 320, height: 640 },
  { width: 1440, height: 900 },
];

/** True if the focus is in the dialog, and on its first field if it has one; a confirmation has none. */
const FOCUS = `((focused) => {
  const dialog = focused.closest('[role=dialog], [role=alertdialog]');
  const isField = (each) => !each.matches('[type=checkbox], [type=hidden], [hidden], [aria-hidden=true], [tabindex="-1"]');
  const fields = dialog?.role === 'dialog' ? [...dialog.querySelectorAll('input, textarea')].filter(isField) : [];
  return dialog !== null && (fields.length === 0 || fields[0] === focused);
})(document.activeElement)`;

/** Parts of the topmost overlay that are outside of the window and that nothing scrolls to. */
const OUTSIDE = `((overlay) => {
  const { left, right, top, bottom } = overlay.getBoundingClientRect();
  return { left: left < 0, right: right > innerWidth + 1, top: top < 0, bottom: bottom > innerHeight + 1 };
})([...document.querySelectorAll('${OVERLAY}')].at(-1))`;
const NOWHERE = { left: false, right: false, top: false, bottom: false };

/** Fails unless the topmost overlay can be read and used on the narrowest phone and on a laptop. */
async function checkLayout({ page }: Pick<Console, 'page'>): Promise<void> {
  const before = page.viewportSize()!;
  for (const size of SIZES) {
    await page.setViewportSize(size);
    const faults = async () => {
      const found: string[] = [];
      for (const search of layoutFaults(OVERLAY)) found.push(...(await page.evaluate<string[]>(search)));
      return { found, outside: await page.evaluate(OUTSIDE) };
    };
    await expect.poll(faults, { message: `at ${size.width} pixels` }).toEqual({ found: [], outside: NOWHERE });
  }
  await page.setViewportSize(before);
}

/**
 * Fails unless the open dialog has this title, is accessible, takes the focus, and can be read and used in all sizes.
 * `dialogs.browser.test.ts` fails on dialogs that no test checks by their titles.
 */
export async function checkDialog(view: Pick<Console, 'page' | 'checkAccessibility'>, title: string): Promise<void> {
  const { page } = view;
  const named = { name: title, exact: true };
  await page.getByRole('dialog', named).or(page.getByRole('alertdialog', named)).waitFor();
  await expect.poll(() => page.evaluate(FOCUS), { message: 'focus in the dialog' }).toBe(true);
  await view.checkAccessibility();
  await checkLayout(view);
}
