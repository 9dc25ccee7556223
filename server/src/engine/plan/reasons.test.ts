import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { createEnglish } from './english/index.ts';
import { createPlanner } from './index.ts';
import type { Sense } from './meaning/senses.ts';
import * as reasons from './reasons.ts';
import { isVisible, NO_PLACES, REASONS } from './reasons.ts';

const PLAN = import.meta.dirname;
const planner = createPlanner();
const entries = createEnglish().entries;

const parse = (path: string) =>
  ts.createSourceFile(path, readFileSync(join(PLAN, path), 'utf8'), ts.ScriptTarget.ESNext, true);

function visit(node: ts.Node, take: (node: ts.Node) => void): void {
  take(node);
  ts.forEachChild(node, (child) => visit(child, take));
}

function stringsIn(path: string): string[] {
  const found: string[] = [];
  visit(parse(path), (node) => {
    if (ts.isStringLiteralLike(node)) found.push(node.text);
  });
  return found;
}

const sources = readdirSync(PLAN, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !/\.(?:test|fixture|generated)\.ts$/.test(path) && path !== 'reasons.ts',
);

/** Reasons by their names in `reasons.ts`. */
const named = new Map<string, string>([
  ...Object.entries(reasons).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
  ...Object.entries(REASONS).map(([name, value]) => [`REASONS.${name}`, value] as const),
]);

/** Senses of the whole frame, of sounds and of telemetry: what is found by them is not shown to a model. */
const NOT_OF_OBJECTS: ReadonlySet<Sense['type']> = new Set(['signal', 'sound', 'camera_move', 'quantity']);

/** The reason that a word gives for a remark that does not block. */
const reasonOf = (sense: Sense): string | undefined =>
  sense.type === 'vague' ? sense.reason : 'caveat' in sense ? sense.caveat : undefined;

/** Reasons of the vocabulary for remarks on objects and what they do. */
const ofVocabulary = entries.flatMap(({ senses }) =>
  senses.flatMap((sense) => (NOT_OF_OBJECTS.has(sense.type) ? [] : (reasonOf(sense) ?? []))),
);

/**
 * Reasons that the grammar itself gives in remarks that do not block, and the arguments that are neither one of
 * `reasons.ts` nor that of a word.
 */
