import { isSilentLeaf, leavesOf } from '../../../meaning/leaves.ts';
import type { Entity, EntityHead, Leaf, Nominal, Predicate, Query, Quotation, Word } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { Categories, VerbPhrase } from '../categories.ts';
import { entity, event, isBase, isFiniteForm, isObject, phraseOf, predicate, query } from './build.ts';

type TextHead = Extract<EntityHead, { type: 'text' }>;

/** Quoted words: those of texts in the frame, and spoken ones. */
export function quotationRules(rule: AddRule<Categories>): void {
  rule('Quoted', ['Quotation'], 'someone says stop', (quotation) => ({ words: [quotation], quotation }));
  rule('Quoted', ['WordNoun', 'Quotation'], 'someone says word stop', (noun, quotation) => quoted(quotation, noun));
  rule('Quoted', ['Determiner', 'WordNoun', 'Quotation'], 'someone says the word stop', (_, noun, quotation) =>
    quoted(quotation, noun),
  );

  rule('Quoted', ['Determiner', 'TextNoun', 'Quotation'], 'a banner with the text "no entry"', (_, noun, quotation) =>
    quotation.isExact ? quoted(quotation, noun) : null,
  );
  rule('Quoted', ['Quotation', 'Or', 'Quotation'], 'a sign that says STOP or GO', (a, _, b) => eitherOf(a, b));
  rule('Quoted', ['Quotation', 'Comma', 'Quotation'], 'a sign that says STOP, GO', (a, _, b) => eitherOf(a, b));

  textRules(rule);
  textQuestionRules(rule);
  speechRules(rule);
  speechQuestionRules(rule);
}

