import type { Locator } from 'playwright-core';

/** Does what a person does with a mouse, and counts it: each press of something and each drawing is a step. */
export class Steps {
  readonly done: string[] = [];

  get count(): number {
    return this.done.length;
  }

  /** Presses a button, a link or a tab. */
  async press(target: Locator): Promise<void> {
    await target.waitFor();
    const name = (await target.getAttribute('aria-label')) ?? (await target.innerText());
    this.done.push(`press ${name.trim().split('\n')[0]}`);
    await target.click();
  }

  /** One step that is done by `act`, such as a drawing. */
  async do(name: string, act: () => Promise<unknown>): Promise<void> {
    this.done.push(name);
    await act();
  }
}
