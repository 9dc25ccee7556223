import { objectOperator } from '../../operators/index.ts';
import { isBlocked } from '../blocked-search.ts';
import type { DailyTimes } from '../calendar-schema.ts';
import { isSilentLeaf, leavesOf } from '../meaning/leaves.ts';
import { resolveOnes } from '../meaning/ones.ts';
import { type Chain, type MeaningStep, type SingleEvent, spread } from '../meaning/scope.ts';
import type {
  Calculation,
  ClockLeaf,
  Entity,
  FactStatement,
  Leaf,
  MeasuredAmount,
  MomentsOf,
  Query,
  Reference,
  Statement,
  Window,
  Word,
} from '../meaning/types.ts';
import type { TokenSpan } from '../parse/rules.ts';
import { REASONS } from '../reasons.ts';
import { LONGEST_S, type Plan, type PlannedSearch, type Step } from '../schema.ts';
import { singleSearch } from '../single-search.ts';
import { LOOK_PICKS } from '../terms.ts';
import { readAgain } from './again.ts';
import { groundEvent } from './events/index.ts';
import type { EventContext, GroundedEvent } from './events/types.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { isAllTogether } from './objects.ts';
import { checkPartition } from './partition.ts';
import { adaptSteps, groundQuestion, isCountable } from './questions.ts';
import { unitOf } from './signals.ts';

/** Words of the prompt by their tokens. */
export type PromptText = {
  readonly query: string;
  /** The words between two tokens. */
  textOf(span: TokenSpan): string;
  /** True if all tokens between two leaves are words that say nothing by themselves. */
  isSilent(span: TokenSpan): boolean;
};

/** A part of a plan: what a sentence asks for. */
export type GroundedQuery = Pick<Plan, 'question' | 'window' | 'searches' | 'calculation'> & { per: number | null };

/**
 * Grounds the meaning of a sentence in what can be observed. Null where a plan cannot state it, or where a word of the
 * meaning would be lost or used twice.
 */
export function groundQuery(requested: Query, text: PromptText): GroundedQuery | null {
  const query = resolveOnes(readAgain(requested));
  const { moments, during } = query;
  const grounded = groundPart(query, text);
  if (!grounded || (!moments && !during)) return grounded;
  if ([moments, during?.moments].some((each) => each?.seconds && each.seconds > LONGEST_S)) return null;
  if (grounded.searches.length === 0 || grounded.searches.some(({ steps }) => steps.some(isFact))) return null;
  const searches = moments ? grounded.searches.map((search) => withMoments(search, moments)) : grounded.searches;
  if (!during) return { ...grounded, searches };
  const reference = groundReference(query, during, text);
  if (!reference) return null;
  if (isBlocked(reference)) return { question: null, window: null, searches: [reference], per: null };
  const at = searches.length;
  return { ...grounded, searches: [...searches.map((search) => ({ ...search, during: at })), reference] };
}

const isUnknown = ({ what }: Step) => what.kind === 'unknown';
const isFact = ({ what }: Step) => what.kind === 'fact';

const withMoments = (search: PlannedSearch, { kind, seconds }: MomentsOf): PlannedSearch => ({
  ...search,
  moments: { kind, seconds },
});

/** The search for the events that limit another one. */
function groundReference(
  query: Query,
  { statement, pick, moments }: Reference,
  text: PromptText,
): PlannedSearch | null {
  const chains = spread(statement);
  if (chains?.length !== 1) return null;
  const own = { ...query, question: null, pick, calculation: null, statement };
  const readings = groundReadings(chains[0]!, own, 'when', text, true);
  const [only, ofCamera] = readings ?? [];
  // Where it is not stated what stops, it is not known when to search, except for the speed of the recording vehicle.
  const search = ofCamera ? (query.calculation?.quantity ? withoutDoubt(ofCamera) : null) : only;
  if (!search) return null;
  return moments ? withMoments(search, moments) : search;
}

