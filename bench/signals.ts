/**
 * Cuts and motion on labeled footage and edited videos, against PySceneDetect and OpenCV's MOG2. Needs the shared
 * footage; the peers need python3 and PyPI and are reported as absent otherwise. The first run creates the videos,
 * which takes minutes.
 *
 * `npm run bench -- signals [unseen]`
 */
import { createLog } from '../server/src/platform/log.ts';
import { createMedia } from '../server/src/platform/media/index.ts';
import { UNCONFINED } from '../server/test/media/unconfined.ts';
import type { BenchmarkRow } from './run.ts';
import { cutRows, unseenRows } from './signals/cuts.ts';
import { motionRows } from './signals/motion.ts';

export async function run([part]: string[]): Promise<BenchmarkRow[]> {
  const log = createLog('error');
  const media = await createMedia({ processes: 1, maxSeconds: 86_400, sandbox: UNCONFINED, log });
  try {
    if (part === 'unseen') return await unseenRows(media);
    return [...(await cutRows(media)), ...(await motionRows(media)), ...(await unseenRows(media))];
  } finally {
    await media.close();
  }
}
