import { describe, expect, it } from 'vitest';
import { isBlocked } from '../blocked-search.ts';
import { EVERYDAY } from '../fixtures/everyday.fixture.ts';
import { LOGS } from '../fixtures/logs.fixture.ts';
import { PROMPTS } from '../fixtures/prompts.fixture.ts';
import { TEAMS } from '../fixtures/teams.fixture.ts';
import { USER_GROUPS } from '../fixtures/user-groups.fixture.ts';
import { createPlanner } from '../index.ts';
import { leavesOf } from '../meaning/leaves.ts';
import type { Leaf } from '../meaning/types.ts';
import { REASONS } from '../reasons.ts';
import { createLedger } from './ledger.ts';
import { checkPartition, findDropped } from './partition.ts';

const leaf = (from: number, text: string): Leaf => ({ span: { from, to: from + 1 }, text, id: from });

describe('the account of a step', () => {
  const [red, car] = [leaf(0, 'red'), leaf(1, 'car')];
  const meaning = { attributes: [red], head: { word: car } };
  const leaves = leavesOf(meaning, () => false);
  const ledger = () => createLedger(() => 'red car');

  it('is complete when each leaf is used or named once', () => {
    const account = ledger();
    account.use(car);
    account.note([red], 'not checked');
    expect(checkPartition(leaves, account)).toBeNull();
  });

  it('names words that are lost and words that are used twice', () => {
    const account = ledger();
    account.use(car, car);
    expect(checkPartition(leaves, account)).toEqual({ lost: ['red'], twice: ['car'] });
  });

  it('finds words of a derivation that its meaning does not have', () => {
    expect(findDropped([red, car], { head: { word: car } })).toEqual(['red']);
  });
});

/** Words that no observer knows, of each open class. */
const FOREIGN = ['zxqv', 'helmet', 'dances', 'wooden', 'politely'];

const planner = createPlanner();

describe('plans', () => {
  const prompts = [PROMPTS, USER_GROUPS, TEAMS, EVERYDAY, LOGS].flatMap((table) =>
    (Array.isArray(table) ? table : Object.values(table).flat()).map(([prompt]) => prompt),
  );

  it('name a foreign word wherever it stands', () => {
    const lost: string[] = [];
    // "By the helmet" narrows where: it is named, and does not block.
    const isPlace = (reason: string) => reason === REASONS.anyPlace;
    for (const [at, prompt] of prompts.entries()) {
      if (planner.planEnglish(prompt).searches.some(isBlocked)) continue;
      const words = prompt.split(' ');
      for (let position = 0; position <= words.length; position++) {
        const word = FOREIGN[(at + position) % FOREIGN.length]!;
        const mutated = words.toSpliced(position, 0, word).join(' ');
        const { searches } = planner.planEnglish(mutated);
        if (searches.every(isBlocked)) continue;
        // The name of a channel is looked up in the recording with all of its words.
        const channels = searches.flatMap(({ steps }) =>
          steps.flatMap(({ what }) => (what.kind === 'quantity' && what.channel ? [what.channel.name] : [])),
        );
        if (channels.some((name) => name.split(' ').includes(word))) continue;
        const named = searches.flatMap(({ steps }) => steps.flatMap(({ unchecked }) => unchecked));
        if (!named.some(({ text, blocks, reason }) => (blocks || isPlace(reason)) && text.includes(word)))
          lost.push(mutated);
      }
    }
    expect(lost).toEqual([]);
  });
});
