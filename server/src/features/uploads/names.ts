import { isName, NAME_IN_WORDS, stripUnshowable, tidyName } from '#platform/text';
import { problems } from './problems.ts';

const MAX_LENGTH = 255;
const UNNAMED = 'video';

/** What names a video: `custom_name`, or else its file's name as the client states it, slashes included; `video` without either. */
export function givenName(customName: string | null, filename = ''): string {
  const ofFile = requireName(filename, 'filename');
  if (customName === null) return shorten(ofFile) || UNNAMED;
  const name = requireName(customName, 'custom_name');
  if ([...name].length <= MAX_LENGTH) return name || UNNAMED;
  throw problems.upload_field_invalid(`The field \`custom_name\` must have at most ${MAX_LENGTH} characters.`);
}

/** Throws `upload_field_invalid` (400). */
export function requireName(text: string, field: string): string {
  if (isName(text)) return tidyName(text);
  throw problems.upload_field_invalid(`The field \`${field}\` must be ${NAME_IN_WORDS}.`);
}

/** A name for what lies under a path: its last part, without what cannot be shown. */
export function nameOfPath(path: string): string {
  const last = tidyName(stripUnshowable(path).split(/[/\\]/).at(-1)!);
  return last === '' || last === '.' || last === '..' ? UNNAMED : shorten(last);
}

/** A name for what a URL leads to. */
export function nameOfUrl(url: URL): string {
  const last = url.pathname.split('/').at(-1) ?? '';
  try {
    return nameOfPath(decodeURIComponent(last));
  } catch {
    return nameOfPath(last);
  }
}

/** At most `MAX_LENGTH` characters, the extension kept. */
function shorten(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_LENGTH) return name;
  const extension = /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? '';
  return characters.slice(0, MAX_LENGTH - extension.length).join('') + extension;
}
