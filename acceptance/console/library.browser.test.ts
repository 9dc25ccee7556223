import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sceneClip, stillClip } from '../../server/test/media/clips.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { makeFolder, type Service, startService } from '../harness/service.ts';

/** The library: uploads that survive a crash of the service and a reload, and actions on many videos. */
const { chromium: program } = inject('programs');
const TIMEOUT_MS = 180_000;
/** Browsers send six requests at a time; those that the first paint does not need are among these. */
const MOST_SCRIPTS = 15;
/** The service is killed during an upload, and refuses a file. */
/** The last one: the page shows a video that was deleted by the API. */
const EXPECTED = [/net::ERR_/, /status of (400|423|503)/, /status of 404 .*poster\.jpg/];
let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Service;
let opened: Console;
let page: Page;

describe.runIf(program)('in a browser', { timeout: TIMEOUT_MS }, () => {
  beforeAll(async () => {
    folder = await makeFolder();
    const env = { SIGHTLINE_MODELS_DIR: `${folder.path}/data/models` };
    service = await startService(`${folder.path}/data`, { env });
    opened = await openConsole(service, { expected: EXPECTED });
    page = opened.page;
    page.setDefaultTimeout(60_000);
    // Firefox has no such picker; a test can fill the input instead.
    await page.addInitScript('delete window.showOpenFilePicker');
    await page.goto(service.url);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await opened?.close();
    await service?.stop();
    await folder?.remove();
  });

  const listVideos = async (name?: string) =>
    (await opened.sdk.api.GET('/api/videos', { params: { query: { name } } })).data!.videos;
  const metadataOf = async (video_id: string) =>
    (await opened.sdk.api.GET('/api/video/{video_id}/status', { params: { path: { video_id } } })).data!.metadata;
  const card = (name: string) => page.getByRole('gridcell').filter({ hasText: name });
  const tray = () => page.getByRole('region', { name: 'Uploads' });

  async function choose(paths: string[]): Promise<void> {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload', exact: true }).first().click();
    await page.getByRole('menuitem', { name: 'Choose files' }).click();
    await (await chooser).setFiles(paths);
  }

  /** Limits uploads to this many bytes per second; null: as fast as possible. */
  async function limitUploads(bytesPerSecond: number | null): Promise<void> {
    const devtools = await page.context().newCDPSession(page);
    const limits = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytesPerSecond ?? -1 };
    await devtools.send('Network.emulateNetworkConditions', limits);
  }

  test('opens with few requests, none of them twice', async () => {
    const paths: string[] = [];
    const collect = (request: Request) => paths.push(new URL(request.url()).pathname);
    const shown = () => page.getByRole('searchbox', { name: 'Filter by name' }).waitFor();
    await shown();
    // A change that is reported meanwhile would be a reason to fetch the list again.
    await page.route('**/api/activity*', () => {});
    page.on('request', collect);
    await page.reload();
    await shown();
    page.off('request', collect);
    await page.unroute('**/api/activity*');
    await page.reload();
    await shown();
    // Those that are only started early are requested again when they do not match the client's own request.
    expect(paths.filter((path) => path === '/api/auth/session')).toHaveLength(1);
    expect(paths.filter((path) => path === '/api/videos')).toHaveLength(1);
    const scripts = paths.filter((path) => path.endsWith('.js'));
    expect(new Set(scripts).size).toBe(scripts.length);
    expect(scripts.length).toBeLessThanOrEqual(MOST_SCRIPTS);
  });

  test('a new service shows the first steps', async () => {
    await page.getByRole('heading', { name: 'Find something in your videos' }).waitFor();
    await page.getByText('Drag videos or folders onto this page').waitFor();
    await opened.checkAccessibility();
  });

  test('an upload continues after the service was killed, and after a reload of the page', async () => {
    const clip = await sceneClip();
    const bytes = await readFile(clip);
    await limitUploads(bytes.length / 8);
    await choose([clip]);
    await tray()
      .getByText(/^[1-9]\d?%/)
      .waitFor();
    await service.kill();
    await tray().getByText('Waiting for the service').waitFor();
    service = await startService(service.dataDir, { env: service.env });
    await limitUploads(null);
    await tray().getByText('Uploaded', { exact: true }).waitFor();
    await card('scene.mp4').waitFor();
    const [video] = await listVideos();
    expect((await metadataOf(video!.video_id)).sha256).toBe(createHash('sha256').update(bytes).digest('hex'));

    // The list closes by itself when all have arrived.
    await tray().waitFor({ state: 'detached' });
    const still = await stillClip();
    await limitUploads((await readFile(still)).length / 20);
    await choose([still]);
    await tray().getByRole('button', { name: 'Pause' }).click();
    await tray().getByText('Paused').waitFor();
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await limitUploads(null);
    const chooser = page.waitForEvent('filechooser');
    await tray().getByRole('button', { name: 'Choose file' }).click();
    await (await chooser).setFiles([still]);
    await tray().getByText('Uploaded', { exact: true }).waitFor();
    await card('still-0.mp4').waitFor();
  });

  test('refused files show the reason of the API; sidecars follow their video', async () => {
    const noise = join(folder.path, 'noise.mp4');
    await writeFile(noise, Buffer.alloc(5000, 7));
    const text = join(folder.path, 'notes.pdf');
    await writeFile(text, 'notes');
    const video = join(folder.path, 'ride.mp4');
    await writeFile(video, await readFile(await stillClip(1)));
    const telemetry = join(folder.path, 'ride.csv');
    await writeFile(telemetry, 'time,speed\n0,1\n1,2\n');
    const talk = join(folder.path, 'talk.mp4');
    await writeFile(talk, await readFile(await stillClip(4)));
    const subtitles = join(folder.path, 'talk.de.srt');
    await writeFile(subtitles, '1\n00:00:00,000 --> 00:00:01,000\nGuten Morgen.\n');
    await choose([noise, text, video, telemetry, talk, subtitles]);
    await tray().getByText('The file is not a video').waitFor();
    await tray().getByText('This is not a video.').waitFor();
    await card('ride.mp4').waitFor();
    await expect
      .poll(async () => {
        const [ride] = await listVideos('ride');
        return (await metadataOf(ride!.video_id)).sidecar;
      })
      .toMatchObject({ filename: 'ride.csv' });
    await card('talk.mp4').waitFor();
    await expect
      .poll(async () => (await metadataOf((await listVideos('talk'))[0]!.video_id)).subtitles)
      .toMatchObject({ filename: 'talk.de.srt', language: 'de' });
    const video_ids = (await listVideos('talk')).map(({ video_id }) => video_id);
    await opened.sdk.api.POST('/api/videos/delete', { body: { video_ids } });
    await card('talk.mp4').waitFor({ state: 'detached' });
    await opened.checkAccessibility();
    await tray().getByRole('button', { name: 'Clear' }).click();
    // Refused uploads are not offered again.
    await page.reload();
    await card('ride.mp4').waitFor();
    await expect.poll(() => tray().count()).toBe(0);
  });

  test('a folder dropped on the page is uploaded with the folders in it; what a system puts there is left out', async () => {
    const drives = join(folder.path, 'Drives');
    await mkdir(join(drives, 'monday'), { recursive: true });
    await writeFile(join(drives, 'dusk.mp4'), await readFile(await stillClip(2)));
    await writeFile(join(drives, 'monday/dawn.mp4'), await readFile(await stillClip(3)));
    await writeFile(join(drives, 'monday/dawn.csv'), 'time,speed\n0,1\n1,2\n');
    await writeFile(join(drives, 'monday/.DS_Store'), 'Finder');
    const devtools = await page.context().newCDPSession(page);
    const data = { items: [], files: [drives], dragOperationsMask: 1 };
    const drag = (type: 'dragEnter' | 'dragOver') =>
      devtools.send('Input.dispatchDragEvent', { type, x: 700, y: 400, data });
    await drag('dragEnter');
    // A pointer above the page reports it again and again. The part of the page that takes files may still load.
    const offer = async () => {
      await drag('dragOver');
      return page.getByText('Drop files or folders to upload them').isVisible();
    };
    await expect.poll(offer, { timeout: 60_000 }).toBe(true);
    await devtools.send('Input.dispatchDragEvent', { type: 'drop', x: 700, y: 400, data });
    await card('dawn.mp4').waitFor();
    await card('dusk.mp4').waitFor();
    for (const left of ['.DS_Store', 'dawn.csv']) await expect.poll(() => tray().getByText(left).count()).toBe(0);
    await expect
      .poll(async () => (await metadataOf((await listVideos('dawn'))[0]!.video_id)).sidecar)
      .toMatchObject({ filename: 'dawn.csv' });
    const video_ids = (await Promise.all(['dawn', 'dusk'].map(listVideos))).flat().map(({ video_id }) => video_id);
    await opened.sdk.api.POST('/api/videos/delete', { body: { video_ids } });
    await tray().getByRole('button', { name: 'Clear' }).click();
    await card('dusk.mp4').waitFor({ state: 'detached' });
  });

  test('many videos are moved, tagged, deleted and restored', async () => {
    const dismiss = page.getByRole('button', { name: 'Hide the first steps in this tab' });
    await dismiss.click();
    await card('scene.mp4').getByRole('checkbox').click();
    await card('still-0.mp4').getByRole('checkbox').click();
    const bar = page.getByRole('region', { name: 'Selected videos' });
    await bar.getByText('2 selected').waitFor();
    await bar.getByRole('button', { name: 'Move' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'New folder' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Night drives');
    await page.getByRole('button', { name: 'Create folder' }).click();
    await page.getByText('2 videos moved').waitFor();
    const { data } = await opened.sdk.api.GET('/api/folders');
    expect(data!.folders).toMatchObject([{ name: 'Night drives', video_count: 2 }]);

    // By keyboard: move, select with X and Shift, delete, undo.
    await card('ride.mp4').focus();
    await page.keyboard.press('x');
    await bar.getByText('1 selected').waitFor();
    await page.keyboard.press('Shift+ArrowRight');
    await bar.getByText('2 selected').waitFor();
    await page.keyboard.press('Delete');
    await page.getByText('2 videos deleted').waitFor();
    await card('ride.mp4').waitFor({ state: 'detached' });
    expect(await listVideos()).toHaveLength(1);
    const toast = page.getByRole('dialog').filter({ hasText: '2 videos deleted' });
    await toast.getByRole('button', { name: 'Undo' }).click();
    await card('ride.mp4').waitFor();
    expect(await listVideos()).toHaveLength(3);

    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('button', { name: /^Apply/ }).waitFor();
    await opened.checkAccessibility();
    await page.getByRole('combobox', { name: 'Length' }).click();
    await page.getByRole('option', { name: '1 hour and more · 0' }).waitFor();
    await page.getByRole('option', { name: 'Under 1 minute · 3' }).click();
    await page.waitForURL(/length=seconds/);
    await page.getByRole('combobox', { name: 'Questions' }).click();
    await page.getByRole('option', { name: 'Asked about · 0', exact: true }).click();
    await page.waitForURL(/queried=yes/);
    await page.getByText('No video matches these filters').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove the filter Asked about' }).click();
    await card('ride.mp4').waitFor();
    await page.getByRole('button', { name: 'Remove the filter Under 1 minute' }).click();

    await page.keyboard.press('/');
    await page.keyboard.type('ride');
    await page.waitForURL(/q=ride/);
    await card('scene.mp4').waitFor({ state: 'detached' });
    await page.goto(`${service.url}/?q=nothing`);
    await page.getByText('No video matches these filters').waitFor();
    await page.getByRole('link', { name: 'Remove all filters' }).click();
    await page.getByRole('button', { name: 'Table' }).click();
    const row = card('scene.mp4');
    await row.waitFor();
    const edges = (locator: Locator) =>
      locator.evaluateAll((cells) => cells.map((cell) => [cell.getBoundingClientRect().left, cell.clientWidth]));
    const headers = await edges(page.locator('[aria-hidden] > span').filter({ hasText: /^(?!Name)\w+$/ }));
    expect(headers).toHaveLength(7);
    expect(await edges(row.locator('> span'))).toEqual(headers);
    await page.getByRole('gridcell', { name: /scene\.mp4.* Length 0:\d\d .*Size \S+ .*Uploaded / }).waitFor();
    await page.getByRole('combobox', { name: 'Order' }).click();
    await page.getByRole('option', { name: 'Name, Z to A' }).click();
    await page.waitForURL(/sort=name-desc/);
    await row.waitFor();
    await opened.checkAccessibility();
  });
});
