import { assemble } from './assemble.ts';
import { type Item, isStop, isUnknown, readItems, sense } from './items.ts';
import type { Lexicon } from './lexicon.ts';
import type { Plan, Question, Search } from './schema.ts';
import { takeWindow } from './window.ts';

/** Reads a prompt by the lexicon. Never throws: what it does not understand is in the plan as such. */
export function planQuery(query: string, lexicon: Lexicon): Plan {
  const { items: read, corrected, end } = readItems(query, lexicon);
  const asked = takeQuestion(read);
  const { items, window } = takeWindow(asked.items);
  const searches = assemble(items, query);
  if (searches.length === 0) searches.push(notable(query));
  if (query.slice(end).trim() !== '') searches.push(unread(query.slice(end)));
  const open = searches.some((s) => s.steps.some((step) => step.what.kind === 'notable'));
  return {
    version: 1,
    query: query.slice(0, 200_000),
    question: open ? 'describe' : asked.question === 'describe' ? null : asked.question,
    window,
    searches,
    corrected: corrected.slice(0, 500).map((c) => ({ from: c.from.slice(0, 200), to: c.to.slice(0, 200) })),
  };
}

/** An empty or open prompt ("what happens here?") asks for everything worth a mention. */
function notable(query: string): Search {
  const text = query.trim().slice(0, 2000);
  return {
    text,
    steps: [
      {
        text,
        what: { kind: 'notable' },
        negated: false,
        duration: null,
        join: null,
        within: null,
        same: false,
        unchecked: [],
      },
    ],
  };
}

function unread(rest: string): Search {
  const text = rest.trim().slice(0, 100);
  const reason = `the prompt is too long: it was read up to here, ${rest.trim().length} characters were not`;
  return {
    text,
    steps: [
      {
        text,
        what: { kind: 'unknown' },
        negated: false,
        duration: null,
        join: null,
        within: null,
        same: false,
        unchecked: [{ text, reason, blocks: true }],
      },
    ],
  };
}

/** The question a prompt starts with, and the items without the words that ask it. */
function takeQuestion(items: readonly Item[]): { question: Question | null; items: Item[] } {
  const first = items.findIndex((item) => isUnknown(item) || item.senses.some((s) => s.type !== 'filler'));
  const kind = first >= 0 ? sense(items[first], 'question')?.question : undefined;
  const describes = items.findIndex((item) => sense(item, 'question')?.question === 'describe');
  if (kind === 'when' && items.slice(first + 1).some((item) => item.text === ','))
    return { question: null, items: [...items] };
  if (kind !== undefined) {
    const rest = items.filter((_, i) => i !== first);
    return {
      question: kind,
      items: kind === 'describe' ? rest.filter((item) => !sense(item, 'question') || sense(item, 'join')) : rest,
    };
  }
  if (describes >= 0) return { question: 'describe', items: items.filter((_, i) => i !== describes) };
  return { question: null, items: items.filter((item) => !isOnlyQuestion(item) || isStop(item)) };
}

const isOnlyQuestion = (item: Item) => item.senses.length > 0 && item.senses.every((s) => s.type === 'question');