/** A search without the doubt about its subject, where the rest of the prompt states it. */
const withoutDoubt = (search: PlannedSearch): PlannedSearch => ({
  ...search,
  steps: search.steps.map((step) => ({
    ...step,
    unchecked: step.unchecked.filter(({ reason }) => reason !== REASONS.noSubject),
  })),
});

function groundPart(query: Query, text: PromptText): GroundedQuery | null {
  const whole = query.calculation ? null : comparedWithAll(query);
  const calculation = query.calculation ?? whole;
  if (calculation) return groundCalculation(query, calculation, text);
  if (isOfMost(query.statement) || statesMost(query)) return null;
  if (query.statement.kind === 'fact') return groundFact(query, query.statement, text);
  const question = groundQuestion(query);
  const chains = spread(query.statement);
  if (question === undefined || chains === null) return null;
  const isOpen =
    query.statement.kind === 'anything' || chains.some((chain) => chain.some(({ event }) => event.kind === 'anything'));
  if (isOpen && question !== null) return null;
  const searches: PlannedSearch[] = [];
  for (const chain of chains) {
    const found = groundReadings(chain, query, question, text, isAboutOne(chains), chains.length === 1);
    if (!found) return null;
    searches.push(...found);
  }
  const isOfEach = leavesOf(query, () => false).some((leaf) => 'type' in leaf && leaf.type === 'each');
  if (question === 'how_long' && isOfEach && !searches.every(isBlocked)) return null;
  const per = query.per?.seconds ?? null;
  if (per !== null && !isCountable(searches)) return null;
  const isOfCamera = searches.every(({ steps }) => steps.every(({ what }) => what.kind === 'camera'));
  const { window } = query;
  if (
    window &&
    window.from > 0 &&
    window.to === null &&
    searches.some(({ steps }) => steps.some(({ join }) => join === 'then'))
  )
    return null;
  if (question === null && per === null && searches.some(isRanking))
    return {
      question: 'calculation',
      window: window && toPlanWindow(window),
      searches,
      calculation: { values: searches.map((_, at) => ({ searches: [at], measure: 'lengths' })), compare: null },
      per,
    };
  return {
    // "Where did we reverse": at which times.
    question: isOpen ? 'describe' : question === 'where' && isOfCamera ? 'when' : question,
    window: window && toPlanWindow(window),
    searches,
    per,
  };
}

/** "The three longest stops": how long each of them is. */
const isRanking = ({ pick, places }: PlannedSearch) =>
  places !== undefined && (pick === 'longest' || pick === 'shortest');

/** "Do all cars stop": as many as there are. Null for other questions. */
function comparedWithAll({ isYesNo, question, statement, pick }: Query): Calculation | null {
  if (!isYesNo || question || pick || statement.kind !== 'event' || statement.subject?.kind !== 'entity') return null;
  const { subject, predicate, negation } = statement;
  const isMost = isOfMany(subject);
  const whole = isMost ? 'mostly' : subject.determiner?.whole;
  const isStated = predicate !== null && predicate.negation === null && COUNTED.has(predicate.head.type);
  if (!whole || negation || subject.negation || subject.amount || !isStated) return null;
  if (subject.head.type !== 'object' || subject.doing) return null;
  const own = { ...statement, subject: { ...subject, determiner: null, pick: isMost ? null : subject.pick } };
  const all = { statement: { ...own, predicate: null }, window: null };
  return {
    words: [],
    measure: 'count',
    compare: whole,
    values: [{ statement: own, window: null }, all],
  };
}

/** "Most people", not "the most people". */
const isOfMany = ({ plural, pick }: Entity): boolean =>
  plural && pick?.sense.pick === 'most' && /^most$/i.test(pick.text);

/** True for a single event, or several of one pronoun: "does he come in or go out". */
function isAboutOne(chains: readonly Chain[]): boolean {
  if (chains.length === 1 && chains[0]!.length === 1) return true;
  const subjects = chains.flat().map(({ event }) => (event.kind === 'event' ? event.subject : null));
  const names = new Set(subjects.map((subject) => (subject?.head.type === 'pronoun' ? subject.head.word.text : null)));
  return names.size === 1 && !names.has(null);
}

