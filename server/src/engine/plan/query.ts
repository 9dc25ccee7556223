import { assemble } from './assemble.ts';
import { type Item, isMark, isStop, isUnknown, readItems, sense } from './items.ts';
import type { Lexicon } from './lexicon.ts';
import type { Plan, Question, Search } from './schema.ts';
import { mainClauseAt } from './segments.ts';
import { takeWindow } from './window.ts';

/** Reads a prompt by the lexicon. Never throws: what it does not understand is in the plan as such. */
export function planQuery(query: string, lexicon: Lexicon): Plan {
  const { items: read, corrected, end } = readItems(query, lexicon);
  const { items: counted, per } = takePer(read);
  const asked = takeQuestion(counted);
  const { items, window } = takeWindow(asked.items);
  const searches = assemble(items, query);
  // Nothing but polite words, or nothing at all, is an open prompt; nothing but marks is not one, nor is "a screen".
  const words = read.filter((item) => !isMark(item));
  const isOpen = query.trim() === '' || (words.length > 0 && !words.some(isNamed) && !isAlone(words));
  if (searches.length === 0)
    searches.push(isOpen ? notable(query) : unread(query, 'there is nothing in this to look for'));
  const rest = query.slice(end).trim();
  if (rest !== '')
    searches.push(unread(rest, `the prompt is too long: it was read up to here, ${rest.length} characters were not`));
  noteWindow(window, searches);
  const open = searches.some((s) => s.steps.some((step) => step.what.kind === 'notable'));
  return {
    version: 1,
    query: query.slice(0, 200_000),
    question: open ? 'describe' : (asked.question ?? (per ? 'count' : isAsked(read) ? 'yes_no' : null)),
    ...(per && !open ? { per } : {}),
    window,
    searches,
    corrected: corrected.slice(0, 500).map((c) => ({ from: c.from.slice(0, 200), to: c.to.slice(0, 200) })),
  };
}

/** "Parks and leaves after 5 minutes" may mean five minutes later: what it was read as is said. */
function noteWindow(window: Plan['window'], searches: readonly Search[]) {
  if (window === null || window.from <= 0 || window.to !== null) return;
  const reason = 'read as a part of the video, from its start; for what comes later than something else say "then"';
  for (const { steps } of searches)
    if (steps.some(({ join }) => join === 'then'))
      steps[0]!.unchecked.push({ text: `after ${window.from} s`, reason, blocks: false });
}

/** "How many cars per minute", "per 10 seconds", "every 5 s": the stretch of time, and the items without it. */
function takePer(items: readonly Item[]): { items: readonly Item[]; per: number | null } {
  for (const [at, item] of items.entries()) {
    const per = sense(item, 'per');
    if (per === null) continue;
    if (per.seconds !== null) return { items: items.toSpliced(at, 1), per: per.seconds };
    const number = sense(items[at + 1], 'number');
    const unit = sense(items[at + (number ? 2 : 1)], 'unit');
    if (unit?.dimension === 'time' && (number || unit.counted))
      return { items: items.toSpliced(at, number ? 3 : 2), per: Math.max(1, (number?.value ?? 1) * unit.factor) };
  }
  return { items, per: null };
}

/** "Watch", "monitor": with nothing beside it, it may be the thing that is called so. */
const isAlone = (words: readonly Item[]) => words.length === 1 && sense(words[0], 'filler')?.noun === true;

const isNamed = (item: Item) => sense(item, 'pick') !== null || sense(item, 'filler')?.indefinite === true;

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
    pick: null,
  };
}

function unread(part: string, reason: string): Search {
  const text = part.trim().slice(0, 100);
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
    pick: null,
  };
}

/** The question a prompt starts with, and the items without the words that ask it. Open questions ("what happens") stay: they are what to look for. */
function takeQuestion(items: readonly Item[]): { question: Question | null; items: Item[] } {
  const first = items.findIndex((item) => isUnknown(item) || item.senses.some((s) => s.type !== 'filler'));
  const kind = first >= 0 ? sense(items[first], 'question')?.question : undefined;
  const rest = items.flatMap((item, i) => (i === first ? [item] : asPart(item)));
  if (kind === undefined || kind === 'describe') return { question: null, items: rest };
  // "When a person appears, the car stops" asks nothing; "when does the car stop" does.
  if (kind === 'when' && !sense(items[first + 1], 'question') && isTwofold(items.slice(first + 1)))
    return { question: null, items: rest };
  return { question: kind, items: rest.filter((item) => item !== items[first]) };
}

/** "Any cars?": a question mark asks whether, unless another question was asked. */
const isAsked = (items: readonly Item[]) =>
  items.some((item) => item.text === '?') && !items.some((item) => sense(item, 'question')?.question === 'describe');

/** A word that does not begin the prompt asks nothing: "who" is then no thing, "where" is left out. */
function asPart(item: Item): Item[] {
  if (isStop(item)) return [item];
  const senses = item.senses.filter(
    (s) => (s.type !== 'question' || s.question === 'describe') && (s.type !== 'thing' || !sense(item, 'filler')),
  );
  return item.senses.length > 0 && senses.length === 0 ? [] : [{ ...item, senses }];
}

const isTwofold = (items: readonly Item[]) => items.some((item) => item.text === ',') || mainClauseAt(items) !== null;
