import { Type } from 'typebox';
import { Name } from '#platform/http/index';

export const SidecarQuery = Type.Object({
  filename: Type.Optional(Name({ minLength: 0, maxLength: 255, description: 'Display name of the file.' })),
});

export const SidecarBody = Type.Unsafe<unknown>({
  type: 'string',
  format: 'binary',
  description: 'The file; its format is detected from its content.',
});
