import type { Engine, VectorIndex } from '#engine/index';
import type { Analyses } from '#features/analyses/index';
import type { Folders } from '#features/folders/index';
import type { Playback } from '#features/playback/index';
import type { Videos } from '#features/videos/index';
import { type Caller, parseDateTime } from '#platform/http/index';
import type { Storage } from '#platform/storage/index';
import { problems } from '../problems.ts';
import { type FrameMatches, type FrameSearch, MAX_PICTURE_BYTES } from './schema.ts';

export type FrameSearchDeps = {
  engine: Pick<Engine, 'observers' | 'embedder'>;
  index: VectorIndex;
  analyses: Pick<Analyses, 'frameVectors'>;
  folders: Pick<Folders, 'require'>;
  videos: Pick<Videos, 'get' | 'getMany'>;
  playback: Pick<Playback, 'frameUrl'>;
  storage: Pick<Storage, 'local'>;
};

export interface FrameSearches {
  /**
   * Frames that resemble words, a picture or a frame, in videos that the caller may see. Throws `frame_query_invalid`,
   * `picture_unreadable` (400), `video_not_ready` (409), or the problems of folders and videos.
   */
  search(caller: Caller, search: FrameSearch, signal: AbortSignal): Promise<FrameMatches>;
}

const DEFAULT_LIMIT = 50;
/** Versions of the observer have its name, that of the model and its digest. */
const modelOf = (version: string) => version.split('.')[1] ?? version;

export function createFrameSearch(deps: FrameSearchDeps): FrameSearches {
  const { engine, index, folders, videos, playback, storage } = deps;
  const { frameVectors } = deps.analyses;

  /** The vector to search for, or why the model cannot compute it. */
  async function embed(caller: Caller, { text, picture, frame }: FrameSearch, signal: AbortSignal) {
    const words = text?.trim();
    if ([words, picture, frame].filter((given) => given != null && given !== '').length !== 1)
      throw problems.frame_query_invalid();
    if (words) return engine.embedder.text(words, signal);
    if (picture) {
      const bytes = Buffer.from(picture, 'base64');
      if (bytes.length > MAX_PICTURE_BYTES) throw problems.picture_unreadable('The picture has more than 8 MB.');
      const embedding = await engine.embedder.picture(bytes, signal);
      if (!embedding) throw problems.picture_unreadable();
      return embedding;
    }
    const { videoId, timeS } = frame!;
    const video = await videos.get(caller, videoId);
    if (video.status !== 'UPLOADED') throw problems.frame_not_ready();
    await using file = await storage.local(video.storageKey, signal);
    return engine.embedder.frame(file.path, timeS, signal);
  }

  return {
    async search(caller, search, signal) {
      const { folderId, videoIds, limit, minScore } = search;
      if (folderId) await folders.require(caller, folderId);
      if (videoIds) await videos.getMany(caller, videoIds);
      const [embedding, observers] = await Promise.all([embed(caller, search, signal), engine.observers()]);
      const status = observers.find(({ kind }) => kind === 'embeddings');
      const version = status && 'version' in status ? status.version : '';
      const filter = {
        ...{ folderId, videoIds },
        createdAfter: search.createdAfter ? parseDateTime(search.createdAfter) : null,
        createdBefore: search.createdBefore ? parseDateTime(search.createdBefore) : null,
      };
      const found = await frameVectors.list(caller, filter, version);
      const summary = {
        searchedVideos: found.videos.length,
        searchedFrames: found.videos.reduce((sum, { frames }) => sum + frames, 0),
        totalVideos: found.total,
      };
      if ('unavailable' in embedding) return { ...summary, matches: [], model: null, reason: embedding.unavailable };

      const byKey = new Map(found.videos.map((video) => [`${video.id} ${version}`, video]));
      const hits = await index.search({
        among: byKey
          .entries()
          .map(([key, { frames }]) => ({ key, frames }))
          .toArray(),
        query: embedding.vector,
        ...{ limit: limit ?? DEFAULT_LIMIT, minScore: minScore ?? -1, signal },
        async *load(keys) {
          const ids = keys.map((key) => byKey.get(key)!.id);
          for await (const { videoId, frames } of frameVectors.read(ids, version))
            yield { key: `${videoId} ${version}`, frames };
        },
      });
      const matches = hits.map(({ key, timeS, score }) => {
        const { id, name, folderId } = byKey.get(key)!;
        const time = Math.round(timeS * 1_000) / 1_000;
        return {
          ...{ videoId: id, videoName: name, folderId, timeS: time, score: Math.min(1, Math.round(score * 1e4) / 1e4) },
          imageUrl: playback.frameUrl(id, time),
        };
      });
      return { ...summary, matches, model: modelOf(version), reason: reasonOf(summary) };
    },
  };
}

function reasonOf({ searchedVideos, totalVideos }: { searchedVideos: number; totalVideos: number }): string | null {
  const missing = totalVideos - searchedVideos;
  if (missing === 0) return null;
  const [verb, frames, object] = missing === 1 ? ['was', 'its frames are', 'it'] : ['were', 'their frames are', 'them'];
  return `${missing} of ${totalVideos} videos ${verb} not searched: ${frames} not observed. Observe ${object} with the observer "embeddings".`;
}
