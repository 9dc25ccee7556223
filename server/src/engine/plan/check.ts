import { Compile } from 'typebox/compile';
import { planInvalid } from './problems.ts';
import { type Plan, planSchema } from './schema.ts';

const LISTS_DEEP = /^\/searches\/\d+\/steps\/\d+\/what/;

/** Makes the check of plans that clients send. Throws a Problem `plan_invalid` (400) naming the first field that is wrong. */
export function createCheckPlan(): (value: unknown) => Plan {
  const validator = Compile(planSchema);
  return (value) => {
    if (validator.Check(value)) {
      if (value.searches[0]?.steps[0]?.join != null)
        throw planInvalid('plan.searches.0.steps.0.join must be null: no step comes before the first.');
      return value;
    }
    const errors = validator.Errors(value).filter((error) => error.keyword !== 'anyOf' && error.keyword !== 'boolean');
    // Of the errors inside a choice, those of the kind that was meant are the deepest.
    const depth = (path: string) => path.split('/').length;
    const deep = errors.filter((error) => LISTS_DEEP.test(error.instancePath) && error.keyword !== 'const');
    const error = (deep.length > 0 ? deep : errors).toSorted(
      (a, b) => depth(b.instancePath) - depth(a.instancePath),
    )[0];
    const path = `plan${(error?.instancePath ?? '').replaceAll('/', '.')}`;
    throw planInvalid(`${path} ${error?.message ?? 'is not valid'}.`, {
      detail: { field: path, message: error?.message ?? 'is not valid' },
    });
  };
}
