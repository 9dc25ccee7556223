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
  const ended = (batch_id: string) =>
    browser.sdk.settled(
      () => status(batch_id),
      (batch) => batch.status !== 'processing',
    );

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
    const headline = page.getByRole('status').filter({ hasText: /^\d+ events in \d of 2 videos\./ });
    await headline.waitFor();
    const picture = page.getByRole('list', { name: 'Events' }).locator('img').first();
    await picture.waitFor();
    await expect.poll(() => widthOf(picture), { timeout: TIMEOUT_MS }).toBeGreaterThan(100);
    const { data } = await browser.sdk.api.POST('/api/batch/{batch_id}/analyses/bulk', {
      params: { path: { batch_id: batchId } },
      body: { video_ids: videoIds },
    });
    const documents = data!.analyses as unknown as AnalysisDocument[];
    const events = documents.flatMap(({ analysis }) => analysis.events);
    expect(events.length).toBeGreaterThan(1);
    await headline.filter({ hasText: new RegExp(`^${events.length} events`) }).waitFor();
    await browser.checkAccessibility();
    expect(browser.problems()).toEqual([]);
  });

  test('results are grouped by video, and each part says what was found, not found and not searched', async () => {
    const { page, sdk } = browser;
    const { batch_id } = await sdk.start({ query: 'a car, a giraffe, a siren, a burglar', videoIds });
    await page.goto(`/questions/${batch_id}`);
    const parts = page.getByRole('table', { name: 'Parts of the question' });
    const resultOf = (part: string) =>
      parts
        .getByRole('row', { name: new RegExp(`^${part}`) })
        .getByRole('cell')
        .nth(1);
    await expect.poll(() => resultOf('car').textContent()).toMatch(/^\d+ in \d videos?$/);
    expect(await resultOf('giraffe').textContent()).toBe('nothing');
    expect(await resultOf('burglar').textContent()).toBe('not searched');
    await parts.getByText(/The detector knows persons/).waitFor();
    const headline = await page
      .getByRole('status')
      .filter({ hasText: / of 2 videos\./ })
      .textContent();
    expect(headline).toMatch(/Nothing for .*“giraffe”.* Not searched: .*“burglar”/);
    for (const name of ['kitti_seq1_10fps.mp4', 'udacity_solidWhiteRight.mp4'])
      await page.getByRole('heading', { name, level: 3 }).waitFor();
    await browser.checkAccessibility();
    // Only what a rule for danger or a person stated is a severity: cars in view have none.
    expect(await page.getByText(/severity$/).count()).toBe(0);
    expect(await page.getByRole('region', { name: 'Severity' }).count()).toBe(0);
    expect(browser.problems()).toEqual([]);
  });

  test('tiles name their video on every screen, and play while the pointer rests on them', async () => {
    const { page } = browser;
    await page.goto(`/questions/${batchId}`);
    const tile = page.locator('article').first();
    for (const width of [1_440, 768, 390, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await tile.waitFor();
      // Polls: the width changes the place of tiles.
      const isReadable = async () => {
        const name = tile.getByTitle(/mp4$/);
        const [outer, own] = await Promise.all([tile.boundingBox(), name.boundingBox()]);
        const isWhole = await name.evaluate((element) => {
          const { scrollWidth, clientWidth } = element as unknown as { scrollWidth: number; clientWidth: number };
          return scrollWidth <= clientWidth;
        });
        return isWhole || own!.width > outer!.width / 2;
      };
      await expect.poll(isReadable, { message: `name at ${width} px` }).toBe(true);
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
    await page.setViewportSize({ width: 1_440, height: 900 });
    await tile.hover();
    const clip = () =>
      tile.locator('video').evaluate((video) => (video as unknown as { currentTime: number }).currentTime);
    const first = await clip();
    await expect.poll(clip, { timeout: TIMEOUT_MS }).not.toBe(first);
    await page.getByRole('heading', { level: 1 }).hover();
    await tile.locator('video').waitFor({ state: 'detached' });
    expect(browser.problems()).toEqual([]);
  });

  test('no number is shown before all events are loaded', async () => {
    const { page } = browser;
    await ended(batchId);
    const held = Promise.withResolvers<void>();
    await page.route('**/analyses/bulk', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`/questions/${batchId}`);
    await page.getByRole('heading', { name: 'a car', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Note' }).waitFor();
    expect(await page.getByText(/\d+ events?\b/).allTextContents()).toEqual([]);
    held.resolve();
    await page
      .getByRole('status')
      .filter({ hasText: /^\d+ events/ })
      .waitFor();
    await page.unroute('**/analyses/bulk');
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
    await page.getByRole('heading', { name: count === 1 ? '1 event' : `${count} events`, exact: true }).waitFor();

    await page.getByRole('button', { name: 'Note' }).click();
    await page.getByRole('textbox', { name: 'Note' }).fill('Looks good to me');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('paragraph').filter({ hasText: 'Looks good to me' }).waitFor();
    expect((await status(batchId)).metadata).toMatchObject({ note: 'Looks good to me' });
    expect(browser.problems()).toEqual([]);
  });

  test('two questions are compared side by side, by object, place and time', async () => {
    const { page, sdk } = browser;
    const persons = await sdk.start({ query: 'a person', videoIds });
    const vehicles = await sdk.start({ query: 'a car or a truck', videoIds });
    for (const { batch_id } of [persons, vehicles]) await ended(batch_id);
    await page.goto(`/questions/${batchId}`);
    await page.getByRole('button', { name: 'Compare' }).click();
    const choice = page.getByRole('dialog');
    await choice.getByRole('button', { name: /^a car or a truck.*2 videos/ }).waitFor();
    await browser.checkAccessibility();
    await choice.getByRole('searchbox').fill('PERSON');
    await choice.getByRole('button', { name: /^a car or a truck/ }).waitFor({ state: 'detached' });
    await choice
      .getByRole('button', { name: /^a person/ })
      .first()
      .click();
    await page.waitForURL(new RegExp(`compare=${persons.batch_id}`));
    const columnOf = (name: string) => page.getByRole('region', { name, exact: true });
    // Persons beside cars are at the same time, but not the same incident.
    await page.getByRole('status').filter({ hasText: 'The questions share no incident.' }).waitFor();
    await columnOf('Only A').getByText('B does not ask for “car”.').first().waitFor();
    await browser.checkAccessibility();

    await page.goto(`/questions/${batchId}?compare=${vehicles.batch_id}`);
    const headline = page.getByRole('status').filter({ hasText: /^Both questions found \d+ incidents/ });
    const [both, onlyA, onlyB] = (await headline.textContent())!.match(/\d+/g)!.map(Number) as [number, number, number];
    const of = async (side: string) => Number(/of (\d+)/.exec((await columnOf(side).textContent())!)![1]);
    expect([both + onlyA, both + onlyB]).toEqual([await of('Only A'), await of('Only B')]);
    await columnOf('In both')
      .getByText(/same track \d+/)
      .first()
      .waitFor();
    await browser.checkAccessibility();

    await columnOf('In both').getByRole('link').first().focus();
    await page.keyboard.press('x');
    await page.getByText('1 pair is split.').waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: `Only A found ${onlyA + 1}, only B ${onlyB + 1}.` })
      .waitFor();
    await page.getByRole('button', { name: 'Swap A and B' }).click();
    await page.waitForURL(new RegExp(`${vehicles.batch_id}\\?compare=${batchId}`));

    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: /^In both/ }).click();
    await page.waitForURL(/part=both/);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await browser.checkAccessibility();
    await page.setViewportSize({ width: 1_440, height: 900 });
    expect(browser.problems()).toEqual([]);
  });

  test('a comparison shows no number before both questions are loaded', async () => {
    const { page, sdk } = browser;
    const other = await sdk.start({ query: 'a car or a bus', videoIds });
    await ended(other.batch_id);
    const held = Promise.withResolvers<void>();
    await page.route(`**/batch/${other.batch_id}/analyses/bulk`, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`/questions/${batchId}?compare=${other.batch_id}`);
    await page
      .getByRole('status')
      .filter({ hasText: /^(Loading|The comparison appears)/ })
      .waitFor();
    expect(await page.getByRole('main').getByText(/\d/).allTextContents()).toEqual([]);
    held.resolve();
    await page
      .getByRole('status')
      .filter({ hasText: /^Both questions found/ })
      .waitFor();
    await page.unroute(`**/batch/${other.batch_id}/analyses/bulk`);
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
    await page.getByRole('link', { name: 'a car', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Cancel “a bus”' }).click();
    await page.getByRole('button', { name: 'Run “a bus” again where it failed' }).waitFor();
    expect((await status(long.batch_id)).status).toBe('cancelled');
    await browser.checkAccessibility();
    await page.getByRole('searchbox', { name: 'Filter by words' }).fill('bus');
    await page.waitForURL(/q=bus/);
    await page.getByRole('link', { name: 'a car', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Run “a bus” again where it failed' }).click();
    await page.waitForURL(/\/questions\/\w{32}/);
    await page.getByRole('heading', { name: 'a bus', level: 1 }).waitFor();
    expect(browser.problems()).toEqual([]);
  });
});
