/** One word, number or mark of a prompt, with where it stands in it. */
export type Token = {
  kind: 'word' | 'number' | 'time' | 'mark';
  /** Lower case; for marks the character. */
  text: string;
  /** For numbers; seconds for times such as 1:30. */
  value: number;
  start: number;
  end: number;
};

/** Longest prompt that is read, in words; what follows is reported as not read. */
export const MAX_TOKENS = 600;

const SLASHED_UNITS = new Set([
  'km/h',
  'm/s',
  'm/s²',
  'm/s2',
  'm/s^2',
  'mi/h',
  'ft/s',
  'deg/s',
  'degs/s',
  'rad/s',
  '°/s',
]);

const isDigit = (c: string) => c >= '0' && c <= '9';
const isLetter = (c: string) => /[\p{L}\p{M}°²%]/u.test(c);

/**
 * Cuts a prompt into tokens, reading each character once (no backtracking, so that hostile input costs no more than friendly).
 * Numbers take a decimal point and thousands commas, times are 1:30 or 1:02:03, units may hold a slash (`km/h`), a unit may be stuck to its
 * number (`5s`), hyphens separate words.
 */
export function tokenize(query: string): { tokens: Token[]; end: number } {
  const tokens: Token[] = [];
  const n = query.length;
  let i = 0;
  while (i < n && tokens.length < MAX_TOKENS) {
    const c = query[i]!;
    if (isDigit(c)) i = number(query, i, tokens);
    else if (isLetter(c)) i = word(query, i, tokens);
    else {
      if (!/\s/.test(c)) mark(query, i, tokens);
      i++;
    }
  }
  return { tokens, end: i };
}

function number(query: string, start: number, tokens: Token[]): number {
  let i = start;
  let digits = '';
  const parts: number[] = [];
  for (; i < query.length && i - start < 40; i++) {
    const c = query[i]!;
    const next = query[i + 1] ?? '';
    if (isDigit(c)) digits += c;
    else if (c === '.' && isDigit(next) && !digits.includes('.')) digits += c;
    else if (c === ',' && thousands(query, i)) continue;
    else if (c === ':' && isDigit(next) && parts.length < 2) {
      parts.push(Number(digits));
      digits = '';
    } else break;
  }
  const last = Number(digits);
  const value = parts.reduce((sum, part) => (sum + part) * 60, 0) + last;
  tokens.push({ kind: parts.length > 0 ? 'time' : 'number', text: query.slice(start, i), value, start, end: i });
  return i;
}

/** A comma before exactly three digits. */
function thousands(query: string, at: number): boolean {
  return (
    isDigit(query[at - 1] ?? '') &&
    isDigit(query[at + 1] ?? '') &&
    isDigit(query[at + 2] ?? '') &&
    isDigit(query[at + 3] ?? '') &&
    !isDigit(query[at + 4] ?? '')
  );
}

function word(query: string, start: number, tokens: Token[]): number {
  let i = start;
  while (i < query.length) {
    const c = query[i]!;
    const inside = isLetter(c) || isDigit(c) || c === "'" || c === '’' || c === '^';
    const slash = c === '/' && isLetter(query[i + 1] ?? '');
    if (!inside && !slash) break;
    i++;
  }
  const raw = query.slice(start, i);
  const text = raw.toLowerCase().replaceAll('’', "'");
  if (text.includes('/') && !SLASHED_UNITS.has(text)) {
    let at = start;
    for (const [k, part] of text.split('/').entries()) {
      if (k > 0) tokens.push({ kind: 'mark', text: '/', value: 0, start: at - 1, end: at });
      push(part, at, at + part.length);
      at += part.length + 1;
      if (tokens.length >= MAX_TOKENS) break;
    }
  } else push(text, start, i);
  return i;

  function push(word: string, from: number, to: number) {
    let text = word;
    while (text.endsWith("'")) text = text.slice(0, -1);
    if (text.endsWith("'s") && text.length > 2) text = text.slice(0, -2);
    if (text !== '') tokens.push({ kind: 'word', text, value: 0, start: from, end: to });
  }
}

function mark(query: string, at: number, tokens: Token[]) {
  const text = query[at]!;
  const kept = ',.;?!/&\n<>'.includes(text);
  if (kept) tokens.push({ kind: 'mark', text, value: 0, start: at, end: at + 1 });
  // A range such as 2-4 or 2–4: the dash between two numbers matters, between words it does not.
  else if ((text === '-' || text === '–') && tokens.at(-1)?.kind === 'number' && isDigit(query[at + 1] ?? ''))
    tokens.push({ kind: 'mark', text: '-', value: 0, start: at, end: at + 1 });
}
