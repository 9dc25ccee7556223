import { createQueryForms, type QueryForms, type QueryFormsDeps } from './forms/service.ts';
import { createResults, type Results, type ResultsDeps } from './results/service.ts';
import { createStudio, type Studio, type StudioDeps } from './studio/service.ts';

export type CompatDeps = QueryFormsDeps & ResultsDeps & StudioDeps;

export type Compat = { forms: QueryForms; results: Results; studio: Studio };

export const createCompat = (deps: CompatDeps): Compat => ({
  forms: createQueryForms(deps),
  results: createResults(deps),
  studio: createStudio(deps),
});
