import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { SCENE, sceneClip } from '../server/test/media/clips.ts';
import { encodeClip } from '../server/test/media/source-formats.ts';
import { ask } from './harness/answers.ts';
import { makeFolder, type Service, startService } from './harness/service.ts';

/** One scene as several kinds of cameras and editors write it: each is analyzed with the same events. */
const X264 = '-c:v libx264 -preset ultrafast';
const FIELDS = '-flags +ildct+ilme';
const HDR = '-color_primaries bt2020 -colorspace bt2020nc -color_trc arib-std-b67';
const KINDS = {
  'interlaced.mp4': `${X264} ${FIELDS} -x264opts tff=1`,
  'interlaced-pal.ts': `-vf scale=720:576 -c:v mpeg2video -b:v 4M ${FIELDS} -top 1`,
  'interlaced-422.mkv': `${X264} -pix_fmt yuv422p10le ${FIELDS} -x264opts bff=1`,
  'hlg.mp4': `-c:v libx265 -preset ultrafast -x265-params log-level=error -pix_fmt yuv420p10le ${HDR}`,
  'editor.mov': '-c:v prores_ks -profile:v 0 -pix_fmt yuv422p10le',
  'camera.avi': '-c:v mjpeg -q:v 5 -c:a pcm_s16le',
  'browser.webm': '-c:v libvpx -deadline realtime -cpu-used 8 -c:a libvorbis',
};

let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Service;
beforeAll(async () => {
  folder = await makeFolder();
  service = await startService(`${folder.path}/data`, { env: { SIGHTLINE_MODELS_DIR: `${folder.path}/data/models` } });
});
afterAll(async () => {
  await service?.stop();
  await folder?.remove();
});

const { ffmpeg } = inject('programs');
describe.runIf(ffmpeg)('one scene in many formats', () => {
  test.each(Object.entries(KINDS))('%s', async (name, options) => {
    const path = join(folder.path, name);
    await encodeClip(ffmpeg!, await sceneClip(), options, path);
    const body = new FormData();
    body.set('source', 'file');
    body.set('file', await openAsBlob(path), name);
    const uploaded = await service.call('POST', '/api/upload-video', { body, signal: AbortSignal.timeout(60_000) });
    expect(uploaded.json).toMatchObject({ status: 'uploaded' });

    const query = { query: 'a cut, the picture goes dark', video_id: String(uploaded.json.video_id) };
    const { analysis } = (await ask(service, query)).document;
    expect(analysis.status).toBe('COMPLETED');
    expect(analysis.coverage.map(({ status }) => status)).toEqual(['looked_for', 'looked_for']);
    const starts = analysis.events.map(({ start_s }) => start_s);
    for (const startS of [SCENE.cutS, SCENE.dark.startS]) {
      expect(
        starts.some((found) => Math.abs(found - startS) < 0.2),
        `${startS} s in ${starts}`,
      ).toBe(true);
    }
  });
});
