/** Evidence images of events: drawn on demand, served under signed URLs. */
export { createEvidence, type EvidenceStore } from './evidence.ts';
export { createEvidenceImages, toImageName } from './images.ts';
