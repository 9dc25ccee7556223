import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { footage, hasFootage } from '../../server/test/footage.ts';
import { captionedClip, flatClip, flatLevel, sceneClip } from '../../server/test/media/clips.ts';
import { type Console, openConsole } from '../harness/console.ts';
import type { Service } from '../harness/service.ts';
import { shareService } from '../harness/shared-service.ts';

const TIMEOUT_MS = 180_000;
const CLIP = footage('road/camvid_0016E5_cyclists_15fps.mp4');
const FRAME_S = 1 / 15;
const HEVC = footage('tricky/mpf_h265_aac.mp4');

/** Gray level in the middle of what is drawn by `source`, an expression. */
const grayOf = (source: string) => `(() => {
  const copy = new OffscreenCanvas(64, 48).getContext('2d');
  copy.drawImage(${source}, 0, 0, 64, 48);
  return copy.getImageData(32, 24, 1, 1).data[0];
})()`;
/** Time and gray level of the frame that the page has decoded for the last seek; null until then. */
const DECODED_FRAME = `((canvas) => canvas.dataset.frame === undefined ? null
  : [Number(canvas.dataset.frame), ${grayOf('canvas')}])(document.querySelector('[data-seek-preview]'))`;
const ELEMENT_FRAME = grayOf(`document.querySelector('video')`);

