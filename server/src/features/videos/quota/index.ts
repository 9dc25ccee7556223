export { createQuotas, type Quotas, UNLIMITED } from './quota.ts';
export { setQuota } from './store.ts';
