import { Problem } from '../problem.ts';

/** What is wrong with a variable, as a Problem whose sentence begins with its name. */
export const invalid = (name: string, rule: string): Problem =>
  new Problem({ status: 500, code: 'configuration_invalid', message: `${name} ${rule}.` });
