/** Incidents: events of any number of questions that show the same one. */
export { createIncidents, type Incidents } from './service.ts';
export { assignIncidents, findSubjects } from './store.ts';