function reasonsOfGrammar() {
  const given = new Set<string>();
  const others: string[] = [];
  const partsOf = (argument: ts.Expression): ts.Expression[] => {
    if (ts.isParenthesizedExpression(argument)) return partsOf(argument.expression);
    if (ts.isConditionalExpression(argument)) return [argument.whenTrue, argument.whenFalse].flatMap(partsOf);
    return ts.isBinaryExpression(argument) ? [argument.left, argument.right].flatMap(partsOf) : [argument];
  };
  const take = (text: string) => {
    const reason = named.get(text);
    if (reason !== undefined) given.add(reason);
    else if (text !== 'undefined' && !/(?:^|\bsense!?\.)(?:caveat|reason)$/.test(text)) others.push(text);
  };
  for (const path of sources.filter((each) => /^(?:ground|meaning|parse|language)\//.test(each)))
    visit(parse(path), (node) => {
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
      if (/^(?:note|caveat)$/.test(node.expression.name.text))
        for (const part of partsOf(node.arguments[1]!)) take(part.getText());
    });
  return { given, others };
}

/** Reasons that frames do not settle: who it is, what was before, numbers, times, causes and rules. */
const NOT_IN_FRAMES = [
  REASONS.others,
  REASONS.shown,
  REASONS.same,
  REASONS.again,
  REASONS.uncounted,
  REASONS.onlyYesNo,
  REASONS.noUnit,
  REASONS.noSubject,
  REASONS.readAsCarrier,
  REASONS.behindCamera,
  REASONS.ownCar,
  REASONS.wholeFrame,
  REASONS.intoFrame,
  REASONS.halvingLine,
  REASONS.whoIs,
  REASONS.namesAnything,
  REASONS.whichObject,
  REASONS.whoseLight,
  REASONS.loudness,
  REASONS.signWords,
  REASONS.textOfKind,
  REASONS.nameAmongTexts,
  'looked for as appearing; who was there before is not known',
  'whether somebody drives off is not checked',
  'why a vehicle stands is not checked: any that stands is a candidate for this',
  'which way is right is not checked: what moves against most of the others is a candidate for this',
  'distances are not measured: a vehicle counts that is large ahead, or right behind another one',
  'distances are not measured; objects that almost touch at the same depth count',
  'which others are meant is not known, all of them count; the rest was looked for without it',
  'this word cannot be used to distinguish objects; the rest was looked for without it',
  'the direction is reported with each event; the rest was looked for without it',
];

describe('reasons for what is not checked', () => {
  it('are written once', () => {
    const all = new Set(named.values());
    const repeated = sources.flatMap((path) =>
      stringsIn(path).flatMap((text) => (all.has(text) ? [`${path}: ${text}`] : [])),
    );
    expect(repeated).toEqual([]);
    const own = stringsIn('reasons.ts');
    expect(own.filter((text, i) => own.indexOf(text) !== i)).toEqual([]);
  });

  it('are those of reasons.ts or of a word wherever the grammar gives them', () => {
    const { given, others } = reasonsOfGrammar();
    expect(others).toEqual([]);
    expect(given).toContain(NO_PLACES);
  });

  it('are either shown to a model or in no frame', () => {
    const given = new Set([...ofVocabulary, ...reasonsOfGrammar().given]);
    expect([...given].filter((reason) => !isVisible(reason)).toSorted()).toEqual(NOT_IN_FRAMES.toSorted());
  });
});

/** Prompts about a phrase in each of its senses; null for senses that other tests cover. */
function promptsOf(sense: Sense, phrase: string, inflection: string): string | null {
  switch (sense.type) {
    case 'noun':
      return inflection === 'noun' ? `a ${phrase} near a dog` : null;
    case 'color':
      return `a ${phrase} car`;
    case 'garment':
      return sense.colors ? `a person in a ${phrase}` : `a person in a red ${phrase}`;
    case 'vague':
      return `a ${phrase} dog`;
    case 'setting':
      return sense.noun && !sense.surface ? `a dog near a ${phrase}` : null;
    case 'action':
      if (inflection !== 'verb') return null;
      return sense.relation ? `people ${phrase} a dog` : `people ${phrase}`;
    default:
      return null;
  }
}

describe('words that frames may show', () => {
  const cases = entries.flatMap(({ phrases, senses, inflection }) =>
    senses.flatMap((sense) => {
      const reason = sense.type === 'setting' ? NO_PLACES : reasonOf(sense);
      // Of people, poses show these.
      if (sense.type === 'action' && sense.posed) return [];
      if (reason === undefined || !isVisible(reason)) return [];
      return phrases.split(', ').flatMap((phrase) => {
        const prompt = promptsOf(sense, phrase, inflection);
        return prompt ? [{ prompt, phrase, type: sense.type }] : [];
      });
    }),
  );

  it.each(['noun', 'color', 'garment', 'vague', 'setting', 'action'] as const)('have a visible remark: %s', (type) => {
    const lost: string[] = [];
    let read = 0;
    const own = cases.filter((each) => each.type === type);
    for (const { prompt, phrase } of own) {
      const [search] = planner.planEnglish(prompt).searches;
      const remarks = search?.steps.flatMap(({ unchecked }) => unchecked) ?? [];
      if (!search || remarks.some(({ blocks }) => blocks)) continue;
      read++;
      const isNamed = remarks.some(({ text, reason }) => isVisible(reason) && text.includes(phrase));
      if (!isNamed || !search.text.includes(phrase)) lost.push(prompt);
    }
    expect(lost).toEqual([]);
    // Some verbs need an object that these prompts do not have.
    expect(read).toBeGreaterThan(0.8 * own.length);
  });
});