/** The page of a video, on a real clip with the events of a real question. */
describe.runIf(inject('programs').chromium && hasFootage)('the page of a video', { timeout: TIMEOUT_MS }, () => {
  let service: Service;
  let view: Console;
  let page: Page;
  let video: string;

  const upload = async (path: string) => {
    const { video_id } = await view.sdk.upload(await openAsBlob(path), { name: basename(path) });
    await view.sdk.ready(video_id, { signal: AbortSignal.timeout(60_000) });
    return video_id;
  };
  const state = () =>
    page.evaluate<{ paused: boolean; readyState: number; playbackRate: number }>(
      `(({ paused, readyState, playbackRate }) => ({ paused, readyState, playbackRate }))(document.querySelector('video'))`,
    );
  const shownTime = async () => {
    const text = await page.getByRole('timer', { name: 'Current time' }).innerText();
    return text.split(':').reduce((total, part) => total * 60 + Number(part), 0);
  };
  const timeIs = (time: number, tolerance = FRAME_S) =>
    expect.poll(async () => Math.abs((await shownTime()) - time)).toBeLessThan(tolerance);
  const open = async (id: string, search = '') => {
    await page.goto(`/videos/${id}${search}`);
    await expect.poll(async () => (await state()).readyState, { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
  };
  const timeline = () => page.getByRole('slider', { name: 'Position in the video' });

  beforeAll(async () => {
    service = await shareService();
    view = await openConsole(service);
    page = view.page;
    video = await upload(CLIP);
    await Array.fromAsync(view.sdk.ask({ query: 'a cyclist, a person walks', videoIds: [video] }));
  }, TIMEOUT_MS);
  afterAll(async () => {
    await view?.close();
  });

  test('an address with a time shows that frame, and plays from there by mouse and keyboard', async () => {
    await page.goto('/');
    // The first start builds the console.
    await page.getByRole('heading', { name: 'Library' }).waitFor({ timeout: 120_000 });
    await open(video, '?t=3.0');
    await timeIs(3);
    await page.getByRole('heading', { name: basename(CLIP) }).waitFor();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await expect.poll(shownTime).toBeGreaterThan(3.3);
    await page.keyboard.press('k');
    await expect.poll(async () => (await state()).paused).toBe(true);
    await page.keyboard.press('l');
    await page.keyboard.press('l');
    expect(await state()).toMatchObject({ paused: false, playbackRate: 2 });
    await page.keyboard.press('j');
    const before = await shownTime();
    await expect.poll(shownTime).toBeLessThan(before - 0.2);
    await page.keyboard.press('k');
  });

  test('steps show exactly the next and the previous frame, and the address follows', async () => {
    await open(video, '?t=2');
    await timeIs(2);
    for (const [key, frame] of [
      ['.', 31],
      ['.', 32],
      [',', 31],
      [',', 30],
      [',', 29],
    ] as const) {
      await page.keyboard.press(key);
      await timeIs(frame * FRAME_S, 0.004);
    }
    await expect.poll(() => new URL(page.url()).searchParams.get('t')).toBe('1.934');
    await page.reload();
    await expect.poll(async () => (await state()).readyState, { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
    await timeIs(29 * FRAME_S, 0.004);
    await page.keyboard.press('ArrowRight');
    await timeIs(1 + 29 * FRAME_S);
  });

  test('the timeline seeks by a press, zooms by wheel and keys, and keeps marks in the address', async () => {
    await open(video);
    // A poster would stay until the video plays: another frame than that of the shown time and its boxes.
    await expect.poll(() => page.locator('video').getAttribute('poster')).toBeNull();
    const box = (await timeline().boundingBox())!;
    const duration = Number(await timeline().getAttribute('aria-valuemax'));
    await page.mouse.click(box.x + box.width / 2, box.y + 8);
    await timeIs(duration / 2, 0.1);
    await page.keyboard.press('i');
    await page.mouse.click(box.x + box.width * 0.75, box.y + 8);
    await timeIs(duration * 0.75, 0.1);
    await page.keyboard.press('o');
    await expect
      .poll(() => ['in', 'out'].map((name) => Number(new URL(page.url()).searchParams.get(name))))
      .toEqual([expect.closeTo(duration / 2, 0), expect.closeTo(duration * 0.75, 0)]);

    const zoom = page.getByRole('slider', { name: 'Zoom of the timeline' });
    await page.mouse.move(box.x + box.width / 2, box.y + 8);
    await page.mouse.wheel(0, -400);
    await expect.poll(() => zoom.inputValue().then(Number)).toBeGreaterThan(0.1);
    await page.locator('[data-hover-card]').waitFor();
    await timeline().press('0');
    await expect.poll(() => zoom.inputValue().then(Number)).toBe(0);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download clip' }).click();
    expect((await download).suggestedFilename()).toMatch(/\.mp4$/);
  });

  test('the range between the marks is added to a dataset, whose page leads back to it', async () => {
    await open(video, '?in=1&out=2.5');
    const dialog = page.getByRole('dialog');
    const add = () => page.getByRole('button', { name: 'Add the clip to a dataset' }).click();
    await add();
    await dialog.getByLabel('Name', { exact: true }).fill('Crossings');
    await dialog.getByLabel('Label (optional)').fill('a cyclist');
    await view.checkAccessibility();
    await dialog.getByRole('button', { name: 'Create dataset' }).click();
    await page.getByText('The clip was added to “Crossings”').waitFor();
    const { id } = (await Array.fromAsync(view.sdk.datasets()))[0]!;
    // From the start to the end of the video, which players may take for longer.
    await open(video, '?out=99999');
    await add();
    await dialog.getByRole('combobox', { name: 'Dataset' }).click();
    await page.getByRole('option', { name: 'Crossings' }).click();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.goto(`/datasets/${id}`);
    const clips = page.getByRole('list', { name: 'Clips' });
    await clips.getByRole('link', { name: '0:01.0 – 0:02.5 a cyclist' }).waitFor();
    await view.checkAccessibility();
    await page.getByRole('button', { name: /^Remove 0:00\.0 – / }).click();
    await expect.poll(() => clips.getByRole('link').count()).toBe(1);
    await clips.getByRole('link').click();
    await page.waitForURL(new RegExp(`/videos/${video}\\?`));
    const address = new URL(page.url()).searchParams;
    expect(['t', 'in', 'out'].map((name) => address.get(name))).toEqual(['1', '1', '2.5']);
    await timeIs(1);
    await view.sdk.deleteDataset(id);
  });

  test('a seek shows exactly the frame of its time, before the element shows the same one', async () => {
    const rate = 30;
    await open(
      await upload(await flatClip({ times: Array.from({ length: 150 }, (_, index) => index / rate), endS: 5 })),
    );
    const box = (await timeline().boundingBox())!;
    const press = (share: number) => page.mouse.click(box.x + box.width * share, box.y + 8);
    const decoded = () => page.evaluate<[time: number, gray: number] | null>(DECODED_FRAME);
    // The decoder is loaded after the first frame.
    await expect
      .poll(async () => [await press(0.9), await press(0.1), await page.waitForTimeout(500), await decoded()][3], {
        timeout: 60_000,
      })
      .not.toBeNull();
    for (const share of [0.85, 0.17, 0.52, 0.53, 0.999, 0.4, 0.002]) {
      await press(share);
      await expect.poll(decoded).not.toBeNull();
      const [time, gray] = (await decoded())!;
      const frame = Math.round(time * rate);
      expect(Math.abs(time - share * 5)).toBeLessThan(2 / rate);
      expect(Math.abs(gray - flatLevel(frame))).toBeLessThan(4);
      await page.locator('[data-seek-preview]').waitFor({ state: 'hidden' });
      expect(Math.abs((await page.evaluate<number>(ELEMENT_FRAME)) - gray)).toBeLessThan(4);
      await timeIs(frame / rate, 0.06);
    }
    expect(view.problems()).toEqual([]);
  });

  test('the subtitles of a file are shown as captions, and the choice is stored', async () => {
    const shown = () =>
      page.evaluate<string[]>(
        `[...document.querySelector('video').textTracks].filter(({ mode }) => mode === 'showing')
          .flatMap(({ activeCues }) => [...activeCues].map(({ text }) => text))`,
      );
    await open(
      await upload(await captionedClip(await sceneClip(), ['Start', 'Turn left &amp; stop', 'End'])),
      '?t=1.5',
    );
    const captions = page.getByRole('button', { name: /^Captions/ });
    await captions.waitFor();
    expect(await shown()).toEqual([]);
    await page.keyboard.press('c');
    await expect.poll(shown).toEqual(['Turn left &amp;amp; stop']);
    await page.reload();
    await expect.poll(shown, { timeout: 60_000 }).toEqual(['Turn left &amp;amp; stop']);
    await captions.click();
    await expect.poll(shown).toEqual([]);
    await open(video);
    await expect.poll(() => captions.count()).toBe(0);
  });

  test('a subtitle file is added, shown as captions, replaced and removed', async () => {
    await open(await upload(await captionedClip(await sceneClip(), ['In the file'])), '?tab=details');
    const captions = async () =>
      (await page.evaluate<string | undefined>("document.querySelector('video track')?.src")) ?? null;
    await expect.poll(captions).not.toBeNull();
    const before = await captions();
    const choose = async (button: string, name: string, text: string) => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: button }).click(),
      ]);
      await chooser.setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    };
    await choose('Add subtitles', 'talk.en.srt', '1\n00:00:00,000 --> 00:00:04,000\nFrom a file\n');
    await page.getByText('1 subtitle · English').waitFor();
    await expect.poll(captions).not.toBe(before);
    const shown = async () => (await fetch((await captions())!)).text();
    await expect.poll(shown).toContain('From a file');
    await view.checkAccessibility();
    await choose('Replace the subtitles', 'notes.txt', 'no subtitles');
    await page.getByText('The subtitle file cannot be used').waitFor();
    // The browser reports the refused request.
    view.problems();
    await page.getByRole('button', { name: 'Remove the subtitles' }).click();
    await page.getByRole('button', { name: 'Add subtitles' }).waitFor();
    await expect.poll(shown).toContain('In the file');
  });

  test('captions are created, shown in the player, and lead to their time', async () => {
    await open(video, '?tab=captions');
    await page.getByRole('button', { name: 'Create captions' }).click();
    const list = page.getByRole('list', { name: 'Captions' });
    const last = list.getByRole('button').last();
    await last.waitFor({ timeout: 60_000 });
    await expect.poll(() => list.getByRole('listitem').count()).toBeGreaterThan(0);
    await expect.poll(() => last.innerText()).toMatch(/^\d+:\d\d\.\d\s.+(camera|view)/);
    await page.getByRole('button', { name: /^Captions/ }).waitFor();
    await last.click();
    const [, minutes, seconds] = /^(\d+):([\d.]+)/.exec(await last.innerText())!;
    await timeIs(Number(minutes) * 60 + Number(seconds), FRAME_S + 0.05);
    await page.keyboard.press('c');
    const shown = () =>
      page.evaluate<number>(
        `[...document.querySelector('video').textTracks].filter(({ mode }) => mode === 'showing')
          .flatMap(({ cues }) => [...(cues ?? [])]).length`,
      );
    await expect.poll(shown).toBeGreaterThan(0);
    await page.keyboard.press('c');
    const vtt = await page.request.get((await page.getByRole('link', { name: 'WebVTT' }).getAttribute('href'))!);
    expect(await vtt.text()).toMatch(/^WEBVTT/);
    expect(view.problems()).toEqual([]);
  });

  test('every event can be reached by keyboard, has a name, and shows its frame', async () => {
    await open(video);
    const list = page.getByRole('listbox', { name: 'Events on the timeline' });
    const options = list.getByRole('option');
    await options.first().waitFor({ state: 'attached' });
    const count = Number(await options.first().getAttribute('aria-setsize'));
    expect(count).toBeGreaterThan(1);
    await timeline().focus();
    await page.keyboard.press('Tab');
    const names = new Set<string>();
    for (let index = 0; index < count; index++) {
      const focused = page.locator('[role=option]:focus');
      await expect.poll(() => focused.getAttribute('aria-posinset')).toBe(String(index + 1));
      names.add(await focused.innerText());
      if (index < count - 1) await page.keyboard.press('ArrowDown');
    }
    for (const name of names) expect(name).toMatch(/^.+, \d+:\d\d\.\d to \d+:\d\d\.\d, confidence \d+%$/);
    const start = Number(/, (\d+:[\d.]+) to/.exec([...names].at(-1)!)![1]!.replace(/^0:/, ''));
    await page.keyboard.press('Enter');
    await timeIs(start, FRAME_S + 0.05);
    await page.locator('[role=option][aria-selected=true]').waitFor({ state: 'attached' });
    expect(new URL(page.url()).searchParams.get('event')).toBeTruthy();
  });

  test('details are changed in place', async () => {
    await open(video, '?tab=details');
    await page.getByLabel('Name', { exact: true }).fill('junction.mp4');
    await page.getByLabel('Name', { exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'junction.mp4' }).waitFor();
    await page.getByLabel('Add a tag').fill('rain');
    await page.getByLabel('Add a tag').press('Enter');
    await page.getByRole('button', { name: 'Remove the tag rain' }).waitFor();
    await page.getByLabel('New name').fill('vehicle');
    await page.getByLabel('New value').fill('7');
    await page.getByLabel('New value').press('Enter');
    await page.getByLabel('Value of vehicle').waitFor();
    const params = { path: { video_id: video } };
    await expect
      .poll(async () => (await view.sdk.api.GET('/api/video/{video_id}/status', { params })).data)
      .toMatchObject({ video_name: 'junction.mp4', tags: ['rain'], metadata: { vehicle: 7 } });
  });

  test('a video is put on legal hold with a reason, cannot be deleted, and is released', async () => {
    await open(video, '?tab=details');
    const deletion = page.getByRole('button', { name: 'Delete video' });
    await deletion.waitFor();
    await page.getByRole('button', { name: 'Put on legal hold' }).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Put on legal hold' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('Reason').fill('Claim 4711');
    await view.checkAccessibility();
    await confirm.click();
    await page.getByText('On legal hold', { exact: true }).waitFor();
    await page.getByText('Claim 4711').waitFor();
    await page.getByText(/^Since .*, by .*@/).waitFor();
    expect(await deletion.count()).toBe(0);
    await view.checkAccessibility();
    const params = { path: { video_id: video } };
    await expect(view.sdk.api.DELETE('/api/video/{video_id}', { params })).rejects.toMatchObject({
      code: 'video_held',
    });
    await page.getByRole('button', { name: 'Release' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Release' }).click();
    await deletion.waitFor();
    await page.getByRole('button', { name: 'Put on legal hold' }).waitFor();
  });

  test('other views of the scene are shown with their posters, and opened', async () => {
    const other = await upload(HEVC);
    const views = { front: video, rear: other };
    await view.sdk.api.POST('/api/multi-view/stitch', { body: { primary_view_id: video, views } });
    await open(video, '?tab=details');
    const rear = page.getByRole('link', { name: 'rear' });
    await rear.scrollIntoViewIfNeeded();
    const width = () =>
      rear.locator('img').evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth);
    await expect.poll(width).toBeGreaterThan(0);
    await view.checkAccessibility();
    await rear.click();
    await page.getByRole('heading', { name: basename(HEVC) }).waitFor();
    await page.getByRole('link', { name: 'front primary' }).waitFor();
    expect(view.problems()).toEqual([]);
  });

  test('no tab has accessibility violations, in both themes', async () => {
    for (const tab of ['ask', 'events', 'coverage', 'captions', 'details']) {
      await open(video, `?tab=${tab}`);
      await page.getByRole('tab', { selected: true }).waitFor();
      await view.checkAccessibility();
    }
  });

  test('a file that the browser cannot play is played as a stream, and a deleted video is reported', async () => {
    const id = await upload(HEVC);
    // Nobody waits for a player before they press play: the file has not failed yet, and its stream follows.
    await page.goto(`/videos/${id}`);
    await page.locator('video').waitFor({ state: 'attached' });
    await page.keyboard.press('Space');
    await expect.poll(shownTime, { timeout: 60_000 }).toBeGreaterThan(0.3);
    await page.getByRole('tab', { name: 'Details' }).click();
    await page.getByRole('button', { name: 'Delete video' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete video' }).click();
    await page.getByRole('heading', { name: 'Library' }).waitFor();
    expect(view.problems()).toEqual([]);
    await page.goto(`/videos/${id}`);
    await page.getByText('This video is not available').waitFor();
    expect(view.problems().filter((problem) => !/status of 404/.test(problem))).toEqual([]);
  });
});
