import { execFile } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '#platform/net/index';
import { startCamera, startFfmpeg, startHlsOrigin, testPattern } from '#test/servers/live-sources';
import { temporaryFolder } from '#test/temporary-folder';
import { isOver, openStudio, type Studio } from '../live.fixture.ts';

const { ffmpeg, rtspPython, chromium: browserProgram } = inject('programs');
const RATE = 25;
const FRAME_S = 1 / RATE;
/** Sample rates of the AAC audio; null: no audio. */
const AUDIO = [8_000, 16_000, 44_100, 48_000, null];
/** The third has B-frames, whose decoding begins before the first frame is shown. */
const hasBFrames = (sampleRate: number | null) => sampleRate === 44_100;
const SECONDS = 120;
const PICTURES = testPattern({ rate: RATE, seconds: SECONDS, sound: false }).filter((argument) => argument !== '-re');
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', String(RATE), '-threads', '1', '-pix_fmt', 'yuv420p'];
const TONE = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=44100', '-t', String(SECONDS)];
const COPY = ['-c', 'copy'];

type Origin = { url: string; stop(): Promise<void> };
/** Sources that send a clip at real speed. */
const SOURCES: Record<string, (clip: string, sampleRate: number | null) => Promise<Origin>> = {
  HLS: (clip) => startHlsOrigin(ffmpeg!, { input: ['-re', '-i', clip], codec: COPY }),
  'HLS with separate audio': (clip, sampleRate) =>
    startHlsOrigin(ffmpeg!, {
      input: ['-re', '-i', clip, '-re', '-i', clip],
      codec: COPY,
      apart: sampleRate !== null,
    }),
  async SRT(clip) {
    const url = `srt://127.0.0.1:${await freePort()}`;
    const output = ['-f', 'mpegts', `${url}?mode=listener`];
    return { url, stop: startFfmpeg(ffmpeg!, ['-re', '-i', clip, ...COPY, ...output]).stop };
  },
  async RTMP(clip) {
    const url = `rtmp://127.0.0.1:${await freePort()}/live/gate`;
    const output = ['-f', 'flv', '-listen', '1', url];
    return { url, stop: startFfmpeg(ffmpeg!, ['-re', '-i', clip, ...COPY, ...output]).stop };
  },
  async RTSP(clip, sampleRate) {
    const audio = sampleRate === null ? 'none' : 'aac';
    const what = { input: ['-i', clip], codec: COPY, audio } as const;
    const camera = await startCamera(rtspPython!, ffmpeg!, { user: 'me', password: 'x', ...what });
    return { url: `rtsp://me:x@127.0.0.1:${camera.port}/stream`, stop: camera.stop };
  },
};

