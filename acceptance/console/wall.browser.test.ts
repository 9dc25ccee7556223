import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { testPattern } from '../../server/test/servers/live-sources.ts';
import { startRtspServer } from '../../server/test/servers/rtsp-server.ts';
import { DARK } from '../harness/answers.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { shareService } from '../harness/shared-service.ts';

/** The wall: four streams beside each other, their events, and how a user arranges them. */
const { chromium: program, ffmpeg } = inject('programs');
const TIMEOUT_MS = 300_000;

describe.runIf(program && ffmpeg)('the wall', { timeout: TIMEOUT_MS }, () => {
  let view: Console;
  const sources: Awaited<ReturnType<typeof startRtspServer>>[] = [];

  beforeAll(async () => {
    const expected = [
      // On a busy machine, a player may request a segment that the window of the playlist has left.
      /status of 404 .*\/api\/live\//,
      // A test refuses to create a key.
      /status of 409 .*\/key/,
    ];
    view = await openConsole(await shareService(), { expected });
    view.page.setDefaultTimeout(TIMEOUT_MS / 3);
    for (const darkS of [3, 0, 0, 0]) {
      sources.push(await startRtspServer(ffmpeg!, { input: testPattern({ sound: false, darkS }) }));
    }
  }, TIMEOUT_MS);
  afterAll(async () => {
    await view?.close();
    for (const source of sources) await source.stop();
  });

  const tile = (name: string) => view.page.locator('[data-tile]').filter({ hasText: name });
  const order = () =>
    view.page
      .locator('[data-tile]')
      .evaluateAll((tiles) => tiles.map((each) => each.querySelector('.font-semibold.truncate')?.textContent));
  const focused = () => view.page.evaluate<string | null>('document.activeElement.getAttribute("aria-label")');

  test('shows the key of a camera that pushes, also if its creation failed at first', async () => {
    const { page, sdk } = view;
    await page.goto('/live/wall');
    await page.getByRole('button', { name: 'Add camera' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Crane');
    await dialog.getByRole('combobox', { name: 'Connection' }).click();
    await page.getByRole('option', { name: 'Push to this service' }).click();
    await page.route('**/api/cameras/*/key', (route) => route.fulfill({ status: 409, json: {} }), { times: 1 });
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('Both in one address').waitFor();
    expect(await dialog.locator('code').last().textContent()).toMatch(/^rtmp:\/\/.+\/live\/pk_[0-9a-f]{48}$/);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    await tile('Crane').waitFor();
    const cameras = await sdk.cameras();
    expect(cameras).toMatchObject([{ name: 'Crane', push: { has_key: true } }]);
    await sdk.deleteCamera(cameras[0]!.camera_id);
  });

  test('a first visit begins at the time of the service, also in a browser whose clock is wrong', async () => {
    const visitor = await openConsole(await shareService());
    try {
      await visitor.page.clock.setSystemTime(Date.now() + 3_600_000);
      await visitor.page.goto('/live/wall');
      const since = () => visitor.page.evaluate(`JSON.parse(localStorage['sightline:wall-seen'] ?? '{}').since`);
      await expect.poll(since).toBeTypeOf('number');
      expect(Math.abs(((await since()) as number) - Date.now())).toBeLessThan(600_000);
    } finally {
      await visitor.close();
    }
  });

  test('shows streams and their events, as the user arranges them', async () => {
    const { page, sdk } = view;
    await page.goto('/live/wall');
    await page.getByRole('heading', { name: 'No cameras yet' }).waitFor();
    await view.checkAccessibility();
    await page.getByRole('button', { name: 'Add camera' }).click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Aisle');
    const url = (i: number) => `rtsp://127.0.0.1:${sources[i]!.port}/stream`;
    await page.getByRole('dialog').getByLabel('Address of the stream').fill(url(1));
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await tile('Aisle').waitFor();
    const started = [];
    for (const [i, name] of [
      [0, 'Dock'],
      [2, 'Gate'],
      [3, 'Lobby'],
    ] as const) {
      const body = { name, source_url: url(i), ...(i === 0 ? { rapid_review_query: DARK } : {}) };
      started.push((await sdk.api.POST('/api/live/start-session', { body })).data!);
    }
    for (const name of ['Aisle', 'Dock', 'Gate', 'Lobby']) {
      // Measured by the page: beside other tests it is more than the second or two of a quiet machine.
      await expect
        .poll(async () => Number((await tile(name).locator('video').getAttribute('data-delay')) ?? '99'), {
          timeout: TIMEOUT_MS / 3,
        })
        .toBeLessThan(8);
    }
    expect(await order()).toEqual(['Aisle', 'Dock', 'Gate', 'Lobby']);
    await tile('Aisle').getByText('Recording only').waitFor();
    // Stated once.
    await expect
      .poll(() =>
        tile('Aisle')
          .getByText(/record|question/i)
          .count(),
      )
      .toBe(1);
    await tile('Dock')
      .getByText(/s behind/)
      .waitFor();
    await tile('Dock').getByText('picture is dark').waitFor();
    await page.getByRole('region', { name: 'Latest events' }).getByRole('link').first().waitFor();
    await view.checkAccessibility();

    // By the keyboard: between tiles, to another place, and other sizes.
    await page.keyboard.press('ArrowRight');
    await expect.poll(focused).toBe('Open Aisle');
    await page.keyboard.press('ArrowRight');
    await expect.poll(focused).toMatch(/Dock/);
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toBe('Open Lobby');
    await page.keyboard.press('Shift+ArrowLeft');
    await expect.poll(order).toEqual(['Aisle', 'Dock', 'Lobby', 'Gate']);
    await expect.poll(focused).toBe('Open Lobby');
    await page.keyboard.press('1');
    await expect.poll(order).toEqual(['Lobby']);
    await page.keyboard.press('PageDown');
    await expect.poll(order).toEqual(['Gate']);
    await page.keyboard.press('Escape');
    await expect.poll(order).toEqual(['Aisle', 'Dock', 'Lobby', 'Gate']);
    await page.keyboard.press('3');
    await expect.poll(async () => (await sdk.api.GET('/api/live/wall')).data!.size).toBe(9);
    await page.keyboard.press('f');
    await expect.poll(() => page.evaluate('document.fullscreenElement !== null')).toBe(true);
    await page.keyboard.press('f');
    await expect.poll(() => page.evaluate('document.fullscreenElement !== null')).toBe(false);

    // By a pointer.
    await tile('Gate').getByRole('link').dragTo(tile('Aisle').getByRole('link'));
    await expect.poll(order).toEqual(['Gate', 'Dock', 'Lobby', 'Aisle']);
    await page.getByRole('button', { name: 'Arrange' }).click();
    await page.getByRole('combobox', { name: 'Camera in place 2' }).click();
    await page.getByRole('option', { name: 'Aisle' }).click();
    await expect.poll(order).toEqual(['Gate', 'Aisle', 'Lobby', 'Dock']);
    await view.checkAccessibility();
    await page.getByRole('button', { name: 'Arrange' }).click();

    // The layout is that of the user, also in another browser.
    const other = await page.context().newPage();
    await other.goto('/live/wall');
    await expect
      .poll(() => other.locator('[data-tile] .font-semibold.truncate').allInnerTexts())
      .toEqual(['Gate', 'Aisle', 'Lobby', 'Dock']);
    await other.close();

    // Tiles that are not shown load nothing, and none does while the page is hidden.
    await page.bringToFront();
    await tile('Gate').getByRole('link').focus();
    await page.keyboard.press('1');
    await expect.poll(order).toEqual(['Gate']);
    const loaded: string[] = [];
    page.on('request', (request) =>
      loaded.push(...(/live\/media\/(\w+)\/\w+\.(m3u8|m4s)/.exec(request.url()) ?? []).slice(1, 2)),
    );
    await expect.poll(() => loaded.length).toBeGreaterThan(5);
    expect(new Set(loaded)).toEqual(new Set([started[1]!.session_id]));
    const hide = (isHidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} });
        document.dispatchEvent(new Event('visibilitychange'))`);
    const isPlaying = () =>
      tile('Gate')
        .locator('video')
        .evaluate((video) => Number(Reflect.get(video, 'readyState')) > 0);
    await hide(true);
    await expect.poll(isPlaying).toBe(false);
    await hide(false);
    await expect.poll(isPlaying).toBe(true);
    await page.keyboard.press('Escape');

    // An event that somebody looked at marks its tile no more.
    await page.getByRole('button', { name: 'Only with new events' }).click();
    await expect.poll(order).toEqual(['Dock']);
    await tile('Dock').getByRole('link').click();
    await page.waitForURL(/\/videos\/.*event=/);
    await page.getByText('RECORDED', { exact: true }).waitFor();

    // A source that sends nothing keeps its place and its last frame; an ended session leads to its recording.
    await page.goto('/live/wall');
    await tile('Lobby')
      .getByText(/s behind/)
      .waitFor();
    sources[3]!.refuse(true);
    await tile('Lobby').getByText('Offline', { exact: true }).waitFor();
    await view.checkAccessibility();
    sources[3]!.refuse(false);
    await tile('Lobby')
      .getByText(/s behind/)
      .waitFor();
    const { session_id, stream_id } = started[1]!;
    await sdk.api.POST('/api/live/end-session', { body: { session_id, stream_id } });
    await tile('Gate').getByText('The session has ended').waitFor();
    await tile('Gate').getByRole('link').click();
    await page.waitForURL(new RegExp(`/videos/${started[1]!.video_id}`));
    expect(view.problems()).toEqual([]);
  });
});
