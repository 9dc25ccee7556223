/**
 * Labels: events that people know to be in videos, from files of other tools. The review room compares them with the
 * events of analyses; this room reads the files.
 */
export { labelsRoutes } from './routes.ts';
export { createLabels } from './service.ts';
