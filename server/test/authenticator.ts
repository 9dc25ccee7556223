import { TOTP } from 'otpauth';

/** The code that an authenticator app with this key shows at a time. */
export const appCode = (key: string, atMs = Date.now()): string =>
  new TOTP({ secret: key }).generate({ timestamp: atMs });
