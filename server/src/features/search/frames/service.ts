import type { Engine, VectorIndex } from '#engine/index';
import type { Analyses } from '#features/analyses/index';
import type { Folders } from '#features/folders/index';
import type { Playback } from '#features/playback/index';
import type { Videos } from '#features/videos/index';
import { type Caller, parseDateTime } from '#platform/http/index';
import type { Storage } from '#platform/storage/index';
import { problems } from '../problems.ts';
import { type FrameMatches, type FrameSearch, MAX_IMAGE_BYTES } from './schema.ts';
import { type SearchedVersions, searchVectors } from './searched-vectors.ts';

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
   * Frames and objects that resemble words, an image, a frame or a part of it, in videos that the caller may see.
   * Throws `frame_query_invalid`, `picture_unreadable` (400), `video_not_ready` (409), or the problems of folders and
   * videos.
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
      if (bytes.length > MAX_IMAGE_BYTES) throw problems.picture_unreadable('The image has more than 8 MB.');
      const embedding = await engine.embedder.image(bytes, signal);
      if (!embedding) throw problems.picture_unreadable();
      return embedding;
    }
    const { videoId, timeS, box } = frame!;
    const video = await videos.get(caller, videoId);
    if (video.status !== 'UPLOADED') throw problems.frame_not_ready();
    const size = { width: video.width ?? 1, height: video.height ?? 1 };
    await using file = await storage.local(video.storageKey, signal);
    return await engine.embedder.frame(file.path, { timeS, box: box ? { part: box, size } : null }, signal);
  }

  /** Versions of the vectors to search. */
  async function findVersions(of: FrameSearch['of']): Promise<SearchedVersions> {
    const observers = await engine.observers();
    const versionOf = (wanted: string) => {
      const status = observers.find(({ kind }) => kind === wanted);
      return status && 'version' in status ? status.version : null;
    };
    return {
      frames: of === 'objects' ? null : versionOf('embeddings'),
      objects: of === 'frames' ? null : versionOf('object_embeddings'),
    };
  }

  return {
    async search(caller, search, signal) {
      const { folderId, videoIds, limit, minScore, of } = search;
      if (folderId) await folders.require(caller, folderId);
      if (videoIds) await videos.getMany(caller, videoIds);
      const [embedding, versions] = await Promise.all([embed(caller, search, signal), findVersions(of)]);
      const filter = {
        folderId,
        videoIds,
        createdAfter: search.createdAfter ? parseDateTime(search.createdAfter) : null,
        createdBefore: search.createdBefore ? parseDateTime(search.createdBefore) : null,
      };
      const { counts, ...searchable } = await frameVectors.list(caller, filter, versions);
      const summary = {
        searchedVideos: counts.searchedVideos,
        searchedFrames: counts.searchedFrames,
        searchedObjects: counts.searchedObjects,
        totalVideos: counts.total,
      };
      if ('unavailable' in embedding) return { ...summary, matches: [], model: null, reason: embedding.unavailable };

      const hits = await searchVectors(
        index,
        frameVectors,
        { ...searchable, versions },
        { query: embedding.vector, limit: limit ?? DEFAULT_LIMIT, minScore: minScore ?? -1, signal },
      );
      const matches = hits.map(({ video, timeS, score, object }) => {
        const time = Math.round(timeS * 1_000) / 1_000;
        return {
          videoId: video.id,
          videoName: video.name,
          folderId: video.folderId,
          timeS: time,
          object,
          score: Math.min(1, Math.round(score * 1e4) / 1e4),
          imageUrl: playback.frameUrl(video.id, time),
        };
      });
      const version = versions.frames ?? versions.objects;
      return { ...summary, matches, model: version && modelOf(version), reason: reasonOf(counts, versions, of) };
    },
  };
}

type Counts = Awaited<ReturnType<Analyses['frameVectors']['list']>>['counts'];

/** Names what was not searched. Objects that cannot be observed here are missed only if nothing else is searched. */
function reasonOf(counts: Counts, versions: SearchedVersions, of: FrameSearch['of']): string | null {
  const { total } = counts;
  const withoutFrames = of === 'objects' ? 0 : total - counts.videosWithFrames;
  const skipsObjects = of === 'frames' || (versions.objects === null && of !== 'objects');
  const withoutObjects = skipsObjects ? 0 : total - counts.videosWithObjects;
  const sentences = [
    ...(withoutFrames > 0 ? [missingFrames(withoutFrames, total)] : []),
    ...(withoutObjects > 0 ? [missingObjects(withoutObjects, total)] : []),
  ];
  return sentences.length > 0 ? sentences.join(' ') : null;
}

function missingFrames(missing: number, total: number): string {
  const [verb, frames, object] = missing === 1 ? ['was', 'its frames are', 'it'] : ['were', 'their frames are', 'them'];
  return `${missing} of ${total} videos ${verb} not searched: ${frames} not observed. Observe ${object} with the observer "embeddings".`;
}

const missingObjects = (missing: number, total: number) =>
  `Objects in ${missing} of ${total} videos were not searched. Observe ${missing === 1 ? 'it' : 'them'} with the observer "object_embeddings".`;