describe.runIf(ffmpeg && browserProgram)('the length of a live recording', { timeout: 400_000 }, () => {
  let studio: Studio;
  let browser: Browser;
  let page: Page;
  /** One for each of `AUDIO`, encoded once for all kinds of sources. */
  let clips: string[];
  beforeAll(async () => {
    studio = await openStudio();
    const folder = await temporaryFolder();
    const run = (...args: string[]) => promisify(execFile)(ffmpeg!, ['-v', 'error', ...args]);
    const [plain, withBFrames] = [join(folder, 'plain.mp4'), join(folder, 'b-frames.mp4')];
    await Promise.all([
      run(...PICTURES, ...H264, '-tune', 'zerolatency', plain),
      run(...PICTURES, ...H264, '-bf', '2', withBFrames),
    ]);
    clips = await Promise.all(
      AUDIO.map(async (sampleRate) => {
        const pictures = hasBFrames(sampleRate) ? withBFrames : plain;
        if (sampleRate === null) return pictures;
        const path = join(folder, `${sampleRate}.mp4`);
        const audio = ['-c:a', 'aac', '-b:a', '48k', '-ar', String(sampleRate)];
        await run('-i', pictures, ...TONE, '-map', '0:v', '-map', '1:a', '-c:v', 'copy', ...audio, path);
        return path;
      }),
    );
    browser = await chromium.launch({ executablePath: browserProgram!, args: ['--no-sandbox'] });
    page = await browser.newPage();
    await writeFile(join(folder, 'page.html'), '<!doctype html>');
    await page.goto(`file://${join(folder, 'page.html')}`);
  });
  afterAll(async () => {
    await browser?.close();
    await studio?.close();
  });

  const probe = async (path: string, entries: string[]) => {
    const program = ffmpeg!.replace(/ffmpeg$/, 'ffprobe');
    const { stdout } = await promisify(execFile)(program, ['-v', 'error', '-of', 'json', ...entries, path]);
    return JSON.parse(stdout);
  };

  /** Where the packets of the first track of a kind begin and end, in seconds. */
  async function extentOf(path: string, kind: 'v' | 'a'): Promise<{ fromS: number; untilS: number }> {
    const shown = ['-select_streams', kind, '-show_entries', 'packet=pts_time,duration_time'];
    const { packets } = (await probe(path, shown)) as { packets: { pts_time: string; duration_time: string }[] };
    // The first packet may come without a duration.
    const ends = packets.slice(1).map(({ pts_time, duration_time }) => Number(pts_time) + Number(duration_time));
    return { fromS: Math.min(...packets.map(({ pts_time }) => Number(pts_time))), untilS: Math.max(...ends) };
  }

  async function durationInBrowser(path: string): Promise<number> {
    const copy = join(await temporaryFolder(), 'recording.mp4');
    await copyFile(path, copy);
    return page.evaluate<number>(`new Promise((resolve, reject) => {
      const video = Object.assign(document.createElement('video'), { preload: 'metadata' });
      video.onloadedmetadata = () => resolve(video.duration);
      video.onerror = () => reject(new Error(video.error.message));
      video.src = ${JSON.stringify(pathToFileURL(copy).href)};
    })`);
  }

  async function record(open: (typeof SOURCES)[string], clip: string, sampleRate: number | null) {
    const origin = await open(clip, sampleRate);
    try {
      const session = await studio.start(origin.url);
      await studio.until(session, ({ chunk_count }) => chunk_count >= 3);
      await studio.end(session);
      const done = await studio.until(session, isOver);
      const video = (await studio.library.videos.find(session.video_id))!;
      expect(video.probe!.audio?.sampleRate ?? null).toBe(sampleRate);
      await using file = await studio.library.storage.local(video.storageKey);
      const { fromS, untilS } = await extentOf(file.path, 'v');
      const { format, streams } = await probe(file.path, ['-show_entries', 'format=duration:stream=duration']);
      const audio = sampleRate === null ? null : await extentOf(file.path, 'a');
      return {
        lengthS: untilS - fromS,
        claimedS: {
          session: Number(done.duration_s),
          video: video.durationS!,
          ffprobe: Number(format.duration),
          videoTrack: Number(streams[0].duration),
          browser: await durationInBrowser(file.path),
        },
        audio: audio && { lengthS: audio.untilS - audio.fromS, claimedS: Number(streams[1].duration) },
      };
    } finally {
      await origin.stop();
    }
  }

  for (const [kind, open] of Object.entries(SOURCES)) {
    test.runIf(kind !== 'RTSP' || rtspPython)(`is what was recorded, over ${kind}`, async () => {
      const found = await Promise.all(AUDIO.map((sampleRate, i) => record(open, clips[i]!, sampleRate)));
      for (const [i, { lengthS, claimedS, audio }] of found.entries()) {
        const what = `${kind}, audio of ${AUDIO[i]} Hz, ${lengthS} s`;
        expect(lengthS, what).toBeGreaterThan(5);
        for (const [by, seconds] of Object.entries(claimedS)) {
          expect(Math.abs(seconds - lengthS), `${what}, by ${by}: ${seconds} s`).toBeLessThanOrEqual(FRAME_S + 0.002);
        }
        if (audio) {
          expect(Math.abs(audio.claimedS - audio.lengthS), `${what}, audio`).toBeLessThanOrEqual(1_024 / AUDIO[i]!);
        }
      }
    });
  }
});
