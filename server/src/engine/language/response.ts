import { findJsonObjects } from '../chat/index.ts';

/** Answer of a model, not checked against the prompt. */
export type Rewritings = {
  language: string | null;
  sentences: { from: string; to: string }[];
  left: string[];
};

const MAX_SENTENCES = 30;
const MAX_FROM = 2000;
const MAX_TO = 500;

/** Schema on the wire: common servers fail at lengths, patterns and nesting. */
export const RESPONSE_SCHEMA = {
  type: 'object',
  properties: {
    language: { type: 'string' },
    sentences: {
      type: 'array',
      items: {
        type: 'object',
        properties: { from: { type: 'string' }, to: { type: 'string' } },
        required: ['from', 'to'],
        additionalProperties: false,
      },
    },
    left: { type: 'array', items: { type: 'string' } },
  },
  required: ['language', 'sentences', 'left'],
  additionalProperties: false,
} as const;

/** Reads an answer with anything around its JSON. A bad sentence is dropped alone. Null if nothing has the shape. */
export function readRewritings(text: string): Rewritings | null {
  for (const value of findJsonObjects(text)) {
    if (!isRecord(value) || !Array.isArray(value.sentences)) continue;
    return {
      language: typeof value.language === 'string' ? toName(value.language) : null,
      sentences: value.sentences
        .slice(0, MAX_SENTENCES)
        .filter(isSentence)
        .map(({ from, to }) => ({ from, to })),
      left: Array.isArray(value.left) ? value.left.slice(0, MAX_SENTENCES).filter(isText(MAX_FROM)) : [],
    };
  }
  return null;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isText =
  (max: number) =>
  (value: unknown): value is string =>
    typeof value === 'string' && value.trim() !== '' && value.length <= max;
const isSentence = (value: unknown): value is { from: string; to: string } =>
  isRecord(value) && isText(MAX_FROM)(value.from) && isText(MAX_TO)(value.to);

/** The name of a language, shown to users: letters only. */
function toName(text: string): string | null {
  const name = text.trim();
  return /^[\p{L}][\p{L} ()-]{1,39}$/u.test(name) ? name : null;
}
