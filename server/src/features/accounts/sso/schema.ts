import { Type } from 'typebox';
import { Maybe, PatternString, resource } from '#platform/http/index';

/** A path of this service in ASCII; forms that could name another host (`//`, a backslash) do not match. */
const RETURN_TO = '^/(?![/\\\\])[!-\\[\\]-~]*$';

export const SignInQuery = Type.Object({
  return_to: Maybe(
    PatternString(RETURN_TO, 'a path of this service, such as `/library`', {
      maxLength: 512,
      description: 'Path of this service to open after the sign-in; default: `/`.',
    }),
  ),
});

export const SignInMethods = resource(
  'SignInMethods',
  Type.Object(
    {
      password: Type.Boolean({ description: 'True if users sign in with an e-mail address and a password.' }),
      sso: Type.Boolean({ description: 'True if the operator configured single sign-on.' }),
      password_reset: Type.Boolean({
        description: 'True if the service mails a link to a user who has forgotten the password.',
      }),
    },
    {
      description: 'Ways to sign in to this service.',
      examples: [{ password: true, sso: false, password_reset: true }],
    },
  ),
);

export const SsoUrl = resource(
  'SsoUrl',
  Type.Object(
    { url: Type.String({ description: 'Address at the provider to open in the browser.' }) },
    {
      description: 'The address at which you sign in with the provider.',
      examples: [{ url: 'https://login.example.com/authorize?client_id=sightline&…' }],
    },
  ),
);

export const Redirect = (description: string) => Type.Null({ description });
