/** Incidents: events of any number of questions that show the same one. */
export { withIncidents } from './document.ts';
export { incidentRoutes } from './routes.ts';
export { createIncidents, type Incidents } from './service.ts';
export { assignIncidents, findIncidents, findSubjects } from './store.ts';
