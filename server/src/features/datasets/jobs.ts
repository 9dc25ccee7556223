import { studioJobs } from './studio/index.ts';
import { failVersion, freezeVersion } from './versions/index.ts';

export const datasetJobs = [...studioJobs, freezeVersion, failVersion] as const;
