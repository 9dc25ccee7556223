import type { CDPSession, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Ways to use the console: with a mouse, with the keyboard alone, or with a finger on a phone. */
export const WAYS = ['mouse', 'keyboard', 'phone'] as const;
type Way = (typeof WAYS)[number];

const WIDE = { width: 1_440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** Most presses of Tab and arrow keys until the next control has the focus. */
const MOST_MOVES = 60;

/** Groups that Tab enters once; arrow keys move in them. */
const GROUPS = '[role=tablist], [role=menu], [role=listbox], [role=radiogroup]';

const devtools = new WeakMap<Page, CDPSession>();

/**
 * Does a task as a person does it, and counts its steps: each press of a control, each typed field and each drawing is
 * one. Keys that only move the focus are not counted, but a control that they do not reach fails the task.
 */
export class Steps {
  readonly done: string[] = [];
  readonly way: Way;
  readonly #page: Page;

  private constructor(page: Page, way: Way) {
    this.#page = page;
    this.way = way;
  }

  /** Prepares the window of a page whose context has `hasTouch`. */
  static async start(page: Page, way: Way): Promise<Steps> {
    devtools.set(page, devtools.get(page) ?? (await page.context().newCDPSession(page)));
    await devtools.get(page)!.send('Emulation.setTouchEmulationEnabled', { enabled: way === 'phone' });
    await page.setViewportSize(way === 'phone' ? PHONE : WIDE);
    return new Steps(page, way);
  }

  get count(): number {
    return this.done.length;
  }

  /** Presses a button, a link, a tab or an option. */
  async press(target: Locator): Promise<void> {
    await target.waitFor();
    const name = (await target.getAttribute('aria-label')) ?? (await target.innerText());
    this.done.push(`press ${name.trim().split('\n')[0]}`);
    await this.activate(target);
  }

  /** Writes a text in a field that is empty. */
  async type(target: Locator, text: string): Promise<void> {
    this.done.push(`type ${text}`);
    if (this.way === 'keyboard') await this.#reach(target);
    else await this.activate(target);
    await this.#page.keyboard.type(text);
    await expect.poll(() => target.inputValue()).toBe(text);
  }

  /** One step that is done by `act`, such as a drawing. */
  async do(name: string, act: () => Promise<unknown>): Promise<void> {
    this.done.push(name);
    await act();
  }

  /** Presses a control without counting it, as a part of a drawing. */
  async activate(target: Locator): Promise<void> {
    if (this.way === 'mouse') await target.click();
    else if (this.way === 'phone') await target.tap();
    else {
      await this.#reach(target);
      await this.#page.keyboard.press('Enter');
    }
  }

  async #reach(target: Locator): Promise<void> {
    await target.waitFor();
    /** The key that moves the focus towards the target; null if it is there. */
    const nextKey = () =>
      target.evaluate((element, groups) => {
        const active = element.ownerDocument.activeElement;
        if (active === element) return null;
        const group = element.closest(groups);
        if (!group || (group.role === 'tablist' && !group.contains(active))) return 'Tab';
        // A list that opens takes the focus itself.
        if (!group.contains(active)) return 'wait';
        return group.role === 'tablist' ? 'ArrowRight' : 'ArrowDown';
      }, GROUPS);
    for (let moves = 0; moves < MOST_MOVES; moves++) {
      await expect.poll(nextKey).not.toBe('wait');
      const key = await nextKey();
      if (key === null) return;
      await this.#page.keyboard.press(key);
    }
    throw new Error(`The keyboard does not reach ${target}.`);
  }
}
