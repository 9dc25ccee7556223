import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { App } from '#platform/http/index';

/** The page of sign-in and of links. It loads nothing from other origins, and its policy allows only its own script. */
export function welcomeRoutes(app: App, { sso }: { sso: boolean }): void {
  const link = '<p><a href="api/auth/sso?return_to=/docs">Single sign-on</a></p>';
  const page = readFileSync(new URL('./page.html', import.meta.url), 'utf8').replace('<!-- sso -->', sso ? link : '');
  const hashOf = (tag: string) => {
    const [, text] = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(page)!;
    return `'sha256-${createHash('sha256').update(text!).digest('base64')}'`;
  };
  const policy = `default-src 'none'; script-src ${hashOf('script')}; style-src ${hashOf('style')}; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`;

  app.get('/welcome', { config: { scope: 'public' }, schema: { hide: true } }, (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(page),
  );
}
