import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { PUBLIC_URL } from '#test/library';
import { startRtspServer } from '#test/servers/rtsp-server';
import { temporaryFolder } from '#test/temporary-folder';
import { isOver, openStudio, type Studio } from './live.fixture.ts';

const { ffmpeg } = inject('programs');

/** Parts of the segment that is being recorded, for players at the live edge. */
describe.runIf(ffmpeg)('a running session', { timeout: 180_000 }, () => {
  let studio: Studio;
  let camera: Awaited<ReturnType<typeof startRtspServer>>;
  beforeAll(async () => {
    studio = await openStudio();
    camera = await startRtspServer(ffmpeg!);
  });
  afterAll(async () => {
    await camera?.stop();
    await studio?.close();
  });

  const start = () => studio.start(`rtsp://127.0.0.1:${camera.port}/stream`);
  const rows = async ({ session_id }: { session_id: string }) => {
    const { db } = studio.library.database;
    return db.selectFrom('liveParts').select(['sequence', 'part']).where('sessionId', '=', session_id).execute();
  };
  const partsIn = (text: string) =>
    [...text.matchAll(/#EXT-X-PART:DURATION=([\d.]+),URI="((\d+)\.(\d+)\.m4s[^"]+)"(,INDEPENDENT=YES)?/g)].map(
      ([, durationS, uri, sequence, part, independent]) => ({
        durationS: Number(durationS),
        uri: uri!,
        sequence: Number(sequence),
        part: Number(part),
        independent: independent !== undefined,
      }),
    );
  /** Media times of the frames of fragments, in seconds. */
  async function framesOf(...bytes: Buffer[]): Promise<number[]> {
    const path = join(await temporaryFolder(), 'parts.mp4');
    await writeFile(path, Buffer.concat(bytes));
    const args = ['-v', 'error', '-copyts', '-i', path, '-map', '0:v', '-c', 'copy', '-f', 'framecrc', 'pipe:1'];
    const { stdout } = await promisify(execFile)(ffmpeg!, args);
    const [, num, den] = /^#tb 0: (\d+)\/(\d+)/m.exec(stdout)!;
    return [...stdout.matchAll(/^0, +-?\d+, +(-?\d+),/gm)].map(([, pts]) => (Number(pts) * Number(num)) / Number(den));
  }

  test('has no parts until somebody watches, then those of its newest segments, and none at its end', async () => {
    const session = await start();
    await studio.until(session, ({ chunk_count }) => chunk_count >= 2);
    expect(await rows(session)).toEqual([]);
    // To sign the manifest is to watch.
    const { url } = await studio.playlist(session);
    await studio.until(session, async () => (await rows(session)).length > 0);
    const { chunk_count } = await studio.until(session, async () => partsIn(await textOf(url)).length > 0);
    await studio.until(session, ({ chunk_count: now }) => now >= chunk_count + 3);
    const stored = await rows(session);
    const newest = (await studio.read(session)).chunk_count;
    expect(stored.length).toBeGreaterThan(0);
    expect(stored.every(({ sequence }) => sequence >= newest - 4)).toBe(true);
    await studio.end(session);
    await studio.until(session, isOver);
    expect(await rows(session)).toEqual([]);
  });

  test('previews list few chunks and no parts, and cause none', async () => {
    const session = await start();
    await studio.until(session, ({ chunk_count }) => chunk_count >= 2);
    const path = `/api/live/session/${session.session_id}/signed-manifest?preview=true`;
    const { url } = (await studio.api.call('POST', path, { key: studio.key })).json;
    const manifest = String(url).replace(PUBLIC_URL, studio.api.base);
    const stream = new URL((await textOf(manifest)).trim().split('\n').at(-1)!, manifest).href;
    const { chunk_count } = await studio.until(session, ({ chunk_count: now }) => now >= 12);
    const text = await textOf(stream);
    expect(text).not.toMatch(/EXT-X-(PART|SERVER-CONTROL|PRELOAD-HINT)/);
    expect(text.match(/#EXTINF/g)).toHaveLength(10);
    expect(Number(/EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(text)![1])).toBeGreaterThanOrEqual(chunk_count - 10);
    expect(await rows(session)).toEqual([]);
    await studio.end(session);
    await studio.until(session, isOver);
    expect(await textOf(stream)).toContain('#EXT-X-ENDLIST');
  });

  const textOf = async (url: string) => (await fetch(url)).text();

  test('sends each part as soon as it is there, and they are the segment', async () => {
    const session = await start();
    await studio.until(session, ({ chunk_count }) => chunk_count >= 1);
    const { url } = await studio.playlist(session);
    await studio.until(session, async () => partsIn(await textOf(url)).length > 0);
    // As a player does: it asks for the next segment, and for each of its parts.
    const next = (await studio.read(session)).chunk_count + 1;
    const fetched: { bytes: Buffer; durationS: number; independent: boolean; sentS: number }[] = [];
    for (let part = 0; ; part++) {
      const text = await textOf(`${url}&_HLS_msn=${next}&_HLS_part=${part}`);
      expect(text).toContain('CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=');
      const found = partsIn(text).find((each) => each.sequence === next && each.part === part);
      if (!found) {
        expect(text).toMatch(new RegExp(`^${next}\\.m4s`, 'm'));
        break;
      }
      const target = Number(/PART-TARGET=([\d.]+)/.exec(text)![1]);
      expect(found.durationS).toBeLessThanOrEqual(target + 1e-6);
      const bytes = Buffer.from(await (await fetch(new URL(found.uri, url))).arrayBuffer());
      fetched.push({ bytes, ...found, sentS: performance.now() / 1_000 });
    }
    expect(fetched.length).toBeGreaterThan(3);
    expect(fetched[0]!.independent).toBe(true);
    // They arrive at the speed of the stream, not together at the end of the segment.
    expect(fetched.at(-1)!.sentS - fetched[0]!.sentS).toBeGreaterThan(1);
    const text = await textOf(url);
    const read = async (name: RegExp) =>
      Buffer.from(await (await fetch(new URL(name.exec(text)![1]!, url))).arrayBuffer());
    const init = await read(/#EXT-X-MAP:URI="([^"]+)"/);
    const segment = await read(new RegExp(`^(${next}\\.m4s.*)$`, 'm'));
    const whole = await framesOf(init, segment);
    expect(await framesOf(init, ...fetched.map(({ bytes }) => bytes))).toEqual(whole);
    const durationS = fetched.reduce((sum, part) => sum + part.durationS, 0);
    expect(durationS).toBeCloseTo(Number(new RegExp(`EXTINF:([\\d.]+),.*\\n${next}\\.m4s`).exec(text)![1]), 1);
    const unknown = await fetch(new URL(`${next}.99.m4s${new URL(url).search}`, url));
    expect(unknown.status).toBe(404);
    await studio.end(session);
    await studio.until(session, isOver);
    // Nobody waits for what does not come any more.
    expect(await textOf(`${url}&_HLS_msn=100000`)).toContain('#EXT-X-ENDLIST');
  });
});
