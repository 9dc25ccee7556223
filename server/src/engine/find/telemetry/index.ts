export { channelAt, findChannels } from './channels.ts';
export { type DrivingAction, listDrivingActions } from './driving-actions.ts';
export { textOf as channelValueText } from './find-channel.ts';
export { findQuantity } from './find-quantity.ts';
export { findVehicleMotion } from './find-vehicle-motion.ts';
export { quantityAt } from './telemetry-columns.ts';
