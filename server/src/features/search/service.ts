import type { Engine } from '#engine/index';
import type { Analyses } from '#features/analyses/index';
import type { Folders } from '#features/folders/index';
import type { Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import { type Caller, httpProblems, reaches } from '#platform/http/index';
import { newId } from '#platform/ids';
import { problems } from './problems.ts';
import type { Match, NewSearch } from './schema.ts';
import * as store from './store.ts';
import { shareOf, type Term, termsOf, wordsOf } from './terms.ts';

export type SearchDeps = {
  database: Database;
  engine: Pick<Engine, 'plan'>;
  analyses: Pick<Analyses, 'search' | 'searchable'>;
  folders: Pick<Folders, 'get' | 'require' | 'samples'>;
  videos: Pick<Videos, 'seenOf'>;
};

export type Session = store.Session;
/** A session as it is read: `summary` in a sentence; null until it was run. */
export type Told = Session & { summary: string | null };

export interface Search {
  /** Opens a session. Throws `search_empty` (400), `folder_not_found` or `search_no_samples` (404). */
  start(caller: Caller, search: NewSearch): Promise<Session>;
  /** Runs it; a second time it is run anew. Throws `search_not_found` (404) or `search_forbidden` (403). */
  run(caller: Caller, sessionId: string): Promise<void>;
  /** The session with what its result has of videos that the caller still sees. Throws the same. */
  get(caller: Caller, sessionId: string): Promise<Told>;
  /** Forgets sessions from before. Returns how many there were. */
  purge(before: Date): Promise<number>;
}

const LONGEST_QUERY = 1_000;

export function createSearch({ database, engine, analyses, folders, videos }: SearchDeps): Search {
  const { db } = database;

  async function own(caller: Caller, sessionId: string): Promise<Session> {
    const session = await store.findSession(db, sessionId);
    if (!session) throw problems.search_not_found();
    if (session.orgId !== caller.orgId || session.ownerId !== caller.userId) throw problems.search_forbidden();
    if (!reaches(caller, session.folderId)) throw httpProblems.key_limited();
    return session;
  }

  /** Terms without the words that mean nothing to a search, such as "the". */
  async function meaningful(terms: readonly Term[]): Promise<Term[]> {
    const known = new Set(await analyses.searchable(terms.flat()));
    return terms.map((term) => term.filter((word) => known.has(word))).filter((term) => term.length > 0);
  }

  return {
    async start(caller, { query, folder_name, scope }) {
      const text = query.trim();
      if (text === '' || text.length > LONGEST_QUERY) throw problems.search_empty();
      const folder =
        scope === 'sample'
          ? await folders.samples(caller)
          : await folders.get(caller, folder_name, scope === 'my' ? 'user' : scope);
      if (!folder) throw problems.search_no_samples();
      const session = { id: newId(), orgId: caller.orgId, ownerId: caller.userId, query: text };
      await store.insertSession(db, { ...session, folderId: folder.id, folderName: folder.name });
      return own(caller, session.id);
    },

    async run(caller, sessionId) {
      const { folderId, query } = await own(caller, sessionId);
      await folders.require(caller, folderId);
      const words = await meaningful(wordsOf(query));
      const terms = await meaningful(termsOf(engine.plan(query)));
      const found = await analyses.search(caller, folderId, [...new Set([...words, ...terms].flat())]);
      const matches = found
        .map((event): Match => {
          const had = new Set(event.words);
          const similarity = Math.max(shareOf(words, had), shareOf(terms, had));
          return {
            video_id: event.videoId,
            analysis_id: event.analysisId,
            event_index: event.index,
            similarity: Math.round(similarity * 100) / 100,
            reason: `"${event.description}" has: ${event.words.join(', ')}.`,
          };
        })
        .sort((a, b) => b.similarity - a.similarity);
      const thoughts = [
        `Words that were looked for: ${listed(words)}.`,
        `Read as: ${listed(terms)}.`,
        'Looked at the events that analyses of these videos have told; a video that was never asked has none.',
      ];
      await store.complete(db, sessionId, { thoughts, matches });
    },

    async get(caller, sessionId) {
      const session = await own(caller, sessionId);
      if (!session.result) return { ...session, summary: null };
      const { thoughts, matches: found } = session.result;
      const seen = await videos.seenOf(
        caller,
        found.map(({ video_id }) => video_id),
      );
      const matches = found.filter(({ video_id }) => seen.has(video_id));
      return { ...session, result: { thoughts, matches }, summary: summaryOf(matches) };
    },
    purge: (before) => store.purge(db, before),
  };
}

const listed = (terms: readonly Term[]) => terms.map((term) => term.join(' or ')).join('; ') || 'nothing';

function summaryOf(matches: readonly Match[]): string {
  if (matches.length === 0) return 'No event that analyses have told of these videos matches.';
  const videos = new Set(matches.map(({ video_id }) => video_id)).size;
  const [events, verb] = matches.length === 1 ? ['1 event', 'matches'] : [`${matches.length} events`, 'match'];
  return `${events} in ${videos === 1 ? '1 video' : `${videos} videos`} ${verb}.`;
}
