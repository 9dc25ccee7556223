import { defineProblems, type ProblemTable } from '#platform/problem';

export const LEGACY_PROBLEMS = {
  agents_not_offered: {
    status: 501,
    sentence: 'Agents cannot be trained or used here: ask in plain words instead, as in `analyze(video_id, prompt)`.',
  },
  segmentation_not_offered: {
    status: 501,
    sentence: 'Robotic action segmentation is not part of this service: ask for the actions in plain words instead.',
  },
  odd_export_not_offered: {
    status: 501,
    sentence: 'The structured export of operating domains is not part of this service.',
  },
  category_unknown: {
    status: 400,
    sentence:
      'The field `edge_case_category` must name a category, or `assistant_edge_cases_json` hold cases with titles.',
  },
} as const satisfies ProblemTable;

export const problems = defineProblems(LEGACY_PROBLEMS);
