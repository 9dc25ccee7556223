/** Labels that people made elsewhere: they confirm events of analyses, and add those that were missed. */
export { applyLabels } from './apply-labels.ts';
export type { Label, LabelCounts, LabelImport } from './types.ts';
