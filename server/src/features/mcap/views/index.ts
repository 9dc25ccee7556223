export { assignRoles, type ChannelRole, checkRoles, mergeLabels } from './roles.ts';
export { buildViews } from './views.ts';
