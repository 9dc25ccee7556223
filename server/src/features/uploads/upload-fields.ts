import type { FolderScope, Folders } from '#features/folders/index';
import type { Caller } from '#platform/http/index';
import { problems } from './problems.ts';

/** Fields of a form, of `Upload-Metadata` or of a direct upload, by name. */
export type UploadFields = Map<string, string>;

/** Validated fields of an upload. */
export type ParsedFields = {
  source: 'file' | 'video_url' | null;
  videoUrl: string | null;
  customName: string | null;
  scope: FolderScope;
  folderId: string | null;
};

/**
 * Validates the fields received so far. Empty fields count as absent; unknown ones are ignored.
 * Throws `upload_field_invalid` or `upload_scope_conflict` (400), or the problems of the folders room for the folder.
 */
export async function parseUploadFields(
  caller: Caller,
  fields: UploadFields,
  folders: Pick<Folders, 'requireWritable'>,
): Promise<ParsedFields> {
  const text = (name: string) => fields.get(name)?.trim() || null;
  const enumValue = <T extends string>(name: string, allowed: readonly T[]): T | null => {
    const value = text(name);
    if (value === null || allowed.includes(value as T)) return value as T | null;
    throw problems.upload_field_invalid(`The field \`${name}\` must be one of ${allowed.join(', ')}.`);
  };
  const chunkSize = text('chunk_size');
  if (chunkSize !== null && !/^0*[1-9]\d{0,14}$/.test(chunkSize)) {
    throw problems.upload_field_invalid('The field `chunk_size` must be a whole number of at least 1.');
  }
  const source = enumValue('source', ['file', 'video_url']);
  const scope = enumValue('scope', ['user', 'org']);
  // Uploads with a key that is limited to a folder go into that folder.
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

/** Expected digest of the file, lower-case hex; null if the client states none. Throws `upload_field_invalid` (400). */
export function parseSha256(fields: UploadFields): string | null {
  const value = fields.get('sha256')?.trim().toLowerCase() || null;
  if (value === null || /^[0-9a-f]{64}$/.test(value)) return value;
  throw problems.upload_field_invalid('The field `sha256` must be a SHA-256 digest as 64 hexadecimal digits.');
}

/** Throws `upload_field_invalid` (400) if the field `source` is missing. */
export function requireSource({ source }: ParsedFields): 'file' | 'video_url' {
  if (source) return source;
  throw problems.upload_field_invalid('The field `source` is required: `file` or `video_url`.');
}
