import { Type } from 'typebox';
import { Formed, Maybe } from '#platform/http/index';

/** A path of this service in plain ASCII: what could name another host (`//`, a backslash) is none. */
const RETURN_TO = '^/(?![/\\\\])[!-\\[\\]-~]*$';

export const BeginQuery = Type.Object({
  return_to: Maybe(
    Formed(RETURN_TO, 'a path of this service, such as `/library`', {
      maxLength: 512,
      description: 'Where to lead the browser once it is signed in: a path of this service; default `/`.',
    }),
  ),
});

export const LinkAnswer = Type.Object(
  { url: Type.String({ description: 'Lead the browser there.' }) },
  {
    description: 'Where your identity is proved.',
    examples: [{ url: 'https://login.example.com/authorize?client_id=sightline&…' }],
  },
);

export const Redirect = (description: string) => Type.Null({ description });
