import { isName, NAME_IN_WORDS, stripUnshowable, tidyName } from '#platform/text';
import { problems } from './problems.ts';

const MAX_LENGTH = 255;
const DEFAULT_NAME = 'video';

/** Name of a video: `custom_name`, else the file name as the client states it, slashes included, else `video`. */
export function chooseVideoName(customName: string | null, filename = ''): string {
  const fileName = requireName(filename, 'filename');
  if (customName === null) return shorten(fileName) || DEFAULT_NAME;
  const name = requireName(customName, 'custom_name');
  if ([...name].length <= MAX_LENGTH) return name || DEFAULT_NAME;
  throw problems.upload_field_invalid(`The field \`custom_name\` must have at most ${MAX_LENGTH} characters.`);
}

/** Returns the normalized name. Throws `upload_field_invalid` (400). */
export function requireName(text: string, field: string): string {
  if (isName(text)) return tidyName(text);
  throw problems.upload_field_invalid(`The field \`${field}\` must be ${NAME_IN_WORDS}.`);
}

/** Last segment of a path, without control characters. */
export function videoNameFromPath(path: string): string {
  const last = tidyName(stripUnshowable(path).split(/[/\\]/).at(-1)!);
  return last === '' || last === '.' || last === '..' ? DEFAULT_NAME : shorten(last);
}

/** Last segment of a URL's path, decoded. */
export function videoNameFromUrl(url: URL): string {
  const last = url.pathname.split('/').at(-1) ?? '';
  try {
    return videoNameFromPath(decodeURIComponent(last));
  } catch {
    return videoNameFromPath(last);
  }
}

/** Limits a name to `MAX_LENGTH` characters and preserves its extension. */
function shorten(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_LENGTH) return name;
  const extension = /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? '';
  return characters.slice(0, MAX_LENGTH - extension.length).join('') + extension;
}
