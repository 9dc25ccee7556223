import { Type } from 'typebox';
import { Maybe } from './fields.ts';

/** Parameters of a signed URL. */
export const signature = {
  token: Type.String({ maxLength: 200, description: 'Signature, part of the signed URL.' }),
  by: Maybe(
    Type.String({
      maxLength: 200,
      description:
        'Key or user that the URL was signed for, part of the signed URL. It ends with the revocation of the key, or when the user is removed.',
    }),
  ),
};

/** The token of a request for a signed URL, with the issuer that it states. */
export const tokenOf = ({ token, by }: { token: string; by?: string | null }): string =>
  by ? `${token}&by=${by}` : token;
