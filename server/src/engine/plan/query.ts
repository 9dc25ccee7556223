import { joinAmounts } from './amounts.ts';
import { assemble } from './assemble.ts';
import { type Item, isMark, isStop, isUnknown, readItems, sense } from './items.ts';
import type { Lexicon } from './lexicon.ts';
import type { Plan, Question, Search, Step } from './schema.ts';
import { mainClauseAt } from './segments.ts';
import { takeClock, takeWindow } from './window.ts';

/** Reads a prompt by the lexicon. Never throws: what it does not understand is in the plan as such. */
export function planQuery(query: string, lexicon: Lexicon): Plan {
  const { items: read, corrected, end } = readItems(query, lexicon);
  const { items: counted, per } = takePer(joinAmounts(read, query));
  const { items: placed, window } = takeWindow(takeClock(counted));
  const asked = takeQuestion(placed);
  const { items } = asked;
  const assembled = assemble(items, query);
  const searches = IN_OTHER_WORDS[asked.question ?? 'describe']?.(assembled) ?? assembled;
  // Nothing but polite words, or nothing at all, is an open prompt; nothing but marks is not one, nor is "a screen".
  const words = read.filter((item) => !isMark(item));
  const isOpen = query.trim() === '' || (words.length > 0 && words.every(isOpenWord(window)) && !isAlone(words));
  if (searches.length === 0)
    searches.push(isOpen ? notable(query) : unread(query, 'there is nothing in this to look for'));
  const rest = query.slice(end).trim();
  if (rest !== '')
    searches.push(unread(rest, `the prompt is too long: it was read up to here, ${rest.length} characters were not`));
  noteWindow(window, searches);
  if (per !== null) searches.forEach(oneEach);
  if (asked.question === 'count' && per === null) noteAverage(read, searches);
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

/** "More than 5 cars per minute": how many come in a stretch of time is told, and is no matter of how many are there at once. */
function oneEach({ steps }: Search) {
  for (const { what, unchecked } of steps) {
    if (what.kind !== 'object' || (what.subject.count.min === 1 && what.subject.count.max === null)) continue;
    what.subject.count = { min: 1, max: null };
    const reason = 'how many there are in a stretch of time is told, not asked for';
    unchecked.push({ text: what.subject.text.slice(0, 200), reason, blocks: false });
  }
}

/** "Parks and leaves after 5 minutes" may mean five minutes later: what it was read as is said. */
function noteWindow(window: Plan['window'], searches: readonly Search[]) {
  if (window === null || window.from <= 0 || window.to !== null) return;
  const reason = 'read as a part of the video, from its start; for what comes later than something else say "then"';
  for (const { steps } of searches)
    if (steps.some(({ join }) => join === 'then'))
      steps[0]!.unchecked.push({ text: `after ${window.from} s`, reason, blocks: false });
}

/** "How many cars enter on average": of what is there for a while there is an average number, of what happens there is one in a stretch of time. */
function noteAverage(items: readonly Item[], searches: readonly Search[]) {
  const said = items.find((item) => sense(item, 'average'));
  const reason = 'an average is told of how many are there at the same time; of what happens, ask "per minute"';
  for (const { steps } of said ? searches : []) {
    const { what } = steps[0]!;
    const isThere =
      steps.length === 1 && what.kind === 'object' && (what.action === 'present' || what.action === 'stands');
    if (!isThere) steps[0]!.unchecked.push({ text: said!.text, reason, blocks: false });
  }
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

/** Words that ask for nothing of their own: polite ones, and those that say which part of the video is meant. */
const isOpenWord = (window: Plan['window']) => (item: Item) =>
  (sense(item, 'pick') === null || (window !== null && sense(item, 'window') !== null)) &&
  sense(item, 'filler')?.article !== 'indefinite' &&
  (window !== null ||
    isUnknown(item) ||
    item.senses.some((s) => s.type === 'filler' || s.type === 'question' || s.type === 'pronoun'));

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
  const first = items.findIndex((item) => !isLead(item));
  const kind = first >= 0 ? sense(items[first], 'question')?.question : undefined;
  const rest = items.flatMap((item, i) => {
    if (i === first) return [item];
    // "How many entered, and how many left?"
    if (isAskedAgain(items, i, kind)) return [{ ...item, text: ';', senses: [] }];
    return isAskedAgain(items, i - 1, kind)
      ? [{ ...item, senses: item.senses.filter((s) => s.type === 'action') }]
      : asPart(item);
  });
  if (kind === undefined || kind === 'describe') return { question: null, items: rest };
  const isAverage = (item: Item) => AVERAGED.has(kind) && sense(item, 'average') !== null;
  const asked = rest.filter((item) => item !== items[first] && !isAverage(item));
  // "How long after a car stops does a person appear?"
  const join = kind === 'how_long' ? sense(items[first + 1], 'join')?.join : null;
  if (join === 'after') return { question: 'time_between', items: asked };
  // "How long until a person appears?"
  if (join === 'before') return { question: 'when', items: asked };
  if (kind === 'time_between') return { question: kind, items: asked.map(asEnd) };
  // "When a person appears, the car stops" asks nothing; "when does the car stop" does.
  if (kind === 'when' && !sense(items[first + 1], 'question') && isTwofold(items.slice(first + 1)))
    return { question: null, items: rest };
  return { question: kind, items: asked };
}

/** Questions whose answers tell an average. */
const AVERAGED: ReadonlySet<Question> = new Set(['count', 'how_long', 'time_between']);

/** What may stand before a question: "please", "at night,". */
const isLead = (item: Item) =>
  item.text === ',' ||
  (sense(item, 'average') && !sense(item, 'question')) ||
  sense(item, 'signal')?.leads ||
  (!isUnknown(item) && item.senses.every((s) => s.type === 'filler'));

/** The same question of another verb. */
const isAskedAgain = (items: readonly Item[], i: number, kind: Question | undefined) =>
  (kind === 'count' || kind === 'how_often') &&
  sense(items[i], 'question')?.question === kind &&
  sense(items[i + 1], 'action') !== null;

/** "From the first car to the last": the other end. */
const asEnd = (item: Item): Item =>
  sense(item, 'preposition')?.preposition === 'to' ? { ...item, senses: [{ type: 'join', join: 'and' }] } : item;

/** "Time between A and B": A and then B, however long it takes. The first and the last of something are each found on its own. */
function inTurn(asked: readonly Search[]): Search[] {
  const searches = asked.length === 1 ? asked.map(oneByOne) : asked;
  const [a, b, ...others] = searches;
  const isPair =
    a && b && others.length === 0 && [a, b].every(({ pick, steps }) => pick === null && steps.length === 1);
  const tied = isPair
    ? [{ ...a, text: `${a.text}, ${b.text}`, steps: [...a.steps, { ...b.steps[0]!, join: 'then' as const }] }]
    : searches;
  return tied.map((search) => ({
    ...search,
    steps: search.steps.map((step) => (step.join === 'then' ? { ...step, within: step.within ?? ANY_TIME_S } : step)),
  }));
}
/** "Between two people entering": one and then the other. */
const oneByOne = (search: Search): Search => ({
  ...search,
  steps: search.steps.map((step) => {
    const { what } = step;
    if (what.kind !== 'object' || what.subject.count.min !== 2 || search.steps.length > 1) return step;
    return { ...step, what: { ...what, subject: { ...what.subject, count: { min: 1, max: null } } } };
  }),
});
/** A day. */
const ANY_TIME_S = 86_400;

/** "How long is the car gone", "how long does it appear": as long as it is, or is not, there. */
const lasting = (searches: readonly Search[]): Search[] =>
  searches.map((search) => ({ ...search, steps: search.steps.map(lastingStep) }));

function lastingStep(step: Step): Step {
  const { what } = step;
  if (what.kind !== 'object' || (what.action !== 'appears' && what.action !== 'disappears')) return step;
  const negated = step.negated !== (what.action === 'disappears');
  return { ...step, negated, what: { ...what, action: 'present', idle: false, from: null, to: null } };
}

/** What a question makes of what was said. */
const IN_OTHER_WORDS: Partial<Record<Question, (searches: readonly Search[]) => Search[]>> = {
  time_between: inTurn,
  how_long: lasting,
};

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