/** Text in the frame, which is there or not: "a sign that says STOP". */
function textRules(rule: AddRule<Categories>): void {
  rule('TextSource', ['Carrier'], 'the sign says stop', (word) => ({
    words: [word],
    carrier: word.text.toLowerCase(),
  }));
  rule('TextSource', ['TextNoun'], 'the text says stop', (word) => ({ words: [word], carrier: null }));
  rule('TextSource', ['TextSource', 'InVideo'], 'text on screen says stop', (source) => source);

  const says = (source: Categories['TextSource'], verb: Leaf, { words, quotation }: Categories['Quoted']) =>
    isPhrase(quotation) ? null : text({ ...source, words: [...source.words, verb, ...words] }, quotation);
  rule('Nominal', ['TextSource', 'Say', 'Quoted'], 'the sign says stop', (source, verb, words) =>
    says(source, verb, words),
  );
  rule('Nominal', ['TextSource', 'Who', 'Say', 'Quoted'], 'a sign that says stop', (source, _, verb, words) =>
    says(source, verb, words),
  );
  rule('Nominal', ['TextSource', 'Read', 'Quoted'], 'a sign reading stop', (source, verb, words) =>
    says(source, verb, words),
  );
  rule('Nominal', ['TextSource', 'Who', 'Read', 'Quoted'], 'a sign that reads stop', (source, _, verb, words) =>
    says(source, verb, words),
  );
  rule('Nominal', ['TextSource', 'ShowText', 'Quoted'], 'the display shows 42', (source, verb, words) =>
    isCertain(words) ? says(source, verb, words) : null,
  );
  rule('Nominal', ['TextSource', 'Who', 'ShowText', 'Quoted'], 'a display that shows 42', (source, _, verb, words) =>
    isCertain(words) ? says(source, verb, words) : null,
  );
  rule('Inscription', ['Quoted'], 'a sign with the word stop', (words) => (isCertain(words) ? words : null));
  for (const [place, example] of [
    ['Written', 'a sign with STOP written on it'],
    ['OnIt', 'a sign with STOP on it'],
  ] as const)
    rule('Inscription', ['Inscription', place], example, ({ words, quotation }, word) => ({
      words: [...words, word],
      quotation,
    }));
  rule('Nominal', ['TextSource', 'With', 'Inscription'], 'a sign with "no parking"', (source, word, words) =>
    says(source, word, words),
  );
  rule('Nominal', ['TextSource', 'Have', 'Inscription'], 'the sign has STOP on it', (source, word, words) =>
    says(source, word, words),
  );
  rule(
    'Nominal',
    ['TextSource', 'Who', 'Have', 'Inscription'],
    'a sign that has STOP on it',
    (source, _, word, words) => says(source, word, words),
  );
  const inscribed = (source: Categories['TextSource'], { words, quotation }: Categories['Inscription'], verb: Leaf) =>
    says(source, verb, { words, quotation });
  rule(
    'Nominal',
    ['TextSource', 'In', 'Which', 'Inscription', 'Be', 'Written'],
    'a sign on which STOP is written',
    (source, _on, _which, words, _be, verb) => inscribed(source, words, verb),
  );
  rule(
    'Nominal',
    ['TextSource', 'If', 'Inscription', 'Be', 'Written'],
    'a sign where STOP is written',
    (source, { text: where }, words, _be, verb) => (/^where$/i.test(where) ? inscribed(source, words, verb) : null),
  );
  rule(
    'Nominal',
    ['TextSource', 'In', 'Which', 'Expletive', 'Say', 'Quoted'],
    'a sign on which it says stop',
    (source, _on, _which, _it, verb, words) => (isFiniteForm(verb.form) ? says(source, verb, words) : null),
  );
  rule(
    'Nominal',
    ['TextSource', 'If', 'Expletive', 'Say', 'Quoted'],
    'a sign where it says stop',
    (source, { text: where }, _it, verb, words) =>
      /^where$/i.test(where) && isFiniteForm(verb.form) ? says(source, verb, words) : null,
  );
  const sourceOf = (word: Categories['Carrier']) => ({ words: [word], carrier: word.text.toLowerCase() });
  for (const [determiners, the] of [
    [[], 'signs'],
    [['Determiner'], 'a sign'],
  ] as const) {
    rule('Nominal', ['Inscription', 'In', ...determiners, 'Carrier'], `the word stop on ${the}`, (...parts) =>
      inscribed(
        sourceOf(parts.at(-1) as Categories['Carrier']),
        parts[0] as Categories['Inscription'],
        parts[1] as Leaf,
      ),
    );
    rule(
      'Clause',
      ['Inscription', 'Be', 'Written', 'In', ...determiners, 'Carrier'],
      `STOP is written on ${the}`,
      (...parts) => {
        const carrier = sourceOf(parts.at(-1) as Categories['Carrier']);
        const noun = inscribed(carrier, parts[0] as Categories['Inscription'], parts[2] as Leaf);
        return noun && event(noun, null);
      },
    );
    rule(
      'Inverted',
      ['Be', 'Inscription', 'In', ...determiners, 'Carrier'],
      `is STOP written on ${the}`,
      (...parts) => {
        const carrier = sourceOf(parts.at(-1) as Categories['Carrier']);
        const noun = inscribed(carrier, parts[1] as Categories['Inscription'], parts[2] as Leaf);
        return noun && event(noun, null);
      },
    );
  }

  rule('Nominal', ['WordNoun', 'Quotation'], 'when does the word exit appear', (noun, quotation) =>
    text({ words: [noun, quotation], carrier: null }, quotation),
  );
  rule('Nominal', ['TextNoun', 'Quotation'], 'the text "no parking"', (noun, quotation) =>
    quotation.isExact ? text({ words: [noun, quotation], carrier: null }, quotation) : null,
  );
  rule('Nominal', ['Plate', 'Quotation'], 'license plate ABC 123', (noun, quotation) =>
    quotation.isExact
      ? text({ words: [noun, quotation], carrier: noun.text.toLowerCase().replace(/ number$/, '') }, quotation)
      : null,
  );
  rule('Nominal', ['SignName', 'Sign'], 'no parking sign', (name, sign) =>
    named({ ...name, words: name.text, isExact: false, isQuoted: false, isUnsure: false }, sign),
  );
  rule('Nominal', ['Quotation', 'Sign'], 'a TAXI sign', (name, sign) => (name.isExact ? named(name, sign) : null), 0.1);
  rule('Nominal', ['AnyText'], 'no text on screen', (word) => text({ words: [word], carrier: null }, null));

  const isThere = ({ head, object, modifiers }: Predicate) =>
    head.type === 'action' && !object && modifiers.length === 0;
  rule('Clause', ['Quotation', 'VerbPhrase'], '"no parking" appears on screen', (quotation, { predicate: what }) =>
    quotation.isQuoted && isThere(what) ? event(bare(quotation), what) : null,
  );
  rule(
    'Inverted',
    ['Do', 'Quotation', 'VerbPhrase'],
    'does "no parking" appear',
    (_, quotation, { form, predicate: what }) =>
      quotation.isQuoted && isBase(form) && isThere(what) ? event(bare(quotation), what) : null,
  );
  rule(
    'Inverted',
    ['Be', 'Quotation', 'Predication'],
    'is "no parking" visible',
    (_, quotation, { predicate: what }) => (quotation.isQuoted && isThere(what) ? event(bare(quotation), what) : null),
  );
  rule('Inverted', ['Do', 'TextSource', 'Say', 'Quoted'], 'does sign say stop', (_, source, verb, words) => {
    const noun = isBase(verb.form) ? says(source, verb, words) : null;
    return noun && event(noun, null);
  });
  rule(
    'Inverted',
    ['Do', 'Determiner', 'TextSource', 'Say', 'Quoted'],
    'does the sign say stop',
    (_, _the, source, verb, words) => {
      const noun = isBase(verb.form) ? says(source, verb, words) : null;
      return noun && event(noun, null);
    },
  );
}