/** "Most of the cars stop": not stated by the cars that do. */
const isOfMost = (statement: Statement): boolean =>
  leavesOf(statement, () => false).some((leaf) => 'whole' in leaf && leaf.whole === 'mostly');

/** "Most people walk to the left": a statement about them, which no event shows. */
const statesMost = ({ question, isYesNo, pick, statement }: Query): boolean =>
  !question &&
  !isYesNo &&
  statement.kind === 'event' &&
  statement.subject?.kind === 'entity' &&
  isOfMany({ ...statement.subject, pick: statement.subject.pick ?? pick }) &&
  statement.predicate !== null &&
  statement.predicate.head.type !== 'exists';

/** Predicates of objects, and not of the whole frame. */
const COUNTED: ReadonlySet<string> = new Set(['action', 'state', 'color', 'owns', 'exists']);

/** A fact about the recording, which is that of all of it. */
function groundFact({ question, window, per, pick }: Query, { fact, words }: FactStatement, text: PromptText) {
  if (question || window || per || pick) return null;
  const search = singleSearch(textOfLeaves(words, text), { kind: 'fact', fact });
  return { question: null, window: null, searches: [search], per: null };
}

/** The searches of each value, in their order. */
function groundCalculation(query: Query, calculation: Calculation, text: PromptText): GroundedQuery | null {
  if (query.per) return null;
  const searches: PlannedSearch[] = [];
  const values: Value[] = [];
  const references: { search: PlannedSearch; of: readonly number[] }[] = [];
  for (const { statement, window, during } of calculation.values) {
    const chains = spread(statement);
    if (!chains || (window && query.window)) return null;
    const isOnly = chains.length === 1 && calculation.values.every((value) => value.statement === statement);
    const found = chains.map((chain) => groundValue(chain, query, calculation, text, isOnly));
    if (!found.every((own) => own !== null)) return null;
    const own = found.flat();
    if (OF_STATES.has(calculation.measure) && !own.every(isState)) return null;
    if (objectOperator(calculation.measure) && !own.every(({ steps }) => isOfObjects(steps) || steps.some(isUnknown)))
      return null;
    const first = searches.length;
    if (during) {
      const reference = groundReference(query, during, text);
      if (!reference) return null;
      if (isBlocked(reference)) return { question: null, window: null, searches: [reference], per: null };
      references.push({ search: reference, of: own.map((_, at) => first + at) });
    }
    searches.push(...own.map((search) => (window ? { ...search, window: toPlanWindow(window) } : search)));
    values.push({
      searches: own.map((_, at) => first + at),
      measure: calculation.measure,
      ...(calculation.quantity ? { quantity: calculation.quantity.sense.quantity } : {}),
      ...channelOf(calculation),
      ...(calculation.offset === undefined ? {} : { offset: calculation.offset }),
    });
  }
  if (calculation.at) {
    const chains = spread(calculation.at);
    const when = chains?.length === 1 ? groundChain(chains[0]!, query, 'when', text) : null;
    if (!when) return null;
    for (const value of values) value.at = searches.length;
    searches.push(when);
  }
  for (const { search, of } of references) {
    for (const at of of) searches[at] = { ...searches[at]!, during: searches.length };
    searches.push(search);
  }
  return {
    question: 'calculation',
    window: query.window && toPlanWindow(query.window),
    searches,
    calculation: {
      values,
      compare: calculation.compare,
      ...(calculation.range ? { range: calculation.range } : {}),
      ...(calculation.by ? { by: calculation.by } : {}),
      ...(calculation.period === undefined ? {} : { period: calculation.period }),
      ...(calculation.rank ? { rank: calculation.rank } : {}),
    },
    per: null,
  };
}

type Value = NonNullable<Plan['calculation']>['values'][number];

/** The channel of a value: "highest motor temperature in degrees". */
function channelOf({ quantity, words }: Calculation): Pick<Value, 'channel'> {
  const name = quantity?.sense.channel;
  return name === undefined ? {} : { channel: { name, unit: unitOf(words) } };
}

