import type { Token } from './token.ts';
import type { WordList } from './word-list.ts';

/** Longest prompt that is read, in tokens; the rest is reported as not read. */
export const MAX_TOKENS = 600;

type Spelling = Pick<WordList, 'has' | 'trim' | 'decimal'>;

const isDigit = (c: string) => c >= '0' && c <= '9';
const isLetter = (c: string) => /[\p{L}\p{M}°²%]/u.test(c);

/**
 * Cuts a prompt into tokens. Each character is read once, without backtracking, so that hostile input has no extra
 * cost. Numbers take a decimal point and thousands separators, times are 1:30 or 1:02:03, known words may contain a
 * slash (`km/h`), a unit may follow its number without a space (`5s`), hyphens separate words, and ends of list lines
 * are full stops.
 */
export function tokenize(query: string, spelling: Spelling): { tokens: Token[]; end: number } {
  const tokens: Token[] = [];
  const n = query.length;
  let i = 0;
  while (i < n && tokens.length < MAX_TOKENS) {
    const c = query[i]!;
    if (isDigit(c))
      i = startsLine(query, i) ? afterBullet(query, i, tokens, spelling) : number(query, i, tokens, spelling);
    else if (isLetter(c)) i = word(query, i, tokens, spelling);
    else if (isPicture(query, i)) i = picture(query, i, tokens);
    else {
      if (c === '\n' ? endsItem(query, i) : !/\s/.test(c)) mark(query, i, tokens);
      i += SIGNS[query.slice(i, i + 2)] ? 2 : 1;
    }
  }
  return { tokens, end: i };
}

/** Longest line that is taken for an item of a list; longer ones are prose that someone broke into lines. */
const MAX_ITEM = 60;

function endsItem(query: string, at: number): boolean {
  const line = at - 1 - query.lastIndexOf('\n', at - 1);
  return line <= MAX_ITEM || /^\s*([-*•\n]|\d{1,2}[.)])/.test(query.slice(at + 1, at + 12));
}

const startsLine = (query: string, at: number) =>
  query.slice(Math.max(0, at - 8), at).trimStart() === '' || /\n\s*$/.test(query.slice(Math.max(0, at - 8), at));

/** "2. a car stops", "2) a car stops": list numbers are skipped. */
function afterBullet(query: string, at: number, tokens: Token[], spelling: Spelling): number {
  const bullet = /^\d{1,2}[.)]\s/.exec(query.slice(at, at + 4));
  return bullet ? at + bullet[0].length : number(query, at, tokens, spelling);
}

const isPicture = (query: string, at: number) => /^\p{Extended_Pictographic}/u.test(query.slice(at, at + 2));

/** A run of emoji, as one mark. */
function picture(query: string, start: number, tokens: Token[]): number {
  let i = start;
  while (
    i < query.length &&
    (isPicture(query, i) || /[\u200d\ufe0f\u{1f3fb}-\u{1f3ff}]/u.test(query.slice(i, i + 2)))
  ) {
    i += (query.codePointAt(i) ?? 0) > 0xffff ? 2 : 1;
  }
  tokens.push({ kind: 'picture', text: query.slice(start, i), value: 0, start, end: i });
  return i;
}

function number(query: string, start: number, tokens: Token[], { decimal }: Spelling): number {
  let i = start;
  let digits = '';
  const parts: number[] = [];
  for (; i < query.length && i - start < 40; i++) {
    const c = query[i]!;
    const next = query[i + 1] ?? '';
    if (isDigit(c)) digits += c;
    else if (c === decimal && isDigit(next) && !digits.includes('.')) digits += '.';
    else if ((c === ',' || c === '.') && c !== decimal && thousands(query, i)) continue;
    else if (c === ':' && isDigit(next) && parts.length < 2) {
      parts.push(Number(digits));
      digits = '';
    } else break;
  }
  const last = Number(digits);
  const value = parts.reduce((sum, part) => (sum + part) * 60, 0) + last;
  // "Below -10": a sign before a number belongs to it, between two numbers it is a dash.
  const isSigned = query[start - 1] === '-' && /\s/.test(query[start - 2] ?? '') && tokens.at(-1)?.kind === 'word';
  const first = isSigned ? start - 1 : start;
  tokens.push({ kind: parts.length > 0 ? 'time' : 'number', text: query.slice(start, i), value, start: first, end: i });
  return i;
}

/** A thousands separator: followed by exactly three digits. */
function thousands(query: string, at: number): boolean {
  return (
    isDigit(query[at - 1] ?? '') &&
    isDigit(query[at + 1] ?? '') &&
    isDigit(query[at + 2] ?? '') &&
    isDigit(query[at + 3] ?? '') &&
    !isDigit(query[at + 4] ?? '')
  );
}

function word(query: string, start: number, tokens: Token[], { has, trim }: Spelling): number {
  let i = start;
  while (i < query.length) {
    const c = query[i]!;
    const inside = isLetter(c) || isDigit(c) || c === "'" || c === '’' || c === '^';
    const slash = c === '/' && (isLetter(query[i + 1] ?? '') || has(query.slice(start, i + 1).toLowerCase()));
    if (!inside && !slash) break;
    i++;
  }
  const raw = query.slice(start, i);
  const text = raw.toLowerCase().replaceAll('’', "'");
  if (text.includes('/') && !has(text)) {
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
    const text = trim(word);
    if (text !== '') tokens.push({ kind: 'word', text, value: 0, start: from, end: to });
  }
}

const isAmount = (token: Token | undefined) => token?.kind === 'number' || token?.kind === 'time';

/** Marks between parts of a sentence, as commas are: "a dog - timestamps only", "yes or no: is there a dog". */
function isPause(query: string, at: number): boolean {
  const [before, after] = [query[at - 1] ?? '', query[at + 1] ?? ''];
  if ('()'.includes(query[at]!)) return true;
  if (query[at] === ':') return /\s/.test(after) && isLetter(before);
  return query[at] === '—' || ('-–'.includes(query[at]!) && before === ' ' && after === ' ');
}

/** Marks of two characters. */
const SIGNS: Record<string, string> = { '->': '→', '>=': '≥', '<=': '≤' };

function mark(query: string, at: number, tokens: Token[]) {
  // "A -> B", "A + B"; but "10+ seconds".
  const text = SIGNS[query.slice(at, at + 2)] ?? query[at]!;
  if (text === '+' && query[at - 1] !== ' ') return;
  const isMark = ',.;?!/&\n<>≥≤=+→'.includes(text);
  if (isMark) tokens.push({ kind: 'mark', text, value: 0, start: at, end: at + 1 });
  else if (isPause(query, at)) tokens.push({ kind: 'pause', text: ',', value: 0, start: at, end: at + 1 });
  // A range such as 2-4 or 2–4: the dash between two numbers matters, between words it does not.
  else if ((text === '-' || text === '–') && isAmount(tokens.at(-1)) && isDigit(query[at + 1] ?? ''))
    tokens.push({ kind: 'mark', text: '-', value: 0, start: at, end: at + 1 });
}
