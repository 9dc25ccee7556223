/**
 * Cuts and motion on labelled footage and films made from it, ours against what a user would pick instead: PySceneDetect, and OpenCV's MOG2 as network
 * video recorders use it. Needs the footage beside the repository; the peers need python3 and PyPI and are said to be absent without. The first run makes the
 * films, which takes minutes.
 *
 * `npm run bench -- signals [unseen]`
 */
import { createLog } from '../server/src/platform/log.ts';
import { createMedia } from '../server/src/platform/media/index.ts';
import type { Row } from './run.ts';
import { cutRows, motionRows, unseenRows } from './signals.lib.ts';

export async function run([part]: string[]): Promise<Row[]> {
  const log = createLog('error');
  const media = await createMedia({ engine: 'auto', processes: 1, ffmpegPath: 'ffmpeg', maxSeconds: 86_400, log });
  try {
    if (part === 'unseen') return await unseenRows(media);
    return [...(await cutRows(media)), ...(await motionRows(media)), ...(await unseenRows(media))];
  } finally {
    await media.close();
  }
}
