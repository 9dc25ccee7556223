import { expect, test } from 'vitest';
import { normalizeEmail } from './email.ts';

test.each([
  ['Ada@Example.COM', 'ada@example.com'],
  ['  ada+tag@example.com ', 'ada+tag@example.com'],
  ['owner@localhost', 'owner@localhost'],
  ['ada@Bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@ｅｘａｍｐｌｅ.com', 'ada@example.com'],
  ["o'hara@example.com", "o'hara@example.com"],
])('%s is written %s', (typed, written) => {
  expect(normalizeEmail(typed)).toBe(written);
});

test.each([
  '',
  'ada',
  '@example.com',
  'ada@',
  'ada@-example.com',
  'ada@example..com',
  '.ada@example.com',
  'a da@example.com',
  'ada@exam ple.com',
  'ada@example.com\r\nBcc: eve@example.com',
  'ada@b\nc',
  'ada\u0000@example.com',
  '"ada"@example.com',
  'ada@[127.0.0.1]',
  'ada@ex%61mple.com',
  'ada@example.com/..',
  'ада@example.com',
  'ſara@example.com',
  `${'a'.repeat(65)}@example.com`,
  `a@${'b'.repeat(64)}.com`,
  `a@${'b.'.repeat(120)}com`,
])('%j is none', (typed) => {
  expect(normalizeEmail(typed)).toBeNull();
});
