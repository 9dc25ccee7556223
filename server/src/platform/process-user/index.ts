/** The user that the service runs as: reported here, and changed by `become-user` where root started it. */
export { runsAs } from './accounts.ts';
