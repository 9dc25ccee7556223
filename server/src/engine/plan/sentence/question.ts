import type { PlannedSearch, QuestionKind, SignalName, Step } from '../schema.ts';
import { type Item, isStop, isUnknown, sense } from '../tokens/lexer.ts';
import type { Sense } from '../tokens/senses.ts';
import { mainClauseAt } from './clause-segments.ts';

/**
 * The question at the start of a prompt, and the items without its words. Open questions ("what happens") remain,
 * since they are the content.
 */
export function takeQuestion(items: readonly Item[]): { question: QuestionKind | null; items: Item[] } {
  const first = items.findIndex((item) => !isLead(item));
  const kind = first >= 0 ? sense(items[first], 'question')?.question : undefined;
  const rest = items.flatMap((item, i) => {
    if (i === first) return [item];
    // "How many entered, and how many left?"
    if (isRepeatedQuestion(items, i, kind)) return [{ ...item, text: ';', senses: [] }];
    return isRepeatedQuestion(items, i - 1, kind)
      ? [{ ...item, senses: item.senses.filter((s) => s.type === 'action') }]
      : withoutQuestion(item, kind);
  });
  if (kind === undefined || kind === 'describe') return { question: null, items: rest };
  const isAverage = (item: Item) => AVERAGED.has(kind) && sense(item, 'average') !== null;
  // "How long does it take the person to cross"
  const goal = /\btake/i.test(items[first]!.text) ? rest.find(isGoal) : undefined;
  const content = withoutOf(rest.filter((item) => item !== items[first] && item !== goal && !isAverage(item)));
  // "How long after a car stops does a person appear?"
  const join = kind === 'how_long' ? sense(items[first + 1], 'join')?.join : null;
  if (join === 'after') return { question: 'time_between', items: content };
  // "How long until a person appears?"
  if (join === 'before')
    return { question: 'when', items: content.filter(({ start }) => start !== items[first + 1]!.start) };
  if (kind === 'time_between') return { question: kind, items: content.map(asSecondEvent) };
  // "When a person appears, the car stops" asks nothing; "when does the car stop" does.
  if (kind === 'when' && !sense(items[first + 1], 'question') && hasTwoClauses(items.slice(first + 1)))
    return { question: null, items: rest };
  return { question: kind, items: content };
}

/** "Count of bottles", "what is the color of the truck", "are there still people". */
const withoutOf = (items: Item[]) =>
  sense(items[0], 'preposition')?.preposition === 'of' || sense(items[0], 'state')?.yet ? items.slice(1) : items;

const isGoal = (item: Item) => sense(item, 'preposition')?.preposition === 'to';

/** Questions whose answers include an average. */
const AVERAGED: ReadonlySet<QuestionKind> = new Set(['count', 'how_long', 'time_between']);

/** Items that may precede a question: "please", "at night,". */
const isLead = (item: Item) =>
  item.text === ',' ||
  (sense(item, 'average') && !sense(item, 'question')) ||
  sense(item, 'signal')?.leads ||
  (!isUnknown(item) && item.senses.every((s) => s.type === 'filler'));

/** The same question of another verb. */
const isRepeatedQuestion = (items: readonly Item[], i: number, kind: QuestionKind | undefined) =>
  (kind === 'count' || kind === 'how_often') &&
  sense(items[i], 'question')?.question === kind &&
  sense(items[i + 1], 'action') !== null;

/** "From the first car to the last": the other end. */
const asSecondEvent = (item: Item): Item =>
  sense(item, 'preposition')?.preposition === 'to' ? { ...item, senses: [{ type: 'join', join: 'and' }] } : item;

/**
 * "Time between A and B": A, then B, at any distance. The first and the last of the same event are searched
 * separately.
 */
function inSequence(built: readonly PlannedSearch[]): PlannedSearch[] {
  const searches = built.length === 1 ? built.map(singly) : built;
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
const singly = (search: PlannedSearch): PlannedSearch => ({
  ...search,
  steps: search.steps.map((step) => {
    const { what } = step;
    if (what.kind !== 'object' || what.subject.count.min !== 2 || search.steps.length > 1) return step;
    return { ...step, what: { ...what, subject: { ...what.subject, count: { min: 1, max: null } } } };
  }),
});
/** A day. */
const ANY_TIME_S = 86_400;

/** "How long is the car gone", "how long is the light on": the time of the state that a change begins. */
const lasting = (searches: readonly PlannedSearch[]): PlannedSearch[] =>
  searches.map((search) => ({ ...search, steps: search.steps.map(asState) }));

function asState(step: Step): Step {
  const { what } = step;
  // "The light is on": the state; "it gets dark" is a change.
  const isLamp = /\b(?:on|off|out)\b/i.test(step.text);
  const state = what.kind === 'signal' && isLamp ? LASTING[what.signal] : undefined;
  if (state) return { ...step, what: { kind: 'signal', signal: state } };
  if (what.kind !== 'object' || (what.action !== 'appears' && what.action !== 'disappears')) return step;
  const negated = step.negated !== (what.action === 'disappears');
  return { ...step, negated, what: { ...what, action: 'present', idle: false, from: null, to: null } };
}

const LASTING: Partial<Record<SignalName, SignalName>> = { gets_dark: 'dark', gets_bright: 'well_lit' };

/** Changes the searches of a prompt to those that its question needs. */
export const ADAPT_SEARCHES: Partial<Record<QuestionKind, (searches: readonly PlannedSearch[]) => PlannedSearch[]>> = {
  time_between: inSequence,
  how_long: lasting,
};

/** "Any cars?": a question mark alone is a yes/no question. */
export const isYesNo = (items: readonly Item[]) =>
  items.some((item) => item.text === '?') && !items.some((item) => sense(item, 'question')?.question === 'describe');

/** Question words inside a prompt ask nothing: "who" is then no noun, "where" is dropped. */
function withoutQuestion(item: Item, kind: QuestionKind | undefined): Item[] {
  if (isStop(item)) return [item];
  // "The vehicle turns duration left"
  const isSecond = (s: Sense) => s.type === 'question' && s.question !== kind && MEASURES.has(s.question);
  if (item.senses.length > 0 && item.senses.every(isSecond)) return [{ ...item, senses: [SECOND] }];
  const senses = item.senses.filter(
    (s) => (s.type !== 'question' || s.question === 'describe') && (s.type !== 'noun' || !sense(item, 'filler')),
  );
  return item.senses.length > 0 && senses.length === 0 ? [] : [{ ...item, senses }];
}

const MEASURES: ReadonlySet<QuestionKind> = new Set(['count', 'how_often', 'how_long', 'which_color']);
const SECOND: Sense = { type: 'beyond', reason: 'a question begins the prompt; write two prompts for two questions' };

const hasTwoClauses = (items: readonly Item[]) =>
  items.some((item) => item.text === ',') || mainClauseAt(items) !== null;
