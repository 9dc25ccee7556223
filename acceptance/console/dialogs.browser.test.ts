import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { REPOSITORY } from '../harness/command.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { fillConsole, LONG, uploadScene } from '../harness/console-data.ts';
import { titlesOfDialogs } from '../harness/dialog-titles.ts';
import { checkDialog, OVERLAY } from '../harness/dialogs.ts';
import { BUSY, RECORD_TEXTS } from '../harness/page-faults.ts';
import type { Service } from '../harness/service.ts';
import { shareService } from '../harness/shared-service.ts';

const TIMEOUT_MS = 300_000;
const WAIT_MS = 60_000;
const WIDE = { width: 1440, height: 900 };
const EMAIL = 'grace@example.com';
const ENCODER = 'Crane at the north side';
/** A line with a colon is one of a legend. */
const LABELS = 'video,start,end,label\n';

type Data = Awaited<ReturnType<typeof fillConsole>> & {
  held: string;
  encoder: string;
};
type Target = { role: 'button' | 'menuitem' | 'checkbox'; name: string | RegExp };
type Press = string | Target | Act;
type Act = (page: Page) => Promise<unknown>;

const button = (name: string | RegExp): Press => ({ role: 'button', name });
const item = (name: string): Press => ({ role: 'menuitem', name });
const selectFirst: Press = { role: 'checkbox', name: /^Select/ };
const fill =
  (label: string, text: string): Act =>
  (page) =>
    page.getByLabel(label, { exact: true }).fill(text);
/** A press in the open dialog, which hides the page behind it. */
const confirm =
  (name: string): Act =>
  (page) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

