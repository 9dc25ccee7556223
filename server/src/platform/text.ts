import { Stream } from 'node:stream';

/** Control characters that no text has; tab, line feed and carriage return are part of text. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u;
/** As a character class: control characters, line separators, and what reverses the direction of the text that follows. */
const NOT_IN_NAMES = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069';

/** What a name is, as a JSON Schema pattern and in words: one line of text that is shown as it is stored. */
export const NAME_PATTERN = `^[^${NOT_IN_NAMES}]*$`;
export const NAME_IN_WORDS = 'one line of text without control characters';

const NAME = new RegExp(NAME_PATTERN, 'u');
const UNSHOWABLE = new RegExp(`[${NOT_IN_NAMES}\\ud800-\\udfff]`, 'gu');

/** Whether the text can be a name; an empty one can. */
export const isName = (text: string): boolean => NAME.test(text) && text.isWellFormed();

/** One spelling for each name: composed characters, no spaces around. */
export const tidyName = (text: string): string => text.normalize('NFC').trim();

/** The text without the characters that no name has, for names that come from elsewhere: object keys, URLs, headers. */
export const stripUnshowable = (text: string): string => text.replace(UNSHOWABLE, '');

/** Why a text cannot be accepted, to follow "The field `x`"; null when it can. */
export function textFault(text: string): string | null {
  if (!text.isWellFormed()) return 'contains half a character (a lone surrogate)';
  const found = CONTROL.exec(text)?.[0];
  if (found === undefined) return null;
  const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `contains the control character U+${code}`;
}

/** The first text that cannot be accepted in a value made of JSON, names of fields included: where it is, and why. */
export function faultIn(value: unknown, path: readonly (string | number)[] = []): TextFault | null {
  if (typeof value === 'string') {
    const fault = textFault(value);
    return fault === null ? null : { path, fault };
  }
  // The body may also be a buffer, or the stream of an upload.
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || value instanceof Stream) return null;
  for (const [name, child] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const inName = typeof name === 'string' ? textFault(name) : null;
    if (inName !== null) return { path, fault: `${inName} in the name of a field` };
    const found = faultIn(child, [...path, name]);
    if (found) return found;
  }
  return null;
}

type TextFault = { path: readonly (string | number)[]; fault: string };
