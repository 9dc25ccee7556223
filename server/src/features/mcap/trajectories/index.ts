export { trajectoryRoutes } from './routes.ts';
export { createTrajectories, type Trajectories } from './trajectories.ts';
