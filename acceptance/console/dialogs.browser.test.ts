import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sceneClip } from '../../server/test/media/clips.ts';
import { type Console, openConsole } from '../harness/console.ts';
import type { Service } from '../harness/service.ts';
import { shareService } from '../harness/shared-service.ts';

const TIMEOUT_MS = 300_000;
const PHONE = { width: 320, height: 640 };

const CONTENT_WIDTH = 'document.documentElement.scrollWidth';

/** True if the focus is in the dialog, and on its first field if it has one. */
const FOCUS = `((focused) => {
  const dialog = focused.closest('[role=dialog]');
  const field = dialog?.querySelector('input:not([type=checkbox], [aria-hidden=true]), textarea') ?? focused;
  return { isInside: dialog !== null, isOnField: field === focused };
})(document.activeElement)`;

type Press = { role: 'button' | 'menuitem' | 'checkbox'; name: string | RegExp };
const button = (name: string | RegExp): Press => ({ role: 'button', name });

/** Each dialog: its page, what is pressed on it in turn (a string is a key), and its title. */
const DIALOGS: [title: string, path: string, ...presses: (Press | string)[]][] = [
  ['Keyboard shortcuts', '/', '?'],
  ['Search and commands', '/', 'Control+k'],
  ['Upload from a URL', '/', button('Upload'), { role: 'menuitem', name: 'From a URL' }],
  ['New folder', '/', button('Folder: All folders'), button('New folder')],
  ['Move 1 video into', '/', { role: 'checkbox', name: /^Select/ }, button('Move')],
  ['Tag 1 video', '/', { role: 'checkbox', name: /^Select/ }, button('Tag')],
  ['Export the events of 1 video', '/', { role: 'checkbox', name: /^Select/ }, button('Export')],
  ['Ask about 1 video', '/', { role: 'checkbox', name: /^Select/ }, button('Ask')],
  ['Start a session', '/live', button('Start a session')],
  ['Create a key', '/settings/keys', button('Create key')],
  ['Invite', '/settings/members', button('Invite')],
  ['Add an integration', '/settings/integrations', button('Add integration')],
];

/** The dialogs of the console, in both themes and on the narrowest screen. */
describe.runIf(inject('programs').chromium)('dialogs', { timeout: TIMEOUT_MS }, () => {
  let service: Service;
  let browser: Console;

  beforeAll(async () => {
    service = await shareService();
    browser = await openConsole(service);
    browser.page.setDefaultTimeout(60_000);
    const clip = new Blob([await readFile(await sceneClip())]);
    const { video_id } = await browser.sdk.upload(clip, {
      name: 'A video with a name that is too long for a card.mp4',
    });
    await browser.sdk.ready(video_id, { signal: AbortSignal.timeout(60_000) });
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
  });

  test.each(DIALOGS)('"%s" is accessible, fits on a phone, and Escape closes it', async (title, path, ...presses) => {
    const { page } = browser;
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(path);
    await page.locator('main').waitFor();
    if (path === '/') await page.getByRole('gridcell').first().waitFor();
    for (const press of presses) {
      if (typeof press === 'string') await page.keyboard.press(press);
      else
        await page
          .getByRole(press.role, { name: press.name, exact: typeof press.name === 'string' })
          .first()
          .click();
    }
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.waitFor();
    await browser.checkAccessibility();
    await expect.poll(() => page.evaluate(FOCUS)).toEqual({ isInside: true, isOnField: true });
    await page.setViewportSize(PHONE);
    const edges = async () => {
      const { x, width } = (await dialog.boundingBox())!;
      return [x, PHONE.width - (x + width), PHONE.width - (await page.evaluate<number>(CONTENT_WIDTH))];
    };
    await expect.poll(edges).toSatisfy((each: number[]) => each.every((space) => space >= 0));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});