/** The searches of what a value is calculated from. The quantity itself is measured all the time. */
function groundValue(
  chain: Chain,
  query: Query,
  calculation: Calculation,
  text: PromptText,
  isOnly: boolean,
): readonly PlannedSearch[] | null {
  const { measure, quantity } = calculation;
  const [first] = chain;
  const isMeasured =
    quantity !== undefined && first?.event.kind === 'event' && first.event.predicate?.head.type === 'quantity';
  if (isMeasured)
    return [
      singleSearch(text.textOf(quantity.span), {
        kind: 'quantity',
        quantity: quantity.sense.quantity,
        ...channelOf(calculation),
        range: { min: null, max: null },
      }),
    ];
  if (chain.some(({ event }) => event.kind === 'event' && isCertainOne(event.subject))) return null;
  return groundReadings(chain, query, LASTING.has(measure) ? 'how_long' : 'count', text, isOnly);
}

/** "The red one": a certain object, of which nothing says what it is. A value of all red objects is another one. */
const isCertainOne = (subject: Entity | null): boolean =>
  subject?.head.type === 'object' &&
  subject.head.word.sense.classes.length === 0 &&
  subject.attributes.length > 0 &&
  subject.determiner?.type !== 'indefinite' &&
  !subject.plural;

/** Measures of how long it is so: "how long is the car gone" is about the time after it left. */
const LASTING: ReadonlySet<Calculation['measure']> = new Set(['length', 'item_length', 'longest', 'shortest', 'share']);

/** Measures of how many are there at once: of what happens in a moment, only the rate is known. */
const OF_STATES: ReadonlySet<Calculation['measure']> = new Set(['most', 'mean_count', 'count_at']);
const isState = ({ steps }: PlannedSearch) =>
  steps.length === 1 &&
  steps.every(({ what }) => what.kind === 'object' && (what.action === 'present' || what.action === 'stands'));

const toPlanWindow = (window: Window): NonNullable<Plan['window']> => {
  const { from, to, unit, calendar, edge } = window;
  const daily = dailyOf(window);
  return {
    from,
    to,
    ...(unit ? { unit } : {}),
    ...(calendar ? { calendar } : {}),
    ...(daily ? { daily } : {}),
    ...(edge ? { edge } : {}),
  };
};

const DAY_S = 86_400;

/** The same words as times of day: "8:15" is in the ninth minute of a video, or in the ninth hour of a day. */
function dailyOf({ words, from, to, unit }: Window): DailyTimes | null {
  const clocks = words.filter((word): word is ClockLeaf => 'parts' in word);
  const [first] = clocks;
  if (!first || unit || words.some((word) => 'sense' in word) || clocks.some(({ parts }) => parts !== first.parts))
    return null;
  const factor = first.parts === 2 ? 60 : 1;
  const times = { from: from * factor, to: to === null ? DAY_S : to * factor };
  return times.from >= 0 && times.from < times.to && times.to <= DAY_S ? times : null;
}

/** The searches of a chain: "stopped for 30 s" is about an object in the frame, or about the camera. */
function groundReadings(
  chain: Chain,
  query: Query,
  question: Plan['question'],
  text: PromptText,
  isOnly: boolean,
  isAlone = isOnly,
): readonly PlannedSearch[] | null {
  const search = groundChain(chain, query, question, text, null, isOnly, isAlone);
  if (search) return [search];
  if (chain.length > 1 && !chain.some(isNamed)) return null;
  const object = groundChain(chain, query, question, text, 'object');
  const camera = object && groundChain(chain, query, question, text, 'camera');
  return object && (camera ? [object, camera] : [object]);
}

