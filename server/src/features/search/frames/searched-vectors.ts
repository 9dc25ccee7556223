import type { VectorIndex, VectorSearch } from '#engine/index';
import type { Analyses } from '#features/analyses/index';

type StoredVectors = Analyses['frameVectors'];
type Listed = Awaited<ReturnType<StoredVectors['list']>>['videos'][number];
/** Versions of the observers whose vectors are searched; null: not searched. */
export type SearchedVersions = Parameters<StoredVectors['list']>[2];

export type VectorHit = {
  video: Listed;
  timeS: number;
  score: number;
  object: Awaited<ReturnType<StoredVectors['describeObjects']>> extends Map<string, (infer View)[]>
    ? View | null
    : never;
};

const KINDS = ['frames', 'objects'] as const;
const keyOf = (videoId: string, version: string | null): string => `${videoId} ${version}`;

/** Searches the vectors of frames and objects of these videos together; the best of both come first. */
export async function searchVectors(
  index: VectorIndex,
  stored: StoredVectors,
  { videos, versions }: { videos: readonly Listed[]; versions: SearchedVersions },
  search: Pick<VectorSearch, 'query' | 'limit' | 'minScore' | 'signal'>,
): Promise<VectorHit[]> {
  const searched = new Map(
    videos.flatMap((video) =>
      KINDS.flatMap((kind) => {
        const frames = video[kind];
        return frames ? [[keyOf(video.id, versions[kind]), { video, kind, frames }] as const] : [];
      }),
    ),
  );
  const hits = await index.search({
    ...search,
    among: Array.from(searched, ([key, { frames }]) => ({ key, frames })),
    async *load(keys) {
      for (const kind of KINDS) {
        const version = versions[kind];
        const ids = keys.map((key) => searched.get(key)!).filter((each) => each.kind === kind);
        if (version === null || ids.length === 0) continue;
        const read = kind === 'frames' ? stored.read : stored.readObjects;
        for await (const { videoId, frames } of read(
          ids.map(({ video }) => video.id),
          version,
        ))
          yield { key: keyOf(videoId, version), frames };
      }
    },
  });
  const withObjects = hits.map(({ key }) => searched.get(key)!).filter(({ kind }) => kind === 'objects');
  const ids = [...new Set(withObjects.map(({ video }) => video.id))];
  const views = versions.objects === null ? new Map() : await stored.describeObjects(ids, versions.objects);
  return hits.flatMap(({ key, index: at, timeS, score }): VectorHit[] => {
    const { video, kind } = searched.get(key)!;
    if (kind === 'frames') return [{ video, timeS, score, object: null }];
    const object = views.get(video.id)?.[at];
    // The video may have been deleted since.
    return object ? [{ video, timeS, score, object }] : [];
  });
}
