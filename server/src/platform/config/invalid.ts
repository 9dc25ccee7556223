import { Problem } from '#platform/problem';

/** A Problem for a variable with an invalid value; `rule` completes the sentence "NAME …". */
export const invalid = (name: string, rule: string): Problem =>
  new Problem({ status: 500, code: 'configuration_invalid', message: `${name} ${rule}.` });
