import type { TLocalizedValidationError } from 'typebox/error';
import { Compile } from 'typebox/schema';
import { planInvalid } from './problems.ts';
import { type Plan, planSchema, targetSchema } from './schema.ts';
import { LOOK_PICKS, STATISTICS } from './terms.ts';

/**
 * Creates the validator for plans that clients send. It throws a Problem `plan_invalid` (400) that names the first
 * invalid field.
 */
export function createPlanValidator(): (value: unknown) => Plan {
  const validator = Compile(planSchema);
  const kinds = new Map(targetSchema.anyOf.map((what) => [what.properties.kind.const as string, Compile(what)]));
  return (value) => {
    if (!validator.Check(value)) refuse(value);
    if (value.searches[0]?.steps[0]?.join != null)
      throw invalid('plan.searches[0].steps[0].join', 'must be null: no step comes before the first');
    checkPlaces(value);
    checkReferences(value);
    checkCalculation(value);
    return value;
  };

  function refuse(value: unknown): never {
    // A union reports every branch; the branch named by `kind` has the useful error.
    for (const { path, what } of listWhats(value)) {
      const meant = kinds.get(String(what.kind));
      if (!meant) throw invalid(`${path}.kind`, `must be one of ${[...kinds.keys()].join(', ')}`);
      const [, errors] = meant.Errors(what);
      if (errors.length > 0) report(path, errors);
    }
    return report('plan', validator.Errors(value)[1]);
  }
}

/** Statistics are of a measured quantity. */
const OF_QUANTITIES: ReadonlySet<string> = new Set(STATISTICS);
/** Comparisons of exactly two values. */
const OF_TWO: ReadonlySet<string> = new Set([
  'more',
  'less',
  'same',
  'difference',
  'ratio',
  'order',
  'all',
  'mostly',
  'part',
  'changed',
]);

/** Comparisons that have a range. */
const OF_RANGES: ReadonlySet<string> = new Set(['within', 'difference', 'ratio']);

/** Picks that order all that is found. */
const ORDERS: ReadonlySet<string | null> = new Set(['first', 'last', 'longest', 'shortest', ...LOOK_PICKS]);

function checkPlaces({ searches }: Plan): void {
  for (const [i, { pick, places }] of searches.entries()) {
    if (!places) continue;
    const path = `plan.searches[${i}].places`;
    if (!ORDERS.has(pick)) throw invalid(path, 'is only for picks that order events');
    if (places.to < places.from) throw invalid(`${path}.to`, 'must be at least `from`');
  }
}

function checkReferences({ searches }: Plan): void {
  for (const [i, { during, moments }] of searches.entries()) {
    if (moments?.kind === 'between' && moments.seconds !== null)
      throw invalid(`plan.searches[${i}].moments.seconds`, 'must be null for `between`');
    if (during === undefined) continue;
    const path = `plan.searches[${i}].during`;
    const reference = searches[during];
    if (!reference || during === i) throw invalid(path, 'must be the place of another search');
    if (reference.during !== undefined) throw invalid(path, 'must be the place of a search without `during`');
  }
}

/** Comparisons of the values of groups, which are parts of the video. */
const OF_PARTS: ReadonlySet<string | null> = new Set(['every', 'occurs']);
/** Measures of what a group has. */
const OF_GROUPS: ReadonlySet<string> = new Set([
  'count',
  'most',
  'mean_count',
  'length',
  'item_length',
  'longest',
  'shortest',
  'share',
]);

function checkGroups({ values, compare, by, period, rank }: NonNullable<Plan['calculation']>): void {
  const path = 'plan.calculation';
  if (OF_PARTS.has(compare) && by !== 'period' && by !== 'shot')
    throw invalid(`${path}.compare`, 'compares periods or shots (`by`)');
  if (by === undefined) {
    if (rank) throw invalid(`${path}.rank`, 'is only for groups (`by`)');
    if (period !== undefined) throw invalid(`${path}.period`, 'is only for groups by `period`');
    return;
  }
  const isDifference = compare === 'difference' && by === 'kind';
  if (values.length !== (isDifference ? 2 : 1)) throw invalid(`${path}.values`, 'must be one to be grouped');
  if (compare !== null && !OF_PARTS.has(compare) && !isDifference)
    throw invalid(`${path}.compare`, 'must be `every`, `occurs` or null');
  if (!OF_GROUPS.has(values[0]!.measure)) throw invalid(`${path}.values[0].measure`, 'cannot be grouped');
  if ((by === 'period') !== (period !== undefined))
    throw invalid(
      `${path}.period`,
      period === undefined ? 'is required for `period`' : 'is only for groups by `period`',
    );
  if (rank && rank.to < rank.from) throw invalid(`${path}.rank.to`, 'must be at least `from`');
  if (rank && compare !== null) throw invalid(`${path}.rank`, 'is not compared');
}

