/**
 * Camera motion against recorded speed, yaw, roll and stops. The same rows are part of `accuracy`.
 *
 * `npm run bench -- camera`
 */
import { fileURLToPath } from 'node:url';
import { createEngine, createModelFolder } from '../server/src/engine/index.ts';
import { createLog } from '../server/src/platform/log.ts';
import { createTestMedia } from '../server/test/media/clips.ts';
import { cameraRows } from './lib/camera.ts';
import type { BenchmarkRow } from './run.ts';

const SHARED = fileURLToPath(new URL('../../shared/', import.meta.url));

export async function run(): Promise<BenchmarkRow[]> {
  const media = await createTestMedia();
  try {
    const engine = createEngine({
      media,
      models: createModelFolder(SHARED),
      vision: null,
      log: createLog('error'),
    });
    return await cameraRows(engine, media, `${SHARED}data`);
  } finally {
    await media.close();
  }
}