/** Questions for text: all of a kind, or on something. */
function textQuestionRules(rule: AddRule<Categories>): void {
  const written = (word: Leaf, source: Categories['TextSource'], more: Partial<TextHead> = {}): Query =>
    query(event(entity({ ...headOf(source, null), ...more }), null), { question: whichText(word) });
  rule('TextSource', ['WordNoun'], 'what do words say', (word) => ({ words: [word], carrier: null }), 0.2);
  rule('Question', ['What', 'Do', 'TextSource', 'Say'], 'what do signs say', (what, _, source, verb) =>
    isBase(verb.form) ? written(what, withVerb(source, verb)) : null,
  );
  rule(
    'Question',
    ['What', 'Do', 'Determiner', 'TextSource', 'Say'],
    'what does the sign say',
    (what, _, _the, source, verb) => (isBase(verb.form) ? written(what, withVerb(source, verb)) : null),
  );
  rule(
    'Question',
    ['What', 'Do', 'Determiner', 'TextSource', 'Read'],
    'what does the sign read',
    (what, _, _the, source, verb) => (isBase(verb.form) ? written(what, withVerb(source, verb)) : null),
  );
  const whatIsThere = (what: Leaf, words: readonly Leaf[], carrier: string | null = null) =>
    written(what, { words, carrier });
  rule('Question', ['What', 'Be', 'Written'], "what's written", (what, _, verb) => whatIsThere(what, [verb]));
  const on = (what: Leaf, words: readonly Leaf[], bearer: Categories['TextBearer']) =>
    whatIsThere(what, [...words, ...bearer.words], bearer.carrier);
  rule('TextBearer', ['Carrier'], 'what is written on signs', (word) => bearerOf([word]));
  rule('TextBearer', ['Determiner', 'Carrier'], 'what is written on the sign', (_, word) => bearerOf([word]));
  rule('TextBearer', ['Determiner', 'Attribute', 'Carrier'], 'what is written on the blue sign', (_, attribute, word) =>
    bearerOf([...leavesOf(attribute, isSilentLeaf), word]),
  );
  rule('TextBearer', ['TextBearer', 'Of', 'NounPhrase'], 'read the license plate of the van', (part, _, whole) =>
    isBearer(whole) ? bearerOf([...part.words, ...leavesOf(whole, isSilentLeaf)]) : null,
  );
  rule('TextSurface', ['TextBearer'], 'what is written on the sign', (bearer) => bearer);
  rule('TextSurface', ['NounPhrase'], 'what is written on the truck', (noun) =>
    isBearer(noun) ? bearerOf(leavesOf(noun, isSilentLeaf)) : null,
  );
  rule(
    'Question',
    ['What', 'Be', 'Written', 'In', 'TextSurface'],
    'what is written on the van',
    (what, _, verb, _on, it) => on(what, [verb], it),
  );
  rule(
    'Question',
    ['What', 'Do', 'Expletive', 'Say', 'In', 'TextSurface'],
    'what does it say on the box',
    (what, _, _it, verb, _on, it) => (isBase(verb.form) ? on(what, [verb], it) : null),
  );
  for (const [noun, example] of [
    ['AnyText', 'what writing is on the van'],
    ['WordNoun', 'which words are on the sign'],
    ['TextNoun', 'what number is on the bus'],
  ] as const)
    rule('Question', ['Which', noun, 'Be', 'In', 'TextSurface'], example, (what, word, _, _on, it) =>
      on(what, [word], it),
    );
  rule(
    'Question',
    ['What', 'Be', 'Determiner', 'AnyText', 'In', 'TextSurface'],
    'what is the text on the van',
    (what, _, _the, word, _on, it) => on(what, [word], it),
  );
  rule(
    'Question',
    ['ReadOut', 'Determiner', 'AnyText', 'In', 'TextSurface'],
    'read the text on the van',
    (verb, _, word, _on, it) => on(verb, [word], it),
  );
  rule(
    'Question',
    ['What', 'Be', 'Determiner', 'Plate', 'Of', 'NounPhrase'],
    'what is the plate number of the van',
    (what, _, _the, plate, _of, whole) =>
      isBearer(whole) ? on(what, [], bearerOf([plate, ...leavesOf(whole, isSilentLeaf)])) : null,
  );
  rule('Question', ['Plate', 'Of', 'NounPhrase'], 'plate number of the white van', (plate, _, whole) =>
    isBearer(whole) ? on(plate, [], bearerOf([plate, ...leavesOf(whole, isSilentLeaf)])) : null,
  );
  rule('Question', ['What', 'Be', 'Determiner', 'AnyText'], 'whats the text', (what, _, _the, word) =>
    whatIsThere(what, [word]),
  );
  rule('Question', ['Which', 'AnyText', 'Be', 'There'], 'what text is there', (what, word) =>
    whatIsThere(what, [word]),
  );
  rule(
    'Question',
    ['Which', 'AnyText', 'VerbPhrase'],
    'what text is visible',
    (what, word, { predicate: { head, modifiers } }) =>
      head.type === 'action' && head.word.sense.action === 'present' && modifiers.length === 0
        ? whatIsThere(what, [word, head.word])
        : null,
  );
  rule('Question', ['ReadOut', 'AnyText'], 'read text', (verb, word) => whatIsThere(verb, [word]));
  rule('Question', ['ReadOut', 'Determiner', 'AnyText'], 'read all text', (verb, _, word) => whatIsThere(verb, [word]));
  rule('Question', ['ReadOut', 'TextBearer'], 'read the license plate', (verb, it) => on(verb, [], it));

  const ofKind = (what: Leaf, kind: Leaf, ...words: readonly Leaf[]): Query => {
    const quotation = { ...kind, words: kind.text, isExact: false, isQuoted: false, isUnsure: false };
    return written(what, { words, carrier: null }, { quotation, remark: { about: 'kind', words: [quotation] } });
  };
  rule(
    'Question',
    ['What', 'Be', 'Determiner', 'TextKind', 'TextNoun'],
    'what is the copyright text',
    (what, _, _the, kind, noun) => ofKind(what, kind, noun),
  );
  rule(
    'Question',
    ['What', 'Do', 'Determiner', 'TextKind', 'TextNoun', 'Say'],
    'what does the error message say',
    (what, _, _the, kind, noun, verb) => ofKind(what, kind, noun, verb),
  );
  const nameOf = (what: Leaf, ...words: readonly Leaf[]): Query =>
    written(what, { words: [], carrier: null }, { remark: { about: 'name', words } });
  rule(
    'Question',
    ['What', 'Be', 'Determiner', 'NameWord', 'Of', 'Determiner', 'NamedPlace'],
    'what is the name of the shop',
    (what, _, _the, name, _of, _a, place) => nameOf(what, name, place),
  );
  rule(
    'Question',
    ['What', 'Be', 'Determiner', 'NameWord', 'Of', 'Determiner', 'Setting'],
    'what is the name of the street',
    (what, _, _the, name, _of, _a, place) => nameOf(what, name, place),
  );
  rule('Question', ['Which', 'NamedPlace', 'Be', 'RecordingOrIt'], 'what shop is this', (what, place, _, words) =>
    nameOf(what, place, ...words),
  );
  rule(
    'Question',
    ['What', 'Be', 'Determiner', 'NamedPlace', 'NameWord'],
    "what's the company name",
    (what, _be, _, place, name) => nameOf(what, place, name),
  );
  rule('Question', ['Which', 'WordNoun', 'Be', 'There'], 'what words are there', (what, word) =>
    whatIsThere(what, [word]),
  );
}