function groundChain(
  chain: Chain,
  query: Query,
  question: Plan['question'],
  text: PromptText,
  implied: EventContext['implied'] = null,
  isOnly = false,
  isAlone = false,
): PlannedSearch | null {
  const steps: Step[] = [];
  let antecedent = namedLater(chain);
  const mentioned: Entity[] = [];
  let hasLeft = false;
  const kinds = new Set<string>();
  let hasEntered = false;
  let pick = query.pick?.sense ?? null;
  /** Steps that the pick is of, where others follow. */
  let leading: number | null = null;
  for (const [i, named] of chain.entries()) {
    const step = byVehicle(named, chain[i - 1], steps.at(-1));
    const isReturn = i === 0 && isNamedReturn(step);
    const context = {
      antecedent,
      mentioned,
      isFirst: (i === 0 && !isReturn) || isNamed(step),
      isOnly: isOnly && isAboutOne([chain]),
      isAlone,
      hasKinds: kinds.size > 1,
      hasLeft,
      hasEntered,
      isSame: step.link?.same === true,
      isYesNo: question === 'yes_no',
      isStatement: question === null,
      isCount: question === 'count',
      implied: chain.length === 1 || isNamed(step) ? implied : null,
    };
    const grounded = groundStep(step, context, text);
    const made = isReturn && grounded ? afterLeaving(grounded) : grounded;
    if (!made) return null;
    const before = steps.at(-1);
    if (step.link?.same && (before?.what.kind === 'sound' || before?.what.kind === 'speech')) return null;
    if (step.event.kind === 'event') {
      const { subject } = step.event;
      if (subject && subject.head.type !== 'pronoun') antecedent = subject;
      if (subject?.head.type === 'object') kinds.add(subject.head.word.sense.classes.join());
      const own = (subject ?? step.event).pick?.sense ?? null;
      if (own && (pick || i > 0)) return null;
      const named = own ?? (i === 0 && precedes(chain) ? allOf(step.event) : null);
      if (named && !pick && precedes(chain)) leading = made.length;
      pick ??= named;
      mentioned.push(...othersOf(step.event));
    }
    const [first, ...rest] = made;
    // "Someone leaves a bag and walks away": the bag was found, and a person is looked for.
    const isOther = first!.same && steps.length > 0 && !isOfSameKind(first!, steps.at(-1)!);
    steps.push(isOther ? { ...first!, same: false } : first!, ...rest);
    hasLeft = isLeaving(made[0]!);
    hasEntered ||= made[0]!.what.kind === 'object' && made[0]!.what.action === 'enters';
  }
  const adapted = adaptSteps(question, limitOthers(steps));
  if (!adapted) return null;
  if (pick && LOOKS.has(pick.pick) && !isOfObjects(adapted)) return null;
  // Places are counted among all objects in view: "the second car from the left stops" would count those that stop.
  if (pick && ACROSS.has(pick.pick) && !isPresence(adapted)) return null;
  return {
    text: textOfSteps(adapted, text),
    steps: adapted,
    pick: pick?.pick ?? null,
    ...(leading === null ? {} : { leading }),
    ...(pick?.places ? { places: pick.places } : {}),
  };
}

const precedes = ([, next]: Chain): boolean => next?.link?.join === 'then';

/** "After everyone has left": after the last one has. */
function allOf({ subject, predicate }: SingleEvent): Word<'pick'>['sense'] | null {
  const isDone = predicate?.head.type === 'action' && predicate.head.word.sense.action !== 'present';
  return isDone && subject && isAllTogether(subject) ? { type: 'pick', pick: 'last' } : null;
}

/** "Somebody enters while nobody else is there": no more objects than those of the step before. */
function limitOthers(steps: readonly Step[]): Step[] {
  return steps.map((step, i) => {
    const before = steps[i - 1];
    const { what, unchecked } = step;
    const others = unchecked.find(({ reason }) => reason.startsWith(REASONS.others));
    const isOfOthers = others && step.join === 'while' && step.negated && before && !before.negated;
    if (!isOfOthers || what.kind !== 'object' || before.what.kind !== 'object' || !isOfSameKind(step, before))
      return step;
    const { count } = before.what.subject;
    if (count.max !== null || what.subject.count.min !== 1) return step;
    const subject = { ...what.subject, count: { min: count.min + 1, max: null } };
    return { ...step, what: { ...what, subject }, unchecked: unchecked.filter((each) => each !== others) };
  });
}

