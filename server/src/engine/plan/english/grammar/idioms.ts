import type { Entry } from '../../tokens/senses.ts';
import { PHRASAL_VERBS } from './phrasal-verbs.ts';

const IDIOM = 'this phrasal verb is not recognized';

/** Verbs of motion and position keep their meaning before a preposition of place: "walks across the room". */
const LITERAL_VERBS = new Set(
  `move go come walk run drive ride fly roll slide climb jog crawl step swim sail travel head march race sprint
  stand sit stay wait stop park remain rest be appear enter cross pan tilt zoom look gather
  loiter`.split(/\s+/),
);
const LITERAL_PARTICLES = new Set(
  `in on at by to into onto up down under through across around along away past near between behind towards back
  forward backward outside inside ahead out`.split(/\s+/),
);
/** Exceptions: these pairs have a meaning that their words do not have. */
const NOT_LITERAL = new Set([
  'run down',
  'run by',
  'run to',
  'run up',
  'go under',
  'go on',
  'go by',
  'go at',
  'come to',
  'come by',
  'come at',
  'come on',
  'move on',
  'stand out',
  'stand up',
  'sit in',
  'sit by',
  'sit out',
  'stand down',
  'step down',
  'step in',
  'step on',
  'step up',
  'go down on',
  'climb down',
  'look at',
  'look into',
  'look on',
  'look around',
  'look back',
  'look down on',
  'look out',
  'look to',
  'look up',
  'look up to',
  'head up',
]);
/** Pairs of other verbs that keep their meaning. */
const LITERAL = new Set([
  'pass on',
  'pass through',
  'pass in',
  'pass to',
  'get into',
  'get onto',
  'turn to',
  'turn away',
  'go over',
  'stand for',
  'stay for',
  'wait for',
  'arrive at',
  'come close',
  'roll off',
]);
const isLiteral = (phrase: string): boolean => {
  const [verb, particle, ...more] = phrase.split(' ');
  return (
    LITERAL.has(phrase) ||
    (more.length === 0 && LITERAL_VERBS.has(verb!) && LITERAL_PARTICLES.has(particle!) && !NOT_LITERAL.has(phrase))
  );
};

/** Phrasal verbs outside the vocabulary: a known verb with such a particle has another meaning ("passes out"). */
export const idioms: readonly Entry[] = [
  {
    phrases: PHRASAL_VERBS.replaceAll('\n', ' ')
      .split(',')
      .map((phrase) => phrase.trim())
      .filter((phrase) => !isLiteral(phrase))
      .join(', '),
    inflection: 'verb',
    senses: [{ type: 'beyond', reason: IDIOM, verb: true }],
    group: 'beyond',
    idiom: true,
  },
];
