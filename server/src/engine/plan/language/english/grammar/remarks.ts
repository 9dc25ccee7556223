import { isSilentLeaf, leavesOf } from '../../../meaning/leaves.ts';
import type { Leaf, Modifier, Statement } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import { Unlikely } from '../../../parse/rules.ts';
import { REASONS } from '../../../reasons.ts';
import type { Categories } from '../categories.ts';
import { MODIFIER } from '../costs.ts';
import { event, modified, predicate } from './build.ts';

/** Phrases that narrow a statement and that nothing checks: each of them is one remark. */
export function remarkRules(rule: AddRule<Categories>): void {
  rule(
    'VerbPhrase',
    ['VerbPhrase', 'To', 'VerbPhrase'],
    ['people waiting to leave', 'a car waiting to turn left'],
    (verb, _, purpose) => {
      const { head } = verb.predicate;
      const waits = (head.type === 'action' || head.type === 'state') && WAITING.test(head.word.text);
      if (!waits || purpose.form !== 'base') return null;
      const words = leavesOf(purpose.predicate, isSilentLeaf);
      if (words.length === 0) return null;
      const made = { ...verb, predicate: modified(verb.predicate, remark(REASONS.purpose, words)) };
      // "Waiting to turn left": the side is that of the turn.
      return words.length > 1 ? made : new Unlikely(made, 0.1);
    },
    MODIFIER,
  );
  rule(
    'VerbPhrase',
    ['Degree', 'VerbPhrase'],
    'a person partly in view',
    (degree, verb) => {
      const { head } = verb.predicate;
      return head.type === 'action' && head.word.sense.action === 'present' && !head.word.sense.relation
        ? { ...verb, predicate: modified(verb.predicate, remark(REASONS.partly, [degree, head.word])) }
        : null;
    },
    MODIFIER,
  );
  rule(
    'Clause',
    ['Throughout', 'Clause'],
    'always dark',
    (word, statement) =>
      statement.kind === 'event' && statement.predicate && statement.subject === null
        ? { ...statement, predicate: modified(statement.predicate, { type: 'throughout', word }) }
        : null,
    0.3,
  );
  rule('Modifier', ['Occurrences'], 'a cup stops 2 times', ({ words }) => remark(REASONS.frequency, words), 1);
  for (const whole of ['Span', 'Picture'] as const) {
    const example = whole === 'Span' ? 'time' : 'video';
    rule(
      'Modifier',
      ['MostOf', 'Determiner', whole],
      `where is the car most of the ${example}`,
      (word, _, noun) => remark(REASONS.notMeasured, [word, noun]),
      0.8,
    );
  }
  rule(
    'Utterance',
    ['Utterance', 'Within', 'Measure'],
    'a car stops within 10 seconds',
    (made, _, { words, dimension, bare }) => {
      const statement =
        dimension === 'time' && bare ? withRemark(made.statement, remark(REASONS.oneEvent, words)) : null;
      return statement && !made.calculation && !made.window ? { ...made, statement } : null;
    },
    1,
  );
  rule(
    'Clause',
    ['Amount', 'Signal'],
    'two cuts',
    (amount, word) =>
      event(null, modified(predicate({ type: 'signal', word }), remark(REASONS.onlyObjects, amount.words))),
    0.5,
  );
  rule(
    'Attribute',
    ['Signal'],
    'a blurry car',
    ({ span, text, id, sense }) =>
      OF_LOOKS.has(sense.signal) ? { type: 'vague', word: { span, text, id, sense: vague(REASONS.apart) } } : null,
    1,
  );
}

const WAITING = /^wait/i;
/** Signals of the picture that an object seems to have as well. */
const OF_LOOKS: ReadonlySet<string> = new Set(['blurred', 'shaking', 'frozen', 'overexposed']);

const vague = (reason: string) => ({ type: 'vague', reason }) as const;

const withRemark = (statement: Statement, modifier: Modifier): Statement | null =>
  statement.kind === 'event' && statement.predicate
    ? { ...statement, predicate: modified(statement.predicate, modifier) }
    : null;

/** One remark about all of these words. */
export function remark(reason: string, words: readonly Leaf[]): Modifier {
  const spans = words.map(({ span }) => span);
  const span = { from: Math.min(...spans.map(({ from }) => from)), to: Math.max(...spans.map(({ to }) => to)) };
  const text = words.map((word) => word.text).join(' ');
  return { type: 'vague', word: { span, text, id: words[0]!.id, sense: vague(reason) } };
}
