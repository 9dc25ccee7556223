import type { VisionLimits } from '#platform/config/index';

/** Prices per million tokens and limits of the vision-language model; null without a model. */
export type VisionPricing = {
  inputPrice: number;
  outputPrice: number;
  tokenLimits: VisionLimits;
  moneyLimits: VisionLimits;
} | null;

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
