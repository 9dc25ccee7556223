/** Smaller differences are those of the network and of a header in whole seconds. */
const TOLERANCE_MS = 60_000;

let aheadMs = 0;

/** Compares the clock of this browser with that of the service, which dates its responses. */
export function compareClocks({ headers }: Pick<Response, 'headers'>): void {
  const difference = Date.parse(headers.get('date') ?? '') - Date.now();
  if (Number.isNaN(difference)) return;
  aheadMs = Math.abs(difference) > TOLERANCE_MS ? difference : 0;
}

/** Now by the clock of the service, in milliseconds since 1970: its times are compared with this one. */
export const serviceNow = (): number => Date.now() + aheadMs;
