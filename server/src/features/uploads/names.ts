const MAX_LENGTH = 255;
/** Control characters, and those that reverse what follows: a name must not show as another one. */
const UNSHOWABLE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A name to show, of whatever a client calls its file: the last part of a path, without what cannot be shown; `video` when nothing is left. */
export function displayName(given: string): string {
  const last = given.normalize('NFC').replace(UNSHOWABLE, '').split(/[/\\]/).at(-1)!.trim();
  if (last === '' || last === '.' || last === '..') return 'video';
  const characters = [...last];
  if (characters.length <= MAX_LENGTH) return last;
  const extension = /\.[A-Za-z0-9]{1,8}$/.exec(last)?.[0] ?? '';
  return characters.slice(0, MAX_LENGTH - extension.length).join('') + extension;
}

/** A name for what a URL leads to. */
export function nameOfUrl(url: URL): string {
  const last = url.pathname.split('/').at(-1) ?? '';
  try {
    return displayName(decodeURIComponent(last));
  } catch {
    return displayName(last);
  }
}
