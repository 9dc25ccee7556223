/** Evidence images of events: drawn on demand, served under signed URLs. */
export { createEvidence, type EvidenceStore } from './evidence.ts';
export { createEvidenceImages, type EventKind, toImageName } from './images.ts';
