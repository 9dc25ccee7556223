import type { Readable } from 'node:stream';
import type { FolderScope, Folders } from '#features/folders/index';
import type { Caller } from '#platform/http/index';
import { problems } from './problems.ts';

/** One part of a form, in the order they come. A file's stream is read to its end before the next part comes. */
export type Part =
  | { kind: 'field'; name: string; value: string }
  | { kind: 'file'; name: string; filename: string; stream: Readable };

export type Fields = Map<string, string>;

/** What a form says of a video, checked. */
export type Form = {
  source: 'file' | 'video_url' | null;
  videoUrl: string | null;
  customName: string | null;
  scope: FolderScope;
  folderId: string | null;
};

/**
 * Checks the fields that came so far. Empty ones count as left out; those that are not known are ignored.
 * Throws `upload_field_invalid` or `upload_scope_conflict` (400), or what the folder's room says of the folder.
 */
export async function checkForm(
  caller: Caller,
  fields: Fields,
  folders: Pick<Folders, 'requireWritable'>,
): Promise<Form> {
  const text = (name: string) => fields.get(name)?.trim() || null;
  const word = <T extends string>(name: string, allowed: readonly T[]): T | null => {
    const value = text(name);
    if (value === null || allowed.includes(value as T)) return value as T | null;
    throw problems.upload_field_invalid(`The field \`${name}\` must be one of ${allowed.join(', ')}.`);
  };
  const chunkSize = text('chunk_size');
  if (chunkSize !== null && !/^0*[1-9]\d{0,14}$/.test(chunkSize)) {
    throw problems.upload_field_invalid('The field `chunk_size` must be a whole number of at least 1.');
  }
  const source = word('source', ['file', 'video_url']);
  const scope = word('scope', ['user', 'org']);
  // A key that is limited to a folder has its uploads land there.
  const folderId = text('folder_id') ?? caller.folderId ?? null;
  const folder = folderId === null ? null : await folders.requireWritable(caller, folderId);
  if (folder && scope && scope !== folder.scope) {
    throw problems.upload_scope_conflict(
      `The folder "${folder.name}" has the scope "${folder.scope}", so a video in it cannot have the scope "${scope}".`,
    );
  }
  return {
    source,
    videoUrl: text('video_url'),
    customName: text('custom_name'),
    scope: folder?.scope ?? scope ?? 'user',
    folderId,
  };
}

/** The digest that the file must have, lower-case hex; null when none was announced. Throws `upload_field_invalid` (400). */
export function sha256Of(fields: Fields): string | null {
  const said = fields.get('sha256')?.trim().toLowerCase() || null;
  if (said === null || /^[0-9a-f]{64}$/.test(said)) return said;
  throw problems.upload_field_invalid('The field `sha256` must be a SHA-256 as 64 hexadecimal digits.');
}

/** Throws `upload_field_invalid` (400) when the form ended without saying what it brings. */
export function requireSource({ source }: Form): 'file' | 'video_url' {
  if (source) return source;
  throw problems.upload_field_invalid('The field `source` is required: `file` or `video_url`.');
}
