import { Type } from 'typebox';
import { defineJob } from './index.ts';

export const slow = defineJob({
  name: 'test.slow',
  class: 'maintenance',
  payload: Type.Object({ n: Type.Integer() }),
  retries: 2,
  retryDelayS: 0,
  timeoutS: 60,
  concurrency: 10,
});