/** Each dialog: its title, its page, and what is pressed on it in turn (a string is a key). */
const DIALOGS: [title: string, path: string | ((data: Data) => string), ...presses: Press[]][] = [
  ['Keyboard shortcuts', '/', '?'],
  ['Search and commands', '/', 'Control+k'],

  ['Upload from a URL', '/', button('Upload'), item('From a URL')],
  ['New folder', '/', button('Folder: All folders'), button('New folder')],
  ['Rename the folder', '/', button('Folder: All folders'), button(`Rename ${LONG}`)],
  [`Delete the folder “${LONG}”?`, '/', button('Folder: All folders'), button(`Delete ${LONG}`)],
  [`Clocks of the folder “${LONG}”`, '/', button('Folder: All folders'), button(`Clocks of ${LONG}`)],
  ['Clock of 1 video', '/', selectFirst, button('Clock')],
  ['Move 1 video into', '/', selectFirst, button('Move')],
  ['Tag 1 video', '/', selectFirst, button('Tag')],
  ['Observe 1 video', '/', selectFirst, button('Observe')],
  ['Export the events of 1 video', '/', selectFirst, button('Export')],
  ['Ask about 1 video', '/', selectFirst, button('Ask')],
  ['Delete 1 video permanently?', '/?trash=true', selectFirst, button('Delete permanently')],

  ['Delete this question?', ({ video }) => `${video}ask`, button(/^Actions for/), item('Delete')],
  ['Delete “crossing”?', ({ video }) => `${video}zones`, button('Delete crossing')],
  ['Delete this video?', ({ video }) => `${video}details`, button('Delete video')],
  ['Put this video on legal hold?', ({ video }) => `${video}details`, button('Put on legal hold')],
  ['Release this video from its legal hold?', ({ held }) => `/videos/${held}?tab=details`, button('Release')],

  [
    `Ask about the folder ${LONG}`,
    ({ held }) => `/videos/${held}?tab=ask`,
    fill('Question about the video', 'a car'),
    button('Whole folder'),
  ],

  ['Export events', '/search', button('Export')],
  [
    'Ask the videos of the folder',
    ({ folderId }) => `/search?q=nothing&folder=${folderId}`,
    button('Ask the videos of the folder'),
  ],
  ['Ask all videos', '/search?q=nothing', button('Ask all videos')],
  ['Delete this export?', '/exports', button('Delete')],
  ['Note on this question', ({ question }) => question, button('Note')],
  ['Compare with another question', ({ question }) => question, button('Compare')],
  ['Import labels', ({ question }) => question, button('Labels')],
  [
    'Labels imported',
    ({ question }) => question,
    button('Labels'),
    (page) =>
      page.getByLabel('File').setInputFiles({ name: 'labels.csv', mimeType: 'text/csv', buffer: Buffer.from(LABELS) }),
    confirm('Import'),
  ],
  ['Save a question', ({ question }) => question, button('Save question')],
  ['Add to a dataset', ({ question }) => question, button('Dataset')],

  ['Edit the saved question', '/saved-questions', button(`More for ${LONG}`), item('Edit')],
  ['Compare a change', '/saved-questions', button(`More for ${LONG}`), item('Try a change')],
  [
    'Run the question on existing videos?',
    '/saved-questions',
    button(`More for ${LONG}`),
    item('Run on existing videos'),
  ],
  ['Delete the saved question?', '/saved-questions', button(`More for ${LONG}`), item('Delete')],

  ['Create a dataset', '/datasets', button('Create dataset')],
  ['Delete the dataset?', ({ dataset }) => dataset, button('Delete dataset')],
  ['Edit the dataset', ({ dataset }) => dataset, button('Edit')],
  ['Add questions', ({ dataset }) => dataset, button('Add questions')],
  ['Freeze a version', ({ dataset }) => dataset, button('Freeze a version')],
  ['Delete the version?', ({ dataset }) => dataset, button('Delete first')],

  ['Add a missed event', ({ samples }) => samples, button(/^Add a missed event/)],

  ['Start a session', '/live', button('Start a session')],
  ['Add camera', '/live/cameras', button('Add camera')],
  ['Change camera', ({ camera }) => camera, button('More actions'), item('Change…')],
  ['Delete the camera?', ({ camera }) => camera, button('More actions'), item('Delete…')],
  [`Schedule of ${LONG}`, ({ camera }) => camera, button('Edit schedule')],
  [`Questions of ${LONG}`, ({ camera }) => camera, button('Edit questions')],
  [`Recording of ${LONG}`, ({ camera }) => camera, button('Edit recording')],
  [`Retention of ${LONG}`, ({ camera }) => camera, button('Edit retention')],
  ['Create a key?', ({ encoder }) => `/live/cameras?camera=${encoder}`, button('Create key…')],
  [
    'Key of the camera',
    ({ encoder }) => `/live/cameras?camera=${encoder}`,
    button('Create key…'),
    (page) => page.getByRole('alertdialog').getByRole('button', { name: 'Create key', exact: true }).click(),
  ],
  ['Replace the key?', ({ encoder }) => `/live/cameras?camera=${encoder}`, button('Replace key…')],
  ['Upload a recording', '/recordings', button('Upload a recording')],

  ['Sign out everywhere?', '/settings/profile', button('Sign out everywhere')],
  ['Require a second factor?', '/settings/organization', button('Require')],
  ['Transfer ownership', '/settings/organization', button('Transfer ownership')],
  [`Remove ${EMAIL}?`, '/settings/members', button(`Remove ${EMAIL}`)],
  ['Invite someone', '/settings/members', button('Invite')],
  [
    'Invitation created',
    '/settings/members',
    button('Invite'),
    fill('E-mail address', 'somebody@example.com'),
    confirm('Create invitation'),
  ],
  ['Create a key', '/settings/keys', button('Create key')],
  ['Key created', '/settings/keys', button('Create key'), fill('Name', LONG), confirm('Create key')],
  [`Revoke the key “${LONG}”?`, '/settings/keys', button(`Revoke ${LONG}`)],
  ['Add an integration', '/settings/integrations', button('Add integration')],
  ['Create a webhook', '/settings/webhooks', button('Create webhook')],
  [
    'Signing secret',
    '/settings/webhooks',
    button('Create webhook'),
    fill('URL', 'http://127.0.0.1:9/hook'),
    confirm('Create webhook'),
  ],
  ['Edit the webhook', '/settings/webhooks', button(/^More for/), item('Edit')],
  ['Rotate the secret of the webhook?', '/settings/webhooks', button(/^More for/), item('Rotate secret')],
  ['Delete the webhook?', '/settings/webhooks', button(/^More for/), item('Delete')],
];

