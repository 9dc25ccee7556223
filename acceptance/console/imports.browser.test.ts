import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sceneClip } from '../../server/test/media/clips.ts';
import { startClouds } from '../harness/clouds.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { checkDialog } from '../harness/dialogs.ts';
import { makeFolder, type Service, startService } from '../harness/service.ts';

const { chromium: program, s3Server, gcsServer } = inject('programs');
const TIMEOUT_MS = 180_000;

describe.runIf(program && s3Server && gcsServer)('imports', { timeout: TIMEOUT_MS }, () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let clouds: Awaited<ReturnType<typeof startClouds>>;
  let service: Service;
  let browser: Console;

  beforeAll(async () => {
    folder = await makeFolder();
    clouds = await startClouds(folder.path, await readFile(await sceneClip()));
    const env = { SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8', ...clouds.env };
    service = await startService(`${folder.path}/data`, { env });
    // An integration with a bucket that does not exist is refused.
    browser = await openConsole(service, { expected: [/status of 4\d\d .*cloud-integrations/] });
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.stop(), clouds?.stop()]);
    await folder?.remove();
  });

  test('an integration that cannot be read is refused with a reason, and can be corrected', async () => {
    const { page } = browser;
    await page.goto('/imports/new');
    await page.getByRole('button', { name: 'Add integration' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Fleet');
    await page.getByLabel('Bucket', { exact: true }).fill('no-such-bucket');
    await page.getByLabel('Server').fill(clouds.s3Url);
    await page.getByLabel('Access key id').fill('key');
    await page.getByLabel('Secret access key').fill('secret');
    await page.getByRole('button', { name: 'Test and save' }).click();
    await page.getByRole('alert').getByText('no-such-bucket').waitFor();
    await page.getByLabel('Bucket', { exact: true }).fill('fleet-recordings');
    await page.getByRole('button', { name: 'Test and save' }).click();
    await page.getByText('4 objects ·').waitFor();
    await browser.checkAccessibility();
  });

  test('an import shows its videos, and why an object failed', async () => {
    const { page } = browser;
    await page.getByLabel('Only keys that match').fill('**/*.mp4');
    await page.getByLabel('Prefix').click();
    await page.getByText('3 objects ·').waitFor();
    expect(new URL(page.url()).searchParams.get('include')).toBe('**/*.mp4');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Completed with failures').waitFor();
    const reasons = page.getByRole('region', { name: 'Reasons of failures' });
    await reasons.getByText('1 object').waitFor();
    const row = page.getByRole('row').filter({ hasText: 'drives/a.mp4' });
    await row.getByRole('link', { name: 'Imported' }).waitFor();
    await browser.checkAccessibility();
    await page.getByRole('button', { name: 'Retry failed' }).click();
    await page.getByText('Completed with failures').waitFor();
    await row.getByRole('link', { name: 'Imported' }).click();
    await page.getByRole('heading', { name: /a\.mp4/ }).waitFor();
    const { data } = await browser.sdk.api.GET('/api/videos');
    const ready = data!.videos.filter(({ status }) => status === 'uploaded');
    expect(ready.map(({ video_name }) => video_name).sort()).toEqual(['a.mp4', 'b.mp4']);
  });

  test('an import on a schedule runs, is listed, and can be deleted', async () => {
    const { page } = browser;
    await page.goto('/imports/new?prefix=drives/a');
    await page.getByText('1 object ·').waitFor();
    await page.getByRole('combobox', { name: 'When' }).click();
    await page.getByRole('option', { name: 'Day' }).click();
    await page.getByRole('button', { name: 'Import and schedule' }).click();
    const row = page.getByRole('region', { name: 'Scheduled imports' }).getByRole('row').filter({ hasText: 'Fleet' });
    await row.getByText('Active').waitFor();
    await browser.checkAccessibility();
    await row.getByRole('button', { name: 'Delete' }).click();
    await checkDialog(browser, 'Delete this schedule?');
    await page.getByRole('button', { name: 'Delete schedule' }).click();
    // The dialog hides the table from roles until it closes.
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await row.waitFor({ state: 'detached' });
    expect((await browser.sdk.api.GET('/api/import-syncs')).data!.syncs).toEqual([]);
  });

  test('an import can be canceled while it runs', async () => {
    const { page } = browser;
    await page.goto('/imports');
    const job = page.getByRole('region', { name: 'Imports', exact: true }).getByRole('row').nth(1).getByRole('link');
    await job.waitFor();
    // The few objects of this bucket are imported before anyone could press the button.
    await page.route(/\/api\/import-jobs\/[^/?]+$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), status: 'running', terminal: false } });
    });
    await job.click();
    await page.getByRole('button', { name: 'Cancel import' }).click();
    await checkDialog(browser, 'Cancel this import?');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('an integration is tested, changed and deleted', async () => {
    const { page } = browser;
    await page.goto('/settings/integrations');
    const row = page.getByRole('row').filter({ hasText: 'Fleet' });
    await row.getByRole('button', { name: /Test/ }).click();
    await checkDialog(browser, 'Test of Fleet');
    await page.keyboard.press('Escape');
    const open = async (name: string) => {
      await row.getByRole('button', { name: 'More for Fleet' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await open('Edit');
    await checkDialog(browser, 'Edit Fleet');
    await page.keyboard.press('Escape');
    await open('Delete');
    await checkDialog(browser, 'Delete the integration “Fleet”?');
    await page.getByRole('button', { name: 'Delete integration' }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await row.waitFor({ state: 'detached' });
    expect((await browser.sdk.api.GET('/api/cloud-integrations')).data).toEqual([]);
  });
});
