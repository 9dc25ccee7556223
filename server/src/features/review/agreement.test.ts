import { expect, test } from 'vitest';
import { agreementOf } from './agreement.ts';

// Figures of a worked example: 20 both yes, 15 both no, 5 and 10 mixed; agreement 0.7, chance 0.5, kappa 0.4.
test("Cohen's kappa", () => {
  const pairs = [
    { first: 'approved', second: 'approved', count: 20 },
    { first: 'approved', second: 'rejected', count: 5 },
    { first: 'rejected', second: 'approved', count: 10 },
    { first: 'rejected', second: 'rejected', count: 15 },
  ];
  expect(agreementOf(pairs)).toEqual({ events: 50, observed: 0.7, kappa: expect.closeTo(0.4, 12) });
  expect(agreementOf([{ first: 'approved', second: 'approved', count: 9 }])).toMatchObject({
    observed: 1,
    kappa: null,
  });
});