/** Spoken words, and what is talked about. */
function speechRules(rule: AddRule<Categories>): void {
  const phrase = (verb: Categories['Say'], words: Categories['Quoted'], loud: Leaf | null = null): VerbPhrase => ({
    form: verb.form,
    predicate: spoken([verb, ...words.words], toSpoken(words.quotation), { loud }),
  });
  rule('VerbPhrase', ['Say', 'Quoted'], 'someone says stop', (verb, words) => phrase(verb, words));
  rule('VerbPhrase', ['Call', 'Quoted'], 'someone yells fire', (verb, words) => phrase(verb, words, verb));
  rule('VerbPhrase', ['TalkAbout', 'Quotation'], 'someone talks about safety rules', (verb, quotation) => ({
    form: verb.form,
    predicate: spoken([verb, quotation], topic(quotation), { about: true }),
  }));
  const about = (noun: Leaf, quotation: Quotation) =>
    event(null, spoken([noun, quotation], topic(quotation), { about: true }));
  rule('Clause', ['Mention', 'Quotation'], 'mentions of the budget', (noun, quotation) => about(noun, quotation));
  rule('Clause', ['Determiner', 'Mention', 'Quotation'], 'every mention of safety', (_, noun, quotation) =>
    about(noun, quotation),
  );
  rule('Clause', ['Quotation', 'Mentioned'], 'the budget is mentioned', (quotation, verb) =>
    verb.form === 'present' ? event(null, spoken([quotation, verb], topic(quotation), { about: true })) : null,
  );
  rule('Inverted', ['Be', 'Quotation', 'Mentioned'], 'is the budget mentioned', (_, quotation, verb) =>
    verb.form === 'participle' ? event(null, spoken([quotation, verb], topic(quotation), { about: true })) : null,
  );
  const spokenOf = (noun: Entity, verb: Leaf) =>
    noun.head.type === 'text' && noun.head.quotation && noun.head.carrier === null && noun.modifiers.length === 0
      ? event(null, spoken([...noun.head.words, verb], noun.head.quotation, {}))
      : null;
  rule('Clause', ['NounPhrase', 'Be', 'Said'], 'the word help is spoken', (noun, _, verb) => spokenOf(noun, verb));
  rule('Inverted', ['Be', 'NounPhrase', 'Said'], 'is the word help spoken', (_, noun, verb) => spokenOf(noun, verb));
  rule('Clause', ['Quotation', 'Be', 'Said'], '"watch out" is said', (quotation, _, verb) =>
    quotation.isQuoted ? event(null, spoken([quotation, verb], quotation, {})) : null,
  );
  rule('Inverted', ['Be', 'Quotation', 'Said'], 'is "watch out" said', (_, quotation, verb) =>
    quotation.isQuoted ? event(null, spoken([quotation, verb], quotation, {})) : null,
  );
}

