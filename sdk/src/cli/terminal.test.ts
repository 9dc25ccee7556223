import { describe, expect, it } from 'vitest';
import { coverageText } from './terminal.ts';

const part = { text: 'jalopy', status: 'not_looked_for', by: [], reason: 'this is not a known object' };

describe('the text of coverage', () => {
  it('has a row for each part, and the suggestions below the table', () => {
    const text = coverageText(
      [part, { ...part, text: 'car', by: ['objects', 'signals'], reason: null }],
      ['a car', 'a van'],
    );
    expect(text).toMatch(/│ jalopy +│ not looked for │ +│ this is not a known object │/);
    expect(text).toMatch(/│ car +│ not looked for │ objects, signals │ +│/);
    expect(text.endsWith('\n\nDid you mean: a car | a van')).toBe(true);
  });

  it('has no line of suggestions and no table without any', () => {
    expect(coverageText([part], [])).not.toContain('Did you mean');
    expect(coverageText([part])).not.toContain('Did you mean');
    expect(coverageText([])).toBe('');
  });
});
