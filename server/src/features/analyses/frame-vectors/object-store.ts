import type { FrameVectors, ObjectEmbeddings } from '#engine/index';
import type { Queryable, Transaction } from '#platform/db/index';
import { joined, toBytes } from './numbers.ts';
import type { ObjectView } from './types.ts';

/** Videos whose vectors are read with one statement: at most 8 MB. */
const VIDEOS_AT_ONCE = 32;

/** Stores the vectors of an observation that was just marked as ready. */
export async function insertObjectVectors(
  trx: Transaction,
  videoId: string,
  version: string,
  { track, timeS, boxes, classNames, scales, vectors }: ObjectEmbeddings,
): Promise<void> {
  await trx
    .insertInto('objectVectors')
    .values({
      videoId,
      version,
      views: timeS.length,
      classNames,
      tracks: toBytes(track),
      times: toBytes(timeS),
      boxes: toBytes(boxes),
      scales: toBytes(scales),
      vectors: toBytes(vectors),
    })
    .execute();
}

/** The vectors of these videos, those of one object as a group; deleted videos are left out. */
export async function* readObjectVectors(
  db: Queryable,
  videoIds: readonly string[],
  version: string,
): AsyncGenerator<{ videoId: string; frames: FrameVectors }> {
  for (let from = 0; from < videoIds.length; from += VIDEOS_AT_ONCE) {
    const rows = await db
      .selectFrom('objectVectors')
      .select(['videoId', 'tracks', 'times', 'scales', 'vectors'])
      .where('videoId', 'in', videoIds.slice(from, from + VIDEOS_AT_ONCE))
      .where('version', '=', version)
      .orderBy('videoId')
      .execute();
    for (const { videoId, tracks, times, scales, vectors } of rows) {
      const frames = {
        timeS: new Float64Array(joined([times])),
        scales: new Float32Array(joined([scales])),
        vectors: new Int8Array(joined([vectors])),
        groups: new Int32Array(joined([tracks])),
      };
      yield { videoId, frames };
    }
  }
}

/** Classes and boxes of the views of these videos, in the order of their vectors. */
export async function describeObjects(
  db: Queryable,
  videoIds: readonly string[],
  version: string,
): Promise<Map<string, ObjectView[]>> {
  if (videoIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('objectVectors')
    .select(['videoId', 'boxes', 'classNames'])
    .where('videoId', 'in', videoIds)
    .where('version', '=', version)
    .execute();
  return new Map(
    rows.map(({ videoId, boxes, classNames }) => {
      const values = new Float32Array(joined([boxes]));
      return [videoId, classNames.map((name, at) => ({ class: name, box: boxAt(values, at) }))];
    }),
  );
}

function boxAt(values: Float32Array, at: number): ObjectView['box'] {
  const [x = 0, y = 0, width = 0, height = 0] = Array.from(values.subarray(4 * at, 4 * at + 4), (value) =>
    Number(value.toFixed(4)),
  );
  return { x, y, width, height };
}
