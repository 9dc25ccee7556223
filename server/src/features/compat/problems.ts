import { defineProblems, type ProblemTable } from '#platform/problem';

export const COMPAT_PROBLEMS = {
  agents_not_offered: {
    status: 501,
    sentence:
      'This service has no trained agents: send a query in plain words instead, as in `analyze(video_id, prompt)`.',
  },
  segmentation_needs_model: {
    status: 501,
    sentence:
      'Action segmentation needs a vision-language model, which this service does not have (`SIGHTLINE_VISION_URL`). Without one, send a query that names the actions in plain words.',
  },
  workflow_unknown: {
    status: 400,
    sentence: 'The field `custom_workflow_name` must be "action-segmentation" or "robotic-action-segmentation".',
  },
  workflow_without_schema: {
    status: 400,
    sentence: 'Actions have no own fields: leave out `output_schema_json`, or query their videos with it afterwards.',
  },
  detector_config_not_offered: {
    status: 400,
    sentence:
      'The field `detector_config_json` cannot be applied: this service always shows frames to its configured vision-language model. Leave it out.',
  },
  segmenters_not_offered: {
    status: 501,
    sentence:
      'This service trains no segmenters: send a query that names the actions in plain words instead. With a vision-language model (`SIGHTLINE_VISION_URL`) it answers more of them.',
  },
  samples_not_offered: {
    status: 404,
    sentence:
      'This service has no public sample videos: request the URL at `/api/video/{video_id}/signed-url` with a key that may read the video.',
  },
  odd_export_not_offered: {
    status: 501,
    sentence: 'This service has no structured export of operating domains: send a query in plain words instead.',
  },
  output_schema_not_json: { status: 400, sentence: 'The field `output_schema_json` is not valid JSON.' },
  category_unknown: {
    status: 400,
    sentence:
      'The field `edge_case_category` must be a known category, or `assistant_edge_cases_json` must contain cases with titles.',
  },
  analysis_unfinished: { status: 409, sentence: 'The analysis is still running. Try again once it is completed.' },
  dataset_contents_unclear: { status: 400, sentence: 'Name either batches or folders, not both and not neither.' },
  taxonomy_processing: { status: 409, sentence: 'The taxonomy is still processed. Try again later.' },
} as const satisfies ProblemTable;

export const problems = defineProblems(COMPAT_PROBLEMS);