/** All that is spoken, and who speaks. */
function speechQuestionRules(rule: AddRule<Categories>): void {
  const all = (...words: readonly Leaf[]): Query => query(event(null, spoken(words, null, {})));
  const allBy = (subject: Nominal, verb: Leaf): Query | null =>
    isAnybody(subject) ? query(event(null, { ...spoken([verb], null, {}), agent: subject })) : null;
  rule('Question', ['What', 'Do', 'Subject', 'Say'], 'what do they say', (_, _do, subject, verb) =>
    isBase(verb.form) ? allBy(subject, verb) : null,
  );
  rule('Question', ['What', 'Be', 'Subject', 'Say'], 'what are they saying', (_, _be, subject, verb) =>
    verb.form === 'ing' ? allBy(subject, verb) : null,
  );
  rule('Question', ['What', 'Be', 'Subject', 'TalkAbout'], 'what are they talking about', (_, _be, subject, verb) =>
    verb.form === 'ing' ? allBy(subject, verb) : null,
  );
  rule('Question', ['What', 'Do', 'Subject', 'TalkAbout'], 'what do they talk about', (_, _do, subject, verb) =>
    isBase(verb.form) ? allBy(subject, verb) : null,
  );
  rule('Question', ['What', 'Be', 'SaidAbout', 'Quotation'], 'what is said about the invoice', (_, _be, verb, words) =>
    query(event(null, spoken([verb, words], topic(words), { about: true })), { isWhich: true }),
  );
  rule(
    'Question',
    ['What', 'Do', 'Subject', 'SayAbout', 'Quotation'],
    'what do they say about the invoice',
    (_, _do, subject, verb, words) =>
      isAnybody(subject) && isBase(verb.form)
        ? query(event(null, { ...spoken([verb, words], topic(words), { about: true }), agent: subject }), {
            isWhich: true,
          })
        : null,
  );
  rule('Question', ['What', 'Be', 'Said'], 'what is said', (_, _be, verb) => all(verb));
  rule('Question', ['Which', 'WordNoun', 'Be', 'Said'], 'what words are spoken', (_, noun, _be, verb) =>
    all(noun, verb),
  );
  rule('Question', ['Transcript'], 'full transcript', (word) => all(word));
  rule('Question', ['Determiner', 'Transcript'], 'a transcript', (_, word) => all(word));
  rule('Question', ['Transcript', 'Of', 'Recording'], 'transcript of the video', (word, _, words) =>
    all(word, ...words),
  );
  rule('Question', ['Transcribe'], 'transcribe everything', (word) => all(word));
  rule('Question', ['Transcribe', 'RecordingOrIt'], 'transcribe the video', (word, words) => all(word, ...words));
}