const isOfSameKind = ({ what: a }: Step, { what: b }: Step): boolean =>
  a.kind !== 'object' || b.kind !== 'object' || a.subject.classes.join() === b.subject.classes.join();

/** The objects that an event names beside its subject. */
function othersOf({ subject, predicate }: SingleEvent): Entity[] {
  const modifiers = [...(subject?.modifiers ?? []), ...(predicate?.modifiers ?? [])];
  const nominals = [
    subject?.doing?.object,
    predicate?.object,
    ...modifiers.flatMap((each) => ('other' in each ? [each.other] : [])),
  ];
  return nominals.flatMap((each) => (each ? (each.kind === 'group' ? each.members : [each]) : []));
}

/** "Gets into a car and drives off": the car does. */
function byVehicle(step: MeaningStep, before: MeaningStep | undefined, made: Step | undefined): MeaningStep {
  const vehicle = before?.event.kind === 'event' ? before.event.predicate?.object : null;
  const isEntered = made?.what.kind === 'object' && made.what.action === 'disappears' && made.what.relation !== null;
  if (!step.link?.same || !isEntered || vehicle?.kind !== 'entity' || step.event.kind !== 'event') return step;
  return { event: { ...step.event, subject: vehicle }, link: { ...step.link, same: false } };
}

/** "The man comes back after he left": what the pronoun of the first step stands for is named in the second. */
function namedLater([first, second]: Chain): Entity | null {
  const subjectOf = (step: MeaningStep | undefined) => (step?.event.kind === 'event' ? step.event.subject : null);
  const named = subjectOf(second);
  const isNamed = named?.head.type === 'object' && named.determiner?.type === 'definite';
  return subjectOf(first)?.head.type === 'pronoun' && isNamed ? named : null;
}

const isNamed = ({ event }: MeaningStep) => event.kind === 'event' && event.isNamed === true;

/** "The white car comes back": who does is named, so that what came before is known. */
const isNamedReturn = ({ event }: MeaningStep) =>
  event.kind === 'event' &&
  event.predicate?.head.type === 'returns' &&
  event.predicate.negation === null &&
  event.subject !== null &&
  event.subject.head.type === 'object';

/** An object that returns was there before: it disappears, then appears, however much later. */
function afterLeaving([first, ...others]: readonly Step[]): Step[] | null {
  const { what } = first!;
  if (what.kind !== 'object') return null;
  return [
    { ...first!, what: { ...what, action: 'disappears' }, unchecked: [] },
    { ...first!, join: 'then', apart: 0 },
    ...others,
  ];
}

function groundStep(
  { event, link }: MeaningStep,
  context: Omit<EventContext, 'ledger' | 'textOf'>,
  text: PromptText,
): Step[] | null {
  const limits = linkOf(link);
  if (limits === null || event.kind === 'fact') return null;
  const leaves = leavesOf(event, isSilentLeaf);
  const quote = (parts: readonly Leaf[]) => textOfLeaves(parts, text);
  const isShared = link?.same === true && event.kind === 'event' && event.predicate !== null;
  const quoted = quote(
    isShared && event.kind === 'event' ? leavesOf(event.predicate, isSilentLeaf) : namedLeaves(event),
  );
  const ledger = createLedger(text.textOf, quoted);
  const grounded: GroundedEvent | null =
    event.kind === 'anything'
      ? { main: { what: { kind: 'notable' }, negated: false, duration: null }, meanwhile: [] }
      : groundEvent(event, { ...context, ledger, textOf: quote });
  if (event.kind === 'anything') groundAnything(event.words, ledger);
  if (!grounded || checkPartition(leaves, ledger)) return null;
  // Nobody knows who makes a sound: "people enter and talk".
  if (limits.same && grounded.main.what.kind === 'sound') return null;
  const { main, meanwhile } = grounded;
  const first: Step = {
    text: quoted.slice(0, MAX_TEXT),
    what: main.what,
    negated: main.negated,
    duration: main.duration,
    ...(main.throughout ? { throughout: true } : {}),
    ...limits,
    unchecked: ledger.remarks(isShared && event.kind === 'event' ? leavesOf(event.subject, isSilentLeaf) : []),
  };
  return [
    first,
    ...meanwhile.map(
      ({ same, ...step }): Step => ({ text: first.text, ...step, join: 'while', within: null, same, unchecked: [] }),
    ),
  ];
}