/** Conditions between fields, which a schema does not state. */
function checkCalculation({ question, calculation, searches }: Plan): void {
  if (!calculation) {
    if (question === 'calculation') throw invalid('plan.calculation', 'is required for the question `calculation`');
    return;
  }
  if (question !== 'calculation') throw invalid('plan.question', 'must be `calculation` where there is one');
  checkGroups(calculation);
  const { values, compare, range } = calculation;
  if (compare !== null && OF_TWO.has(compare) && values.length !== 2)
    throw invalid('plan.calculation.values', 'must be two to be compared');
  if (compare?.startsWith('which') && values.length < 2)
    throw invalid('plan.calculation.values', 'must be two or more to be compared');
  if (compare === 'within' && values.length !== 1)
    throw invalid('plan.calculation.values', 'must be one to be in a range');
  if (compare === 'within' && !range) throw invalid('plan.calculation.range', 'is required for `within`');
  if (range && !(compare !== null && OF_RANGES.has(compare)))
    throw invalid('plan.calculation.range', 'is only for `within`, `difference` and `ratio`');
  for (const [i, value] of values.entries()) {
    const path = `plan.calculation.values[${i}]`;
    if (value.searches.some((at) => at >= searches.length))
      throw invalid(`${path}.searches`, `must be places of searches, which are less than ${searches.length}`);
    if ((value.measure === 'count_at') !== (value.at !== undefined))
      throw invalid(`${path}.at`, value.at === undefined ? 'is required for `count_at`' : 'is only for `count_at`');
    if (value.at !== undefined && value.at >= searches.length)
      throw invalid(`${path}.at`, `must be the place of a search, which is less than ${searches.length}`);
    if (value.measure !== values[0]!.measure)
      throw invalid(`${path}.measure`, 'must be that of the other values, to be stated beside them');
    if ((value.quantity === 'channel') !== (value.channel !== undefined))
      throw invalid(
        `${path}.channel`,
        value.channel ? 'is only for the quantity `channel`' : 'is required for `channel`',
      );
    if (OF_QUANTITIES.has(value.measure) !== (value.quantity !== undefined))
      throw invalid(
        `${path}.quantity`,
        value.quantity === undefined ? `is required for \`${value.measure}\`` : `has no \`${value.measure}\``,
      );
  }
}

const invalid = (field: string, rule: string) =>
  planInvalid(`The field \`${field}\` ${rule}.`, { detail: { field, message: `${rule}.` } });

/** Every `what` with its path, as far as the value has the shape of a plan. */
function* listWhats(value: unknown): Generator<{ path: string; what: { kind?: unknown } }> {
  for (const [i, search] of listOf(value, 'searches').entries()) {
    for (const [j, step] of listOf(search, 'steps').entries()) {
      const what = (step as { what?: unknown } | null)?.what;
      if (typeof what === 'object' && what !== null) yield { path: `plan.searches[${i}].steps[${j}].what`, what };
    }
  }
}

function listOf(value: unknown, key: string): unknown[] {
  const list = (value as Record<string, unknown> | null | undefined)?.[key];
  return Array.isArray(list) ? list.slice(0, 200) : [];
}

function report(root: string, errors: readonly TLocalizedValidationError[]): never {
  const specific = errors.filter((e) => e.keyword !== 'anyOf' && e.keyword !== 'boolean');
  const error = specific[0] ?? errors[0]!;
  const path = root + error.instancePath.replaceAll(/\/(\d+)/g, '[$1]').replaceAll('/', '.');
  const orNull = specific.some(
    (e) => e !== error && e.instancePath === error.instancePath && e.keyword === 'type' && e.params.type === 'null',
  );
  switch (error.keyword) {
    case 'required':
      throw invalid(`${path}.${error.params.requiredProperties[0]}`, 'is required');
    case 'additionalProperties':
      throw invalid(`${path}.${error.params.additionalProperties[0]}`, 'is not part of a plan');
    case 'enum':
      throw invalid(path, `must be one of ${error.params.allowedValues.join(', ')}${orNull ? ', or null' : ''}`);
    case 'const':
      throw invalid(path, `must be ${String(error.params.allowedValue)}`);
    case 'type':
      throw invalid(path, `must be of type ${String(error.params.type)}${orNull ? ' or null' : ''}`);
    default:
      throw invalid(path, error.message.replace('NOT', 'not'));
  }
}