/** "The screen reads the card": no text without quotation marks. */
const isPhrase = ({ words, isExact }: Quotation) =>
  !isExact && /^(?:the|an?|his|her|its|their|my|our|your) /i.test(words);

/** Something that may have words on it. */
const isBearer = (noun: Entity) =>
  (isObject(noun) || noun.head.type === 'place' || noun.head.type === 'garment') &&
  !(noun.head.type === 'object' && noun.head.indefinite) &&
  !noun.negation &&
  !noun.amount &&
  !noun.pick &&
  !noun.doing;
function bearerOf(words: readonly Leaf[]): Categories['TextBearer'] {
  const inOrder = words.toSorted((a, b) => a.span.from - b.span.from);
  return { words: inOrder, carrier: phraseOf(inOrder).text.toLowerCase() };
}

/** In capitals or in quotation marks, or behind "the word". */
const isCertain = ({ words, quotation }: Categories['Quoted']) => quotation.isExact || words.length > 1;

const withVerb = ({ words, carrier }: Categories['TextSource'], verb: Leaf) => ({ words: [...words, verb], carrier });
const quoted = (quotation: Quotation, noun: Leaf): Categories['Quoted'] => ({ words: [noun, quotation], quotation });

/** One text at a time is looked for. */
function eitherOf(a: Quotation, b: Quotation): Categories['Quoted'] | null {
  if (!a.isExact || !b.isExact) return null;
  const quotation = { ...a, span: { from: a.span.from, to: b.span.to }, isUnsure: true };
  return { words: [quotation], quotation };
}

const headOf = ({ words, carrier }: Categories['TextSource'], quotation: Quotation | null): TextHead => ({
  type: 'text',
  words,
  quotation,
  carrier,
  remark: null,
});

const text = (source: Categories['TextSource'], quotation: Quotation | null): Entity =>
  entity(headOf(source, quotation), { plural: true });

/** A sign that is named by its words. */
const named = (quotation: Quotation, sign: Leaf): Entity =>
  entity({
    ...headOf({ words: [quotation, sign], carrier: 'sign' }, quotation),
    remark: { about: 'sign', words: [quotation, sign] },
  });

const bare = (quotation: Quotation): Entity => text({ words: [quotation], carrier: null }, quotation);

const whichText = ({ span, text, id }: Leaf): Word<'question'> => ({
  span,
  text,
  id,
  sense: { type: 'question', question: 'which_text' },
});

const spoken = (
  words: readonly Leaf[],
  quotation: Quotation | null,
  { about = false, loud = null }: { about?: boolean; loud?: Leaf | null },
): Predicate => predicate({ type: 'speech', words, quotation, about, loud });

/** "Says a prayer" names what is spoken, not its words. */
const toSpoken = (quotation: Quotation): Quotation =>
  !quotation.isExact && /^an? /i.test(quotation.words) ? { ...quotation, isUnsure: true } : quotation;

const DETERMINERS = /^(?:(?:the|a|an|any|some|this|that|these|those|my|our|your|their|his|her) )+/i;

/** The topic of a talk, without its article. */
const topic = (quotation: Quotation): Quotation => ({ ...quotation, words: quotation.words.replace(DETERMINERS, '') });

/** Anybody who speaks: speakers are not distinguished. */
export function isAnybody(subject: Nominal): boolean {
  if (subject.kind === 'group' || subject.amount || subject.negation || subject.doing || subject.pick) return false;
  if (subject.attributes.length + subject.modifiers.length > 0) return false;
  const { head, determiner } = subject;
  if (head.type === 'pronoun') return /^they$/i.test(head.word.text);
  if (head.type !== 'object' || head.word.sense.classes.join() !== 'person' || head.word.sense.negated) return false;
  return head.word.sense.caveat === undefined && determiner?.type !== 'definite' && determiner?.type !== 'other';
}
