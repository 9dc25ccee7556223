/** The session is another worker's: nothing more is to be written. */
export class Lost extends Error {}
