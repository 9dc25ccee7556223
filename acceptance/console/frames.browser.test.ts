import { execFile } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { CATALOG } from '../../server/src/engine/index.ts';
import { footage, hasFootage, MODELS } from '../../server/test/footage.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { type Service, startService } from '../harness/service.ts';

const { chromium: program, ffmpeg } = inject('programs');
const TIMEOUT_MS = 180_000;
const COLORS = ['red', 'green', 'blue'];

describe.runIf(program && ffmpeg && hasFootage)('search among frames', { timeout: TIMEOUT_MS }, () => {
  let dir: string;
  let service: Service;
  let browser: Console;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'console frames '));
    const { files } = CATALOG.find(({ task }) => task === 'embeddings')!;
    await mkdir(join(dir, 'models', dirname(files[0].name)), { recursive: true });
    for (const [at, name] of ['vision_model.onnx', 'text_model.onnx', 'bpe_simple_vocab_16e6.txt.gz'].entries())
      await copyFile(join(MODELS!, 'clip-toy', name), join(dir, 'models', files[at]!.name));
    await copyFile(join(MODELS!, 'yolox_nano.onnx'), join(dir, 'models', 'yolox_nano.onnx'));
    service = await startService(join(dir, 'data'), { env: { SIGHTLINE_MODELS_DIR: join(dir, 'models') } });
    browser = await openConsole(service);
    const videoIds: string[] = [];
    for (const color of COLORS) {
      const path = join(dir, `${color}.mp4`);
      const source = ['-f', 'lavfi', '-i', `color=c=${color}:s=320x180:r=5:d=3`, '-c:v', 'libx264'];
      await promisify(execFile)(ffmpeg!, ['-v', 'error', ...source, '-pix_fmt', 'yuv420p', path]);
      videoIds.push((await browser.sdk.upload(await openAsBlob(path), { name: `${color}.mp4` })).video_id);
      await browser.sdk.ready(videoIds.at(-1)!);
    }
    await browser.sdk.observe({ observers: ['embeddings'], video_ids: videoIds.slice(0, 2) });
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const frames = () => browser.page.getByRole('list', { name: 'Similar frames' }).getByRole('listitem');
  const first = (color: string) =>
    frames()
      .first()
      .getByRole('img', { name: `Frame of ${color}.mp4 at 0:00.0` })
      .waitFor();

  test('words find frames with their pictures, and the page says what was not searched', async () => {
    const { page } = browser;
    await page.goto('/search?q=green');
    await first('green');
    await expect.poll(() => frames().count()).toBe(2);
    await page.getByText('1 of 3 videos was not searched').waitFor();
    const widths = "[...document.querySelectorAll('ul img')].map((each) => each.naturalWidth)";
    await expect.poll(() => page.evaluate(widths)).toEqual([320, 320]);
    await browser.checkAccessibility();
    expect(browser.problems()).toEqual([]);
  });

  test('a picture and a frame find what looks like them', async () => {
    const { page } = browser;
    const picture = join(dir, 'red square.png');
    const square = ['-f', 'lavfi', '-i', 'color=c=red:s=2000x1000', '-frames:v', '1'];
    await promisify(execFile)(ffmpeg!, ['-v', 'error', ...square, picture]);
    await page.getByLabel('Image to search for').setInputFiles(picture);
    await first('red');
    await browser.checkAccessibility();
    await page.getByRole('button', { name: 'Remove the image red square.png' }).click();
    await first('green');

    await page.getByRole('link', { name: 'Frames like red.mp4 at 0:00.0' }).click();
    await first('red');
    expect(new URL(page.url()).searchParams.get('like')).toContain('@0');
    await frames().first().getByRole('img').click();
    await page.getByRole('heading', { name: 'red.mp4' }).waitFor();
    expect(browser.problems()).toEqual([]);
  });

  test('objects have their class and box, and find what looks like them', async () => {
    const { page, sdk } = browser;
    const name = 'motorway.mp4';
    const clip = await openAsBlob(footage('road/udacity_solidWhiteRight.mp4'));
    const { video_id } = await sdk.upload(clip, { name });
    await sdk.ready(video_id);
    await sdk.observe({ observers: ['object_embeddings'], video_ids: [video_id] });
    await page.goto('/search?q=red');
    const car = frames().filter({ has: page.getByRole('img', { name: `Frame of ${name} at 0:01.4: car` }) });
    await car.waitFor();
    // The box is where the picture is in its tile.
    const { matches } = await sdk.searchFrames({ text: 'red', of: 'objects' });
    const { box } = matches.find(({ time_s }) => time_s === 1.4)!.object!;
    const drawn = (await car.locator('svg[data-box] rect').last().boundingBox())!;
    const tile = (await car.getByRole('img').boundingBox())!;
    expect(Math.abs(drawn.x - (tile.x + box.x * tile.width))).toBeLessThan(4);
    expect(Math.abs(drawn.width - box.width * tile.width)).toBeLessThan(4);
    expect(Math.abs(drawn.y - (tile.y + box.y * tile.height))).toBeLessThan(4);
    await browser.checkAccessibility();

    await page.getByRole('link', { name: `Objects like car in ${name} at 0:01.4` }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('like')).toMatch(/@1\.4@0\.\d+,0\.\d+,/);
    await frames()
      .first()
      .getByRole('img', { name: `Frame of ${name} at 0:01.4: car` })
      .waitFor();
    expect(browser.problems()).toEqual([]);
  });

  test('a file that is no picture is refused', async () => {
    const { page } = browser;
    await page.goto('/search');
    const notes = join(dir, 'notes.png');
    await writeFile(notes, 'no picture');
    await page.getByLabel('Image to search for').setInputFiles(notes);
    await page.getByRole('alert').getByText('not an image').waitFor();
    await expect.poll(() => frames().count()).toBe(0);
    expect(browser.problems()).toEqual([]);
  });
});
