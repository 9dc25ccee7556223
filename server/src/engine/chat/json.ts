/** Longest answer that is searched for JSON, in characters. */
const MAX_LENGTH = 100_000;

/** Braces that open no object; more of them are hostile, and each is scanned to the end. */
const MAX_MISSES = 50;

/**
 * The JSON objects in a text with thinking blocks, code fences or prose around them; the last one first, since models
 * think before they answer. Objects inside objects are not listed.
 */
export function findJsonObjects(text: string): unknown[] {
  const answer = withoutThinking(text.slice(0, MAX_LENGTH));
  const found: unknown[] = [];
  let misses = 0;
  for (let at = answer.indexOf('{'); at >= 0 && misses < MAX_MISSES; ) {
    const end = endOfObject(answer, at);
    const value = end < 0 ? undefined : parsed(answer.slice(at, end));
    if (value === undefined) misses++;
    else found.unshift(value);
    at = answer.indexOf('{', value === undefined ? at + 1 : end);
  }
  return found;
}

/** A thinking block that is not closed may contain the answer. */
function withoutThinking(text: string): string {
  const close = text.lastIndexOf('</think>');
  return close < 0 ? text.replace(/<think>/g, '') : text.slice(close + '</think>'.length);
}

/** The index behind the brace that closes the one at `start`, or -1. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let isString = false;
  for (let i = start; i < text.length; i++) {
    const c = text[i];
    if (isString) {
      if (c === '\\') i++;
      else if (c === '"') isString = false;
    } else if (c === '"') isString = true;
    else if (c === '{') depth++;
    else if (c === '}' && --depth === 0) return i + 1;
  }
  return -1;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
