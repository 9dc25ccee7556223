import { blockedSearch } from '../blocked-search.ts';
import { POLITE } from '../english/facts.ts';
import { DETERMINERS, DOUBTFUL_WORDS, MAX_UNQUOTED, QUOTED, SPEECH_PATTERNS } from '../english/speech.ts';
import type { Plan, PlannedSearch, QuestionKind } from '../schema.ts';
import { planOf, singleSearch } from '../single-search.ts';

/** Longer prompts are no single question about speech; limits the cost of a crafted prompt. */
const MAX_LENGTH = 200;
const MAX_WORDS_LENGTH = 100;

/**
 * The plan of a prompt about what is spoken ("someone says stop", "when do they talk about the forklift"); null for any
 * other. Only whole prompts are read, so that no word is dropped. "A sign that says STOP" is about text, not speech.
 */
export function planSpeech(query: string): Plan | null {
  if (query.length > MAX_LENGTH) return null;
  const text = query
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[?!. ]+$/g, '')
    .trim();
  const plain = text.replaceAll(/[’‘](?=\w)/g, "'").replaceAll(POLITE, '');
  for (const { reading, pattern } of SPEECH_PATTERNS) {
    const found = pattern.exec(plain);
    if (!found) continue;
    const { words = '', ...groups } = found.groups ?? {};
    const question = QUESTIONS.find((each) => groups[each] !== undefined) ?? null;
    // Parts of a prompt are read one by one.
    if (/[,;:]/.test(words) && !QUOTED.test(words.trim())) return null;
    const plan = (search: PlannedSearch) => planOf(query, [search], question);
    if (reading === 'speakers' || reading === 'speaker') return plan(blockedSearch(text, text, SPEAKERS));
    if (reading === 'transcript') return plan(singleSearch(text, { kind: 'speech', words: null }));
    if (reading === 'voice') return plan(singleSearch(text, { kind: 'sound', sound: 'speech' }));
    const spoken = toSpoken(words, reading === 'topic');
    if (spoken === null) return plan(blockedSearch(text, words, QUOTE));
    const isCalled = reading === 'call';
    const what = { kind: 'speech', words: spoken, ...(reading === 'topic' ? { about: true } : {}) } as const;
    return plan(singleSearch(text, what, isCalled ? [{ text: 'loudness', reason: LOUDNESS, blocks: false }] : []));
  }
  return null;
}

const QUESTIONS = ['when', 'how_often', 'how_long', 'yes_no'] as const satisfies readonly QuestionKind[];
const SPEAKERS = 'speakers are not distinguished; "someone says …" finds what anybody says';
const QUOTE = 'it is not certain which words are spoken; put them in quotation marks, such as: someone says "stop"';
const LOUDNESS = 'how loud words are spoken is not checked';

/** The words to look for, in lower case and without punctuation; null if it is not certain which are meant. */
function toSpoken(words: string, isTopic: boolean): string | null {
  const quoted = QUOTED.exec(words.trim())?.[1];
  if (quoted === undefined && /[()"“”]/.test(words)) return null;
  const plain = (quoted ?? words)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}' -]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const bare = isTopic ? plain.replace(DETERMINERS, '') : plain;
  if (!/[\p{L}\p{N}]/u.test(bare) || bare.length > MAX_WORDS_LENGTH) return null;
  if (quoted !== undefined) return bare;
  // "Says a prayer" names what is spoken, not its words.
  if (!isTopic && /^an? /.test(bare)) return null;
  const each = bare.split(' ');
  return each.length > MAX_UNQUOTED || each.some((word) => DOUBTFUL_WORDS.has(word)) ? null : bare;
}
