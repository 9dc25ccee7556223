import type { VisionLimits } from '#platform/config/index';

/** Limits of tokens and money that all profiles of vision-language models share; null without a model. */
export type VisionCaps = { tokenLimits: VisionLimits; moneyLimits: VisionLimits } | null;

/** Account that the calls of an analysis are charged to. */
export type VisionAccount = { orgId: string; keyId: string | null; batchId: string | null; videoId: string };

/** Use of the vision-language model by an organization in a calendar month (UTC). */
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
