import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';

/** A text, such as a prompt, in the quotation marks of the language of the page. Its words keep their own language. */
export const quote = (text: string, t: (message: MessageDescriptor) => string): string => t(msg`“${text}”`);

/** A text in the quotation marks of the language of the page. */
export function Quoted({ children }: { children: string }) {
  const { t } = useLingui();
  return quote(children, t);
}
