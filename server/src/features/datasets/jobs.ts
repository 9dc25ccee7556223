import { datasetEventJobs } from './events/index.ts';
import { failVersion, freezeVersion } from './versions/index.ts';

export const datasetJobs = [...datasetEventJobs, freezeVersion, failVersion] as const;