/** All that happens; words that limit it, and are not checked, have a reason. */
function groundAnything(words: readonly Leaf[], ledger: Ledger): void {
  for (const word of words)
    if (isUnchecked(word)) ledger.note([word], word.sense.reason);
    else ledger.use(word);
}

const isUnchecked = (leaf: Leaf): leaf is Word<'vague'> =>
  'sense' in leaf && (leaf as Word<'vague'>).sense.type === 'vague';

/** The leaves that a step is called by: "dark", and not "it dark". */
function namedLeaves(event: MeaningStep['event']): Leaf[] {
  const agent = event.kind === 'event' ? event.predicate?.agent : null;
  const isIt = agent?.kind === 'entity' && agent.head.type === 'pronoun';
  return leavesOf(event, (leaf) => isSilentLeaf(leaf) || (isIt && leaf === agent.head.word));
}

const isLeaving = ({ what, negated }: Step) =>
  what.kind === 'object' &&
  (what.action === 'leaves' || what.action === 'disappears' || (what.action === 'present' && negated));

const MAX_TEXT = 2000;

type Limits = Pick<Step, 'join' | 'within' | 'same' | 'apart' | 'every'>;

function linkOf(link: MeaningStep['link']): Limits | null {
  if (link === null) return { join: null, within: null, same: false };
  const seconds = (amount: MeasuredAmount | null) => amount?.min ?? null;
  const apart = seconds(link.apart);
  return {
    join: link.join,
    within: seconds(link.within),
    same: link.same,
    ...(apart === null ? {} : { apart }),
    ...(link.every ? { every: link.every } : {}),
  };
}

/** The words of leaves; what stands between them is left out unless it says nothing by itself. */
function textOfLeaves(leaves: readonly Leaf[], { textOf, isSilent }: PromptText): string {
  const spans = leaves.map(({ span }) => span).toSorted((a, b) => a.from - b.from || a.to - b.to);
  const runs: TokenSpan[] = [];
  for (const span of spans) {
    const last = runs.at(-1);
    if (last && (span.from <= last.to || isSilent({ from: last.to, to: span.from })))
      runs[runs.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    else runs.push(span);
  }
  return runs.map(textOf).join(' ');
}

const LOOKS: ReadonlySet<PlannedSearch['pick']> = new Set(LOOK_PICKS);
const ACROSS: ReadonlySet<PlannedSearch['pick']> = new Set(['leftmost', 'rightmost']);
const isPresence = (steps: readonly Step[]) =>
  steps.length === 1 &&
  steps.every(({ what, negated }) => what.kind === 'object' && what.action === 'present' && !negated);
/** Objects that can be compared by how they look. */
const isOfObjects = ([only, ...others]: readonly Step[]): boolean =>
  others.length === 0 && only?.what.kind === 'object' && !only.negated && only.what.subject.count.min <= 1;

/** The words of a search: those from its first step to its last, where all of them are words of the prompt. */
function textOfSteps(steps: readonly Step[], { query }: PromptText): string {
  const texts = [...new Set(steps.map((step) => step.text))];
  const starts = texts.map((text) => query.indexOf(text));
  if (texts.length === 1 || starts.includes(-1)) return texts.join(', ').slice(0, MAX_TEXT);
  const ends = texts.map((text, i) => starts[i]! + text.length);
  return query.slice(Math.min(...starts), Math.max(...ends)).slice(0, MAX_TEXT);
}
