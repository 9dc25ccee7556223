/** Labels that people made elsewhere: they confirm events of analyses, and add those that were missed. */
export { applyLabels, type LabelChange } from './apply-labels.ts';
export type { Label, LabelCounts, LabeledAnalysis, LabelImport } from './types.ts';
