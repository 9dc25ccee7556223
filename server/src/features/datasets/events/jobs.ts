import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';

const payload = Type.Object({ taxonomyId: Type.String() });

/** Marks a taxonomy as failed after its job was given up. */
export const failTaxonomy = defineJob({
  name: 'datasets.taxonomy-give-up',
  class: 'maintenance',
  payload,
  retries: 20,
  retryDelayS: 2,
  timeoutS: 60,
  concurrency: 1,
});

/** Fills the fields of a taxonomy for the events of its dataset. */
export const fillTaxonomy = defineJob({
  name: 'datasets.taxonomy-fill',
  class: 'batch',
  capped: true,
  payload,
  retries: 3,
  retryDelayS: 5,
  timeoutS: 12 * 3600,
  concurrency: 1,
  givenUp: failTaxonomy,
});

export const datasetEventJobs = [fillTaxonomy, failTaxonomy] as const;
