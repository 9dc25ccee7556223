import { Stream } from 'node:stream';

/** Control characters that are not part of text; tab, line feed and carriage return are. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u;
/** Character class: control characters, line separators, and characters that reverse the text direction. */
const NOT_IN_NAMES = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069';

/** Pattern of names, as a JSON Schema pattern and in words: one line of text that is displayed as it is stored. */
export const NAME_PATTERN = `^[^${NOT_IN_NAMES}]*$`;
export const NAME_IN_WORDS = 'one line of text without control characters';

const NAME = new RegExp(NAME_PATTERN, 'u');
const UNSHOWABLE = new RegExp(`[${NOT_IN_NAMES}\\ud800-\\udfff]`, 'gu');

/** True if the text can be a name. An empty one can. */
export const isName = (text: string): boolean => NAME.test(text) && text.isWellFormed();

/** Normalizes a name: composed characters, no surrounding spaces. */
export const tidyName = (text: string): string => text.normalize('NFC').trim();

/** Removes characters that names cannot have, for names from object keys, URLs and headers. */
export const stripUnshowable = (text: string): string => text.replace(UNSHOWABLE, '');

/** Reason why a text is refused, to follow "The field `x`". Null if it is accepted. */
export function textFault(text: string): string | null {
  if (!text.isWellFormed()) return 'contains half a character (a lone surrogate)';
  const found = CONTROL.exec(text)?.[0];
  if (found === undefined) return null;
  const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `contains the control character U+${code}`;
}

/** Finds the first text in a JSON value, field names included, that is refused. Returns its path and the reason. */
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
