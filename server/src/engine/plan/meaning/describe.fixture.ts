import type {
  Calculation,
  Entity,
  EntityAttribute,
  Leaf,
  MeasuredAmount,
  Modifier,
  Nominal,
  Predicate,
  Query,
  SidePlace,
  Statement,
  Window,
} from './types.ts';

/**
 * Writes a meaning in one line, by the codes of what observers know and without its place in the prompt: two prompts
 * that mean the same have the same description.
 */
export function describeMeaning({ question, isYesNo, statement, window, per, pick, calculation }: Query): string {
  const parts = [
    question ? `${question.sense.question}?` : isYesNo ? '?' : '',
    pick ? `${pick.sense.pick}:` : '',
    calculation ? ofCalculation(calculation) : ofStatement(statement),
    window ? ofWindow(window) : '',
    per ? `per ${per.seconds}` : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}

const ofWindow = ({ from, to, unit }: Window) => `in ${from}..${to ?? ''}${unit ?? ''}`;

function ofCalculation({ measure, quantity, offset, compare, range, at, values }: Calculation): string {
  const parts = values.map(
    ({ statement, window }) => `${ofStatement(statement)}${window ? ` ${ofWindow(window)}` : ''}`,
  );
  const of = [measure, quantity ? ofLeaf(quantity) : '', offset ?? ''].filter((part) => part !== '').join(' ');
  const limits = range ? ` ${range.min ?? ''}..${range.max ?? ''}` : '';
  return `${compare ?? ''}${limits}<${of}>(${parts.join(', ')})${at ? `@(${ofStatement(at)})` : ''}`;
}

function ofStatement(statement: Statement): string {
  switch (statement.kind) {
    case 'anything':
      return '*';
    case 'fact':
      return `<${statement.fact}>`;
    case 'event': {
      const parts = [
        statement.negation ? '!' : '',
        statement.pick ? `${statement.pick.sense.pick}` : '',
        statement.subject ? ofNominal(statement.subject) : '',
        statement.predicate ? ofPredicate(statement.predicate) : '',
      ];
      return parts.filter((part) => part !== '').join(' ');
    }
    case 'list':
      return `{${statement.members.map(ofStatement).join(` ${statement.conjunction} `)}}`;
    case 'sequence':
      return `(${statement.steps
        .map(({ statement: step, link }) => {
          const join = link
            ? `${link.join}${link.every ?? ''}${link.same ? '=' : ''}${link.within ? `<${link.within.min}` : ''}${link.apart ? `>${link.apart.min}` : ''} `
            : '';
          return join + ofStatement(step);
        })
        .join(' ')})`;
  }
}

const ofNominal = (nominal: Nominal): string =>
  nominal.kind === 'group' ? `{${nominal.members.map(ofEntity).join(` ${nominal.conjunction} `)}}` : ofEntity(nominal);

function ofEntity({ head, determiner, negation, amount, pick, attributes, modifiers, doing }: Entity): string {
  const words = 'words' in head ? head.words : [head.word];
  const name = head.type === 'text' ? ofText(head) : words.map(ofLeaf).join('_');
  const details = [
    ...attributes.map(ofAttribute),
    ...modifiers.map(ofModifier),
    ...(doing ? [ofPredicate(doing)] : []),
  ];
  return [
    negation ? '!' : '',
    determiner?.type === 'other' || determiner?.type === 'each' ? `${determiner.type} ` : '',
    pick ? `${pick.sense.pick} ` : '',
    amount ? `${amount.min ?? ''}-${amount.max ?? ''} ` : '',
    name,
    details.length > 0 ? `[${details.join(', ')}]` : '',
  ].join('');
}

const ofSpeech = ({ quotation, about }: Extract<Predicate['head'], { type: 'speech' }>) =>
  `${about ? '@' : ''}'${quotation?.words ?? '*'}'`;

const ofText = ({ carrier, quotation }: Extract<Entity['head'], { type: 'text' }>) =>
  `${carrier ?? ''}"${quotation?.words ?? '*'}"`;

function ofPredicate({ head, negation, object, agent, passive, modifiers }: Predicate): string {
  const code =
    'words' in head ? head.words.map(ofLeaf).join('/') : 'word' in head && head.word ? ofLeaf(head.word) : head.type;
  const verb =
    head.type === 'is'
      ? `=${ofNominal(head.other)}`
      : head.type === 'speech'
        ? ofSpeech(head)
        : head.type === 'becomes'
          ? `>${head.colors.map(ofLeaf).join('/')}`
          : code;
  const parts = [
    `${negation ? '!' : ''}${verb}${passive && agent ? '<' : ''}`,
    object ? `(${ofNominal(object)})` : '',
    agent ? `(${ofNominal(agent)})` : '',
    ...modifiers.map(ofModifier),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function ofAttribute(attribute: EntityAttribute): string {
  if (attribute.type === 'color') return attribute.words.map(ofLeaf).join('/');
  return attribute.type === 'side' ? ofSide(attribute.place) : ofLeaf(attribute.word);
}

function ofModifier(modifier: Modifier): string {
  switch (modifier.type) {
    case 'relation':
      return `${modifier.negation ? '!' : ''}${ofLeaf(modifier.word)} ${ofNominal(modifier.other)}`;
    case 'role':
      return `${modifier.negation ? '!' : ''}${modifier.role}${modifier.surface ?? ''} ${ofNominal(modifier.other)}`;
    case 'mutual':
      return `~${modifier.relation ? ofLeaf(modifier.relation) : ofLeaf(modifier.word)}`;
    case 'side':
      return `${modifier.role} ${ofSide(modifier.place)}`;
    case 'worn':
      return `${modifier.negation ? '!' : ''}+${modifier.garment ? ofEntity(modifier.garment) : modifier.colors.map(ofLeaf).join('/')}`;
    case 'lasting':
    case 'measure':
      return `${modifier.type} ${ofComparison(modifier.amount)}`;
    case 'either':
      return modifier.members.map(ofModifier).join(' or ');
    case 'excluded':
      return `!${modifier.attribute ? ofAttribute(modifier.attribute) : ''}${modifier.other ? ofEntity(modifier.other) : ''}`;
    default:
      return ofLeaf(modifier.word);
  }
}

const ofSide = ({ sides, parts }: SidePlace) => [...sides, ...parts].map(ofLeaf).join('-');
const ofComparison = ({ dimension, min, max }: MeasuredAmount) => `${dimension} ${min ?? ''}..${max ?? ''}`;

/** Fields of a sense that say nothing about what it is. */
const SILENT: ReadonlySet<string> = new Set([
  'type',
  'caveat',
  'decides',
  'weak',
  'reason',
  'plural',
  'noun',
  'carrier',
]);

/** The codes of a word; the word itself if observers do not know it. */
function ofLeaf(leaf: Leaf): string {
  if (!('sense' in leaf)) return leaf.text.toLowerCase();
  const codes = Object.entries(leaf.sense as object).filter(
    ([field, value]) => !SILENT.has(field) && value !== undefined,
  );
  const isNamed = codes.some(([, value]) => typeof value !== 'boolean');
  return isNamed ? codes.map(([, value]) => String(value)).join(':') : leaf.text.toLowerCase();
}
