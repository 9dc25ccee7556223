import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { AnalysisDocument } from '@sightline/sdk';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { footage, hasFootage } from '../../server/test/footage.ts';
import { type Console, openConsole } from '../harness/console.ts';
import type { Service } from '../harness/service.ts';
import { shareService } from '../harness/shared-service.ts';

const { chromium: program } = inject('programs');
const TIMEOUT_MS = 180_000;
/** Width in pixels of a picture that has loaded; 0 before. */
const widthOf = (picture: Locator) =>
  picture.evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth);

describe.runIf(program && hasFootage)('questions over several videos', { timeout: TIMEOUT_MS }, () => {
  let service: Service;
  let browser: Console;
  let batchId: string;
  let videoIds: string[];

  beforeAll(async () => {
    service = await shareService();
    const clips = ['road/kitti_seq1_10fps.mp4', 'road/udacity_solidWhiteRight.mp4'];
    browser = await openConsole(service);
    browser.page.setDefaultTimeout(TIMEOUT_MS);
    videoIds = [];
    for (const clip of clips) {
      const file = new File([await readFile(footage(clip))], basename(clip));
      videoIds.push((await browser.sdk.upload(file, { name: file.name })).video_id);
    }
    for (const videoId of videoIds) await browser.sdk.ready(videoId);
    batchId = (await browser.sdk.start({ query: 'a car', videoIds })).batch_id;
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
  });

  const status = async (batch_id: string) =>
    (await browser.sdk.api.GET('/api/batch/{batch_id}/status', { params: { path: { batch_id } } })).data!;

  test('the address of a dataset in published clients opens its page', async () => {
    const { page } = browser;
    await page.goto('/dataset-studio/ds_1');
    await page.waitForURL(`${service.url}/datasets/ds_1`);
    await page.getByRole('heading', { name: 'This dataset is not available' }).waitFor();
    await browser.checkAccessibility();
    await page.getByRole('link', { name: 'Show datasets' }).click();
    await page.getByRole('heading', { name: 'No datasets yet' }).waitFor();
    expect(browser.problems().filter((problem) => !/status of 404/.test(problem))).toEqual([]);
  });

  test('the address that published clients print opens the page; it follows the question to its evidence', async () => {
    const { page } = browser;
    await page.goto(`/use-cases/rapid-review/batch-view/${batchId}`);
    await page.waitForURL(`${service.url}/questions/${batchId}`);
    await page.getByRole('heading', { name: 'a car', level: 1 }).waitFor();
    await page.getByText('Completed', { exact: true }).waitFor();
    const grid = page.getByRole('list', { name: 'Events' });
    const picture = grid.locator('img').first();
    await picture.waitFor();
    await expect.poll(() => widthOf(picture), { timeout: TIMEOUT_MS }).toBeGreaterThan(100);
    const { data } = await browser.sdk.api.POST('/api/batch/{batch_id}/analyses/bulk', {
      params: { path: { batch_id: batchId } },
      body: { video_ids: videoIds },
    });
    const documents = data!.analyses as unknown as AnalysisDocument[];
    const events = documents.flatMap(({ analysis }) => analysis.events);
    expect(events.length).toBeGreaterThan(1);
    await page.getByText(`${events.length} events`, { exact: true }).waitFor();
    await browser.checkAccessibility();

    await page.getByRole('tab', { name: /Videos/ }).click();
    await page.getByRole('link', { name: 'kitti_seq1_10fps.mp4' }).waitFor();
    await expect.poll(() => page.getByRole('list', { name: 'Videos' }).getByText('Completed').count()).toBe(2);
    await browser.checkAccessibility();
    expect(browser.problems()).toEqual([]);
  });

  test('facets narrow the events and are part of the address; a note stays', async () => {
    const { page } = browser;
    await page.goto(`/questions/${batchId}`);
    const video = page.getByRole('region', { name: 'Video' }).getByRole('button', { name: /kitti/ });
    const count = Number(await video.locator('.num').textContent());
    await video.click();
    await page.waitForURL(new RegExp(`video=${videoIds[0]}`));
    await page.reload();
    await page.getByText(count === 1 ? '1 event' : `${count} events`, { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Note' }).click();
    await page.getByRole('textbox', { name: 'Note' }).fill('Looks good to me');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('paragraph').filter({ hasText: 'Looks good to me' }).waitFor();
    expect((await status(batchId)).metadata).toMatchObject({ note: 'Looks good to me' });
    expect(browser.problems()).toEqual([]);
  });

  test('two questions on the same videos are compared by the times of their events', async () => {
    const { page } = browser;
    const other = await browser.sdk.start({ query: 'a person', videoIds });
    await page.goto(`/questions/${batchId}`);
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('menuitem', { name: /a person/ }).click();
    await page.waitForURL(new RegExp(`compare=${other.batch_id}`));
    await page.getByText('Compared with “a person”').waitFor();
    await page.getByRole('button', { name: /In both/ }).click();
    await page.waitForURL(/part=both/);
    await browser.checkAccessibility();
    expect(browser.problems()).toEqual([]);
  });

  test('labels of another tool are imported into the events of a question', async () => {
    const { page, sdk } = browser;
    await page.goto(`/questions/${batchId}`);
    await page.getByRole('button', { name: 'Labels', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const importFile = async (...rows: string[]) => {
      const buffer = Buffer.from(['label,start_s,end_s,video_id', ...rows].join('\n'));
      await dialog.getByLabel('File').setInputFiles({ name: 'truth.csv', mimeType: 'text/csv', buffer });
      await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    };
    await importFile(`a tram,9,8,${videoIds[0]}`, `,1,2,${videoIds[0]}`);
    await dialog.getByRole('listitem').filter({ hasText: 'line 2 It ends before it starts.' }).waitFor();
    await browser.checkAccessibility();
    // No car is found there, so it is a missed event.
    await importFile(`a tram,4.6,5,${videoIds[0]}`);
    await dialog.getByRole('heading', { name: 'Labels imported' }).waitFor();
    await dialog.getByText('Missed events, added').waitFor();
    await browser.checkAccessibility();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('a tram').first().waitFor();
    const added = await Array.fromAsync(sdk.events({ batch_id: batchId, added: true }));
    expect(added).toMatchObject([{ label: 'a tram', approval: 'approved', review: { origin: 'truth.csv' } }]);
    await sdk.api.POST('/api/review/undo', {});
    expect(browser.problems()).toEqual([]);
  });

  test('a dataset is made of questions, downloaded with their verdicts, renamed, reduced and deleted', async () => {
    const { page, sdk } = browser;
    await page.goto('/datasets');
    await page.getByRole('button', { name: 'Create dataset' }).click();
    const dialog = page.getByRole('dialog');
    const create = dialog.getByRole('button', { name: 'Create dataset' });
    await dialog.getByLabel('Name', { exact: true }).fill('Crossings');
    await expect.poll(() => create.isDisabled()).toBe(true);
    await dialog.getByRole('checkbox', { name: /^a person/ }).click();
    await browser.checkAccessibility();
    await create.click();
    await page.waitForURL(/\/datasets\/\w{32}/);
    const address = page.url();

    await page.goto(`/questions/${batchId}`);
    await page.getByRole('button', { name: 'Dataset', exact: true }).click();
    await dialog.getByRole('combobox', { name: 'Dataset' }).click();
    await page.getByRole('option', { name: 'Crossings' }).click();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.waitForURL(address);
    const questions = page.getByRole('list', { name: 'Questions' });
    await questions.getByRole('link', { name: 'a car' }).waitFor();
    await page.getByText('Ready', { exact: true }).waitFor();
    await browser.checkAccessibility();

    const [found] = await Array.fromAsync(sdk.events({ batch_id: batchId }));
    await sdk.review([found!.event_id], { approval: 'approved' });
    await page.getByRole('listitem').filter({ hasText: 'Approved 1' }).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByRole('menuitem', { name: /^Approved events only/ }).click();
    const file = JSON.parse(await readFile(await (await saved).path(), 'utf8'));
    const inFile = file.batches.flatMap(({ results }: { results: AnalysisDocument['analysis'][] }) =>
      results.flatMap(({ events }) => events.map(({ event_id }) => event_id)),
    );
    expect([file.dataset_metadata.name, inFile]).toEqual(['Crossings', [found!.event_id]]);

    await page.getByText('No version was frozen yet.').waitFor();
    await page.getByRole('button', { name: 'Freeze a version' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Spring');
    await dialog.getByLabel('Test split, percent').fill('20');
    await browser.checkAccessibility();
    await dialog.getByRole('button', { name: 'Freeze', exact: true }).click();
    const frozen = page.getByRole('listitem').filter({ hasText: 'Spring' });
    await frozen.getByTitle(/^SHA-256: [0-9a-f]{64}$/).waitFor();
    await browser.checkAccessibility();
    const savedVersion = page.waitForEvent('download');
    await frozen.getByRole('button', { name: 'Download Spring' }).click();
    const { version, splits } = JSON.parse(await readFile(await (await savedVersion).path(), 'utf8'));
    expect([version.name, splits.test_share]).toEqual(['Spring', 0.2]);
    await frozen.getByRole('button', { name: 'Delete Spring' }).click();
    await page.getByRole('button', { name: 'Delete version' }).click();
    await page.getByText('No version was frozen yet.').waitFor();

    const fields = [{ name: 'is_car', type: 'boolean', description: 'a car' }];
    const classified = await sdk.classifyDataset(address.split('/').at(-1)!, { label: 'Kind', fields });
    expect(classified).toMatchObject({ status: 'done', completed_fields: ['is_car'] });
    await page.reload();
    const values = page.getByRole('region', { name: 'Values of fields' });
    await values.getByRole('row', { name: /^true \d+$/ }).waitFor();
    await browser.checkAccessibility();

    await page.getByRole('button', { name: 'Remove “a person”' }).click();
    await questions.getByRole('link', { name: 'a person' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Cars');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Cars', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Datasets' }).first().click();
    await page.getByRole('link', { name: 'Cars' }).waitFor();
    await browser.checkAccessibility();
    await page.getByRole('button', { name: 'More for Cars' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete dataset' }).click();
    await page.getByRole('heading', { name: 'No datasets yet' }).waitFor();
    expect(browser.problems()).toEqual([]);
  });

  test('the list has all questions, filters them, and repeats a canceled one', async () => {
    const { page } = browser;
    // Long enough to be running still when a slow machine has shown the page.
    const long = await browser.sdk.start({ query: 'a bus', videoIds: Array(600).fill(videoIds[0]) });
    await page.goto('/questions');
    await page.getByRole('link', { name: 'a car' }).waitFor();
    await page.getByRole('button', { name: 'Cancel “a bus”' }).click();
    await page.getByRole('button', { name: 'Run “a bus” again where it failed' }).waitFor();
    expect((await status(long.batch_id)).status).toBe('cancelled');
    await browser.checkAccessibility();
    await page.getByRole('searchbox', { name: 'Filter by words' }).fill('bus');
    await page.waitForURL(/q=bus/);
    await page.getByRole('link', { name: 'a car' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Run “a bus” again where it failed' }).click();
    await page.waitForURL(/\/questions\/\w{32}/);
    await page.getByRole('heading', { name: 'a bus', level: 1 }).waitFor();
    expect(browser.problems()).toEqual([]);
  });
});
