/**
 * Configuration: environment variables, read once, validated and frozen. No other room reads `process.env`.
 */
export { loadConfig, toStorageConfig } from './load.ts';
export type { SsoConfig } from './sso.ts';
export type { Config, ModelLimits } from './types.ts';
export { listVariables } from './variables.ts';
