import { Type } from 'typebox';

export const UploadParams = Type.Object({
  upload_id: Type.String({ minLength: 1, maxLength: 255, description: 'Identifier of the upload.' }),
});

export const NoBody = Type.Unsafe<undefined>({ type: 'null', description: 'No body; the result is in the headers.' });
