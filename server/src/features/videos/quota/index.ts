export { createQuotas, type Quotas, toLimits, UNLIMITED } from './quota.ts';
export { setQuota } from './store.ts';
