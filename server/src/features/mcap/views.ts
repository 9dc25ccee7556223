import { rounded } from '#platform/numbers';
import type { Role } from './roles.ts';
import type { FilmRow } from './types.ts';

/** The views of one stretch, the primary first; offsets count from the first frame of the primary. */
export function viewsOf(roles: readonly Role[], films: readonly FilmRow[]) {
  const shown = roles.flatMap((role) => {
    const film = films.find(({ channel, status }) => channel === role.channel && status === 'completed');
    return film?.videoId && film.film ? [{ ...role, videoId: film.videoId, facts: film.film }] : [];
  });
  const origin = shown[0]?.facts.start_s ?? 0;
  return shown.map(({ facts, ...view }) => ({ ...view, offsetS: rounded(facts.start_s - origin) }));
}
