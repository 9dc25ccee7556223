import type { Static } from 'typebox';
import type { ImportFiles } from './schema.ts';
import type { Destination } from './service.ts';

type Said = Pick<Static<typeof ImportFiles>, 'folder_id' | 'scope' | 'sidecars' | 'force'>;
type Selected = Pick<Static<typeof ImportFiles>, 'prefix' | 'include' | 'exclude'>;

/** What bodies say of the objects they mean. */
export const selectionOf = ({ prefix, include, exclude }: Selected) => ({
  prefix: prefix ?? '',
  include: include ?? [],
  exclude: exclude ?? [],
});

/** What bodies say of where videos go. */
export const destinationOf = ({ folder_id, scope, sidecars, force }: Said): Destination => ({
  folderId: folder_id || null,
  scope: scope ?? null,
  sidecars: sidecars ?? false,
  force: force ?? false,
});
