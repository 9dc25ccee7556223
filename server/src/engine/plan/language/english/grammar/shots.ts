import type { Leaf, Query, Statement, Valued, Word } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { Categories } from '../categories.ts';
import { calculated, frameEvent, isCounted, joined, leafOf, query } from './build.ts';
import { present } from './clauses.ts';
import { isThere } from './rankings.ts';
import { recalculated, valueFor, withWords } from './values.ts';

/** Shots, which lie between cuts: how long they are, and in which of them something is seen. */
export function shotRules(rule: AddRule<Categories>): void {
  rule('Clause', ['ShotNoun'], 'shots longer than 5 s', (word) => shotOf(word), BARE);
  rule('Question', ['Ranking', 'ShotNoun'], 'three longest shots', (pick, word) => query(shotOf(word), { pick }));
  rule('Question', ['Determiner', 'Ranking', 'ShotNoun'], 'the three longest shots', (_, pick, word) =>
    query(shotOf(word), { pick }),
  );
  rule('Question', ['Pick', 'ShotNoun'], 'longest shot', (pick, word) => oneShot(pick, word));
  rule('Question', ['Determiner', 'Pick', 'ShotNoun'], 'the longest shot', (_, pick, word) => oneShot(pick, word));
  rule(
    'Question',
    ['What', 'Be', 'Determiner', 'Pick', 'ShotNoun'],
    'what is the longest shot',
    (_, _be, _the, pick, word) => oneShot(pick, word),
  );
  for (const [determiners, the] of [
    [[], ''],
    [['Determiner'], 'the '],
  ] as const) {
    rule('Question', ['Which', 'ShotNoun', 'Be', ...determiners, 'Pick'], `which shot is ${the}longest`, (...parts) =>
      oneShot(parts.at(-1) as Categories['Pick'], parts[1]),
    );
    rule(
      'Question',
      ['Which', 'ShotNoun', 'Last', ...determiners, 'Pick'],
      `which shot lasts ${the}longest`,
      (...parts) => oneShot(parts.at(-1) as Categories['Pick'], parts[1], parts[2]),
    );
    rule(
      'Question',
      ['Which', 'ShotNoun', 'Be', ...determiners, 'Ranking'],
      `which shot is ${the}second longest`,
      (...parts) => query(shotOf(parts[1]), { pick: parts.at(-1) as Categories['Ranking'] }),
    );
  }

  rule('Inverted', ['Be', 'RecordingOrIt', 'Uncut'], 'is the video one continuous shot', (be, words, uncut) => {
    const word = { ...joined(words[0]!, [uncut]), sense: { type: 'signal', signal: 'scene_change' } as const };
    return frameEvent({ type: 'signal', word }, leafOf(be));
  });
  for (const order of ['Pick', 'Ordinal'] as const)
    for (const other of ['Pick', 'Ordinal'] as const)
      for (const noun of [[], ['ShotNoun']] as const) {
        const [a, b] = [order === 'Pick' ? 'first' : 'second', other === 'Pick' ? 'last' : 'third'];
        rule(
          'Question',
          ['Be', 'Determiner', order, 'ShotNoun', 'Longer', 'Than', 'Determiner', other, ...noun],
          `is the ${a} shot longer than the ${b}${noun.length > 0 ? ' shot' : ''}`,
          (...parts) => {
            const [, , first, word, { compare, ...longer }] = parts;
            const second = parts[7] as Categories['Pick'];
            const values = [first, second].map((pick) => lengthIn(word, pick));
            const last = parts.at(-1) as Leaf;
            return calculated({ words: [longer, last], measure: 'length', compare, values }, { isYesNo: true });
          },
        );
      }

  const lengthsOf = (word: Categories['ShotNoun'], pick: Word<'pick'> | null, ...words: readonly Leaf[]) => {
    const made = valueFor('lengths', shotOf(word), words);
    return made && { ...made, pick };
  };
  for (const order of ['Pick', 'Ordinal'] as const)
    rule(
      'Question',
      ['Questioned', 'Be', 'Determiner', order, 'ShotNoun'],
      order === 'Pick' ? 'how long is the first shot' : 'how long is the second shot',
      (question, _, _the, pick, word) =>
        question.sense.question === 'how_long' ? lengthsOf(word, pick, question) : null,
    );
  rule(
    'Question',
    ['Questioned', 'Be', 'Determiner', 'ShotNoun'],
    'how long is each shot',
    (question, _, { type }, word) =>
      question.sense.question === 'how_long' && (type === 'each' || word.number === 'many')
        ? lengthsOf(word, null, question)
        : null,
  );
  rule('Question', ['ShotNoun', 'LengthNoun'], 'shot lengths', (word, length) => lengthsOf(word, null, length));
  rule(
    'Question',
    ['LengthNoun', 'Of', 'Determiner', 'ShotNoun'],
    'length of each shot',
    (length, _, { type }, word) => (type === 'each' || word.number === 'many' ? lengthsOf(word, null, length) : null),
  );
  rule('Question', ['Command', 'ShotNoun'], 'list all shots', (_, word) =>
    word.number === 'many' ? lengthsOf(word, null) : null,
  );
  rule('Question', ['Command', 'Determiner', 'ShotNoun'], 'list the shots', (_, _the, word) =>
    word.number === 'many' ? lengthsOf(word, null) : null,
  );
  const average = (statistic: Categories['Statistic'], word: Categories['ShotNoun'], ...words: readonly Leaf[]) => {
    const measure = { mean: 'item_length', highest: 'longest', lowest: 'shortest' } as const;
    const known = statistic.statistic;
    const own = known === 'mean' || known === 'highest' || known === 'lowest' ? measure[known] : null;
    return own && valueFor(own, shotOf(word), [statistic, ...words]);
  };
  rule('Sought', ['Statistic', 'ShotNoun', 'LengthNoun'], 'average shot length', (statistic, word, length) =>
    average(statistic, word, length),
  );
  rule('Sought', ['Statistic', 'ShotNoun', 'Questioned'], 'average shot duration', (statistic, word, length) =>
    length.sense.question === 'how_long' ? average(statistic, word, length) : null,
  );
  rule(
    'Sought',
    ['Statistic', 'LengthNoun', 'Of', 'Determiner', 'ShotNoun'],
    'average length of a shot',
    (statistic, length, _, _a, word) => average(statistic, word, length),
  );
  rule(
    'Question',
    ['Questioned', 'Be', 'Determiner', 'Statistic', 'ShotNoun'],
    'how long is the average shot',
    (question, _, _the, statistic, word) =>
      question.sense.question === 'how_long' ? average(statistic, word, question) : null,
  );

  const inEach = (statement: Statement | null, word: Leaf, determiner: Leaf): Query | null => {
    const made = statement && valueFor('count', statement, [determiner, word]);
    return made?.calculation
      ? { ...made, isYesNo: true, calculation: { ...made.calculation, by: 'shot', compare: 'every' } }
      : null;
  };
  for (const [category, example] of [
    ['Inverted', 'is there a person in every shot'],
    ['Clause', 'people in every shot?'],
  ] as const)
    rule(
      'Question',
      [category, 'In', 'Determiner', 'ShotNoun'],
      example,
      (statement, _, determiner, word) => (determiner.type === 'each' ? inEach(statement, word, determiner) : null),
      WHOLE_PHRASE,
    );

  const occurs = (statement: Statement | null, ...words: readonly Leaf[]): Query | null => {
    const made = statement && valueFor('count', statement, words);
    return made?.calculation ? { ...made, calculation: { ...made.calculation, by: 'shot', compare: 'occurs' } } : null;
  };
  rule(
    'Question',
    ['In', 'Questioned', 'ShotNoun', 'Inverted'],
    'in how many shots is a person visible',
    (_, question, word, it) => (question.sense.question === 'count' ? occurs(it, question, word) : null),
  );
  rule(
    'Question',
    ['In', 'Which', 'ShotNoun', 'Inverted'],
    'in which shots is a person visible',
    (_, _which, word, it) => occurs(it, word),
  );
  for (const verb of ['Have', 'Shows'] as const) {
    const has = verb === 'Have' ? 'have' : 'show';
    rule(
      'Question',
      ['Questioned', 'ShotNoun', verb, 'Subject'],
      `how many shots ${has} a dog`,
      (question, word, _, subject) =>
        question.sense.question === 'count' ? occurs(present(subject), question, word) : null,
    );
    rule('Question', ['Which', 'ShotNoun', verb, 'Subject'], `which shots ${has} a dog`, (_, word, _verb, subject) =>
      occurs(present(subject), word),
    );
  }
  rule('Question', ['ShotNoun', 'With', 'Clause'], 'shots with a dog', (word, _, statement) =>
    /^shots/i.test(word.text) && isThere(statement) ? occurs(statement, word) : null,
  );

  const perShot = (made: Query, word: Leaf, ...words: readonly Leaf[]): Query | null => {
    const counted = made.question?.sense.question === 'count' ? recalculated(made, 'count', word) : null;
    return counted?.calculation ? withWords({ ...counted }, { ...counted.calculation, by: 'shot' }, ...words) : null;
  };
  rule('Question', ['Question', 'Per', 'ShotNoun'], 'how many people per shot', (made, per, word) =>
    per.sense.seconds === null ? perShot(made, word, per) : null,
  );
  rule(
    'Question',
    ['Question', 'In', 'Determiner', 'ShotNoun'],
    'how many people are there in each shot',
    (made, _, determiner, word) => (determiner.type === 'each' ? perShot(made, word, determiner) : null),
  );
  rule(
    'Question',
    ['Questioned', 'Subject', 'In', 'Determiner', 'ShotNoun'],
    'how many people in each shot',
    (question, subject, _, determiner, word) => {
      const statement = isCounted(subject) || determiner.type !== 'each' ? null : present(subject);
      return statement && perShot(query(statement, { question }), word, determiner);
    },
  );
}

/** The length of one of the shots. */
const lengthIn = (word: Categories['ShotNoun'], pick: Categories['Pick']): Valued => ({
  statement: shotOf(word),
  window: null,
  during: { statement: shotOf(word), pick, moments: null },
});

/** A shot by itself, as a statement. */
const BARE = 0.6;
/** "In every shot", as a whole. */
const WHOLE_PHRASE = -0.2;

export const shotOf = (word: Categories['ShotNoun']): Statement => frameEvent({ type: 'signal', word });

/** The longest shot is stated with its length; of the first one, it is when. */
function oneShot(pick: Categories['Pick'], word: Categories['ShotNoun'], ...words: readonly Leaf[]): Query | null {
  const { pick: choice } = pick.sense;
  if (choice === 'most' || word.number === 'many') return null;
  const made = valueFor('lengths', shotOf(word), words);
  return made && { ...made, pick };
}
