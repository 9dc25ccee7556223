export type Plan = unknown;
