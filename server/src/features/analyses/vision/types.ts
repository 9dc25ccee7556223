import type { ModelLimits } from '#platform/config/index';

/** Limits of tokens and money that all models share; null without a model. */
export type VisionCaps = ModelLimits | null;

/** Account that calls of models are charged to. */
export type PayingAccount = { orgId: string; keyId: string | null; batchId: string | null };

/** Account that the calls of an analysis are charged to. */
export type VisionAccount = PayingAccount & { videoId: string };

/** Use of models by an organization in a calendar month (UTC). */
export type MonthlyVisionUsage = {
  /** `2026-11` */
  month: string;
  calls: number;
  inputTokens: number;
  outputTokens: number;
  cost: number;
  /** Limits of the organization for the month; null: none. */
  maxTokens: number | null;
  maxCost: number | null;
};
