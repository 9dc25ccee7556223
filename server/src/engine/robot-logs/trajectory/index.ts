export { type RecordedTrajectory, readRecordedTrajectory, statesMachine } from './trajectory.ts';
