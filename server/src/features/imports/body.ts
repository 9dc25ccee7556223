import type { Static } from 'typebox';
import type { ImportFiles } from './schema.ts';
import type { Destination } from './service.ts';

type Said = Static<typeof ImportFiles>;

/** What bodies say of the objects they mean. */
export const selectionOf = ({ prefix, include, exclude }: Pick<Said, 'prefix' | 'include' | 'exclude'>) => ({
  prefix: prefix ?? '',
  include: include ?? [],
  exclude: exclude ?? [],
});

/** What bodies say of where videos go. */
export const destinationOf = ({
  folder_id,
  scope,
  sidecars,
}: Pick<Said, 'folder_id' | 'scope' | 'sidecars'>): Destination => ({
  folderId: folder_id || null,
  scope: scope ?? null,
  sidecars: sidecars ?? false,
});
