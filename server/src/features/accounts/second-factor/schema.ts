import { Type } from 'typebox';
import { resource } from '#platform/http/index';
import { Code, Password, SIGNED_IN, SignedInSession } from '../sessions/schema.ts';

const KEY = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const RECOVERY_CODES = ['k3fa-w9xq-7hmd-p2rt', '0yzb-44ke-nv6c-8gst'];

export const NewSecondFactor = resource(
  'NewSecondFactor',
  Type.Object(
    { password: Password('The password.') },
    { description: 'The password of the user.', examples: [{ password: 'correct horse battery staple' }] },
  ),
);

export const SecondFactorKey = resource(
  'SecondFactorKey',
  Type.Object(
    {
      key: Type.String({ description: 'The key in Base32, for apps that cannot read the QR code.' }),
      uri: Type.String({ description: 'The `otpauth:` address that the QR code contains.' }),
    },
    {
      description: 'A key for an authenticator app: SHA-1, six digits, 30 seconds.',
      examples: [{ key: KEY, uri: `otpauth://totp/Sightline:ada%40example.com?secret=${KEY}&issuer=Sightline` }],
    },
  ),
);

export const SecondFactorCode = resource(
  'SecondFactorCode',
  Type.Object(
    { code: Code('The code that the authenticator app shows.') },
    { description: 'A code of the authenticator app.', examples: [{ code: '123456' }] },
  ),
);

export const ConfirmedSecondFactor = resource(
  'ConfirmedSecondFactor',
  Type.Object(
    {
      session: SignedInSession,
      recovery_codes: Type.Array(Type.String(), {
        description: 'Codes that each replace a code of the app once. They are shown only in this response.',
      }),
    },
    {
      description: 'The second factor is required from now on.',
      examples: [{ session: { ...SIGNED_IN, has_second_factor: true }, recovery_codes: RECOVERY_CODES }],
    },
  ),
);

export const PasswordAndCode = resource(
  'PasswordAndCode',
  Type.Object(
    {
      password: Password('The password.'),
      code: Code('A code of the authenticator app, or a recovery code.'),
    },
    {
      description: 'The password of the user, and a code of their second factor.',
      examples: [{ password: 'correct horse battery staple', code: '123456' }],
    },
  ),
);

export const RecoveryCodes = resource(
  'RecoveryCodes',
  Type.Object(
    {
      recovery_codes: Type.Array(Type.String(), {
        description: 'The new codes. Earlier ones are no longer accepted. They are shown only in this response.',
      }),
    },
    { description: 'New recovery codes.', examples: [{ recovery_codes: RECOVERY_CODES }] },
  ),
);
