import { defineProblems, type ProblemTable } from '#platform/problem';

export const LEGACY_PROBLEMS = {
  agents_not_offered: {
    status: 501,
    sentence:
      'This service has no trained agents: send a query in plain words instead, as in `analyze(video_id, prompt)`.',
  },
  segmentation_not_offered: {
    status: 501,
    sentence:
      'This service has no robotic action segmentation: send a query that names the actions in plain words instead.',
  },
  odd_export_not_offered: {
    status: 501,
    sentence: 'This service has no structured export of operating domains: send a query in plain words instead.',
  },
  category_unknown: {
    status: 400,
    sentence:
      'The field `edge_case_category` must be a known category, or `assistant_edge_cases_json` must contain cases with titles.',
  },
} as const satisfies ProblemTable;

export const problems = defineProblems(LEGACY_PROBLEMS);