/** The dialogs while they load, in both themes, on phones and laptops. */
describe.runIf(inject('programs').chromium)('dialogs', { timeout: TIMEOUT_MS }, () => {
  let service: Service;
  let browser: Console;
  let page: Page;
  let data: Data;

  beforeAll(async () => {
    service = await shareService();
    browser = await openConsole(service, { expected: [/status of 404/] });
    page = browser.page;
    page.setDefaultTimeout(25_000);
    await page.addInitScript(RECORD_TEXTS);
    const filled = await fillConsole(browser);
    const { sdk } = browser;
    const held = await uploadScene(browser, `${LONG}, held`, { folderId: filled.folderId });
    await page.goto('/');
    await post('/api/videos/hold', { video_ids: [held], reason: LONG });
    const deleted = await uploadScene(browser, `${LONG}, deleted`);
    await sdk.api.DELETE('/api/video/{video_id}', { params: { path: { video_id: deleted } } });
    const { camera_id: encoder } = await sdk.addCamera({ name: ENCODER, source: 'push', enabled: false });
    await sdk.api.POST('/api/datasets/{dataset_id}/versions', {
      params: { path: { dataset_id: filled.datasetId } },
      body: { name: 'first' },
    });
    const { webhook_id } = await post<{ webhook_id: string }>('/api/webhooks', { url: 'http://127.0.0.1:9/hook' });
    await sdk.api.PATCH('/api/saved-questions/{saved_question_id}', {
      params: { path: { saved_question_id: filled.savedQuestionId } },
      body: { webhook_ids: [webhook_id] },
    });
    const { url } = await post<{ url: string }>('/api/invitations', { email: EMAIL, role: 'member' });
    const json = { token: new URL(url).hash.slice(1), password: 'correct horse battery 9', name: 'Grace' };
    await service.call('POST', '/api/auth/accept', { key: null, json });
    data = { ...filled, held, encoder };
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
  });

  /** Sends a request that only signed-in persons may send. */
  const post = <T>(path: string, body: unknown): Promise<T> =>
    page.evaluate(`(async () => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(${JSON.stringify(body)});
      const response = await fetch('${path}', { method: 'POST', headers, body });
      return response.json();
    })()`);
  const twoFrames = () =>
    page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const isReady = async () => (await page.locator(BUSY).count()) === 0;

  async function open(path: string): Promise<void> {
    await page.setViewportSize(WIDE);
    await page.goto(path);
    await page.locator('h1').first().waitFor();
    await expect.poll(isReady).toBe(true);
  }
  async function press(step: Press): Promise<void> {
    if (typeof step === 'string') return page.keyboard.press(step);
    if (typeof step === 'function') return void (await step(page));
    await targetOf(step).click();
  }
  const targetOf = ({ role, name }: Target) => page.getByRole(role, { name, exact: typeof name === 'string' }).first();

  /** Opens an overlay with the responses that it needs one after another. Returns what it showed untruly meanwhile. */
  async function openHeld(show: () => Promise<unknown>): Promise<string[]> {
    const held: Route[] = [];
    let isHeld = true;
    await page.route(
      (url) => url.pathname.startsWith('/api/') && url.pathname !== '/api/activity',
      (route) => {
        if (isHeld && route.request().method() === 'GET') held.push(route);
        else return route.continue();
      },
    );
    await page.evaluate(`recordTexts(${JSON.stringify(OVERLAY)})`);
    await show();
    await page.locator(OVERLAY).last().waitFor();
    const isLoaded = async () => {
      await twoFrames();
      const route = held.shift();
      if (!route) return isReady();
      await route.continue();
      await (await route.request().response())?.finished();
      return false;
    };
    await expect.poll(isLoaded, { interval: 20, timeout: WAIT_MS }).toBe(true);
    isHeld = false;
    await Promise.all(held.map((route) => route.continue()));
    await page.unrouteAll({ behavior: 'wait' });
    await twoFrames();
    return (await page.evaluate<string[]>('withdrawnTexts()')).filter((text) => !text.includes('…'));
  }

  test.each(DIALOGS)(
    '"%s" is true, accessible, fits on a phone, and Escape closes it',
    async (title, path, ...presses) => {
      await open(typeof path === 'string' ? path : path(data));
      onTestFinished(() => page.unrouteAll({ behavior: 'ignoreErrors' }));
      for (const step of presses.slice(0, -1)) await press(step);
      const last = presses.at(-1)!;
      // Its button may need data, too.
      if (typeof last === 'object') await targetOf(last).waitFor();
      const named = { name: title, exact: true };
      const dialog = page.getByRole('dialog', named).or(page.getByRole('alertdialog', named));
      const untrue = await openHeld(async () => {
        await press(last);
        await dialog.waitFor();
        // The menu or the form that led to it is not part of it.
        await page.evaluate(`recordTexts(${JSON.stringify(OVERLAY)})`);
      });
      expect(untrue).toEqual([]);
      await checkDialog(browser, title);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    },
  );

  test('are all opened by a test, by their titles', async () => {
    const checked = DIALOGS.map(([title]) => title);
    for await (const file of glob(join(REPOSITORY, 'acceptance/console/*.ts'))) {
      const source = await readFile(file, 'utf8');
      checked.push(...[...source.matchAll(/checkDialog\(\w+, '(.+)'\)/g)].map(([, title]) => title!));
    }
    const titles = await titlesOfDialogs();
    expect(titles.length).toBeGreaterThan(60);
    expect(titles.filter(({ pattern }) => !checked.some((title) => pattern.test(title)))).toEqual([]);
  });
});
