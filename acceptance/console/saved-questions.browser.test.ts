// Saved questions: created, run by a real upload, silenced and deleted, as a user does.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sceneClip } from '../../server/test/media/clips.ts';
import { DARK } from '../harness/answers.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { checkDialog } from '../harness/dialogs.ts';
import { shareService } from '../harness/shared-service.ts';

const { chromium: program } = inject('programs');
const TIMEOUT_MS = 180_000;

describe.runIf(program)('saved questions', { timeout: TIMEOUT_MS }, () => {
  let browser: Console;

  beforeAll(async () => {
    browser = await openConsole(await shareService(), { expected: [/status of 400 .*saved-questions/] });
    browser.page.setDefaultTimeout(TIMEOUT_MS);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
  });

  const upload = async (name: string) => {
    const { video_id } = await browser.sdk.upload(new File([await readFile(await sceneClip())], name), { name });
    await browser.sdk.ready(video_id);
    return video_id;
  };

  test('one is saved from the page of a question, runs on the next upload, is snoozed, paused and deleted', async () => {
    const { page, sdk } = browser;
    await page.goto('/saved-questions');
    await page.getByRole('heading', { name: 'No saved questions yet' }).waitFor();
    await browser.checkAccessibility();
    await page.getByRole('button', { name: 'Save question' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Feelings');
    await dialog.getByLabel('What to look for').fill('somebody is suspicious');
    await dialog.getByRole('button', { name: 'Save question' }).click();
    await dialog.getByText(/No part of this prompt can be searched for.*suspicious/).waitFor();

    const { batch_id } = await sdk.start({ query: DARK, videoIds: [await upload('first.mp4')] });
    await page.goto(`/questions/${batch_id}`);
    await page.getByRole('button', { name: 'Save question' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Dark');
    await expect.poll(() => dialog.getByLabel('What to look for').inputValue()).toBe(DARK);
    await dialog.getByLabel('Only labels with').fill('dark, night');
    await dialog.getByRole('combobox', { name: 'Frequency' }).click();
    await page.getByRole('option', { name: 'Every event' }).click();
    await dialog.getByRole('checkbox', { name: 'Quiet hours' }).click();
    await dialog.getByLabel('From').fill('03:00');
    await dialog.getByLabel('Until').fill('03:01');
    await dialog.getByRole('checkbox', { name: 'Daily digest' }).click();
    await dialog.getByLabel('Sent at').fill('07:30');
    await browser.checkAccessibility();
    await dialog.getByRole('button', { name: 'Save question' }).click();
    await page.waitForURL(/\/saved-questions\?question=/);
    const [saved] = await sdk.savedQuestions();
    expect(saved).toMatchObject({
      name: 'Dark',
      query: DARK,
      folder_id: null,
      rule: {
        labels: ['dark', 'night'],
        cooldown_s: 0,
        quiet_hours: { from: '03:00', to: '03:01' },
        digest: { at: '07:30' },
      },
    });

    await upload('second.mp4');
    const runs = page.getByRole('region', { name: 'Runs' }).getByRole('row');
    await runs.filter({ hasText: 'second.mp4' }).getByText('1 alert', { exact: true }).waitFor();
    await browser.checkAccessibility();

    const row = page.getByRole('region', { name: 'Saved questions' }).getByRole('row').filter({ hasText: 'Dark' });
    const choose = async (name: string) => {
      await row.getByRole('button', { name: 'More for Dark' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Snooze for a day');
    await row.getByText('Snoozed').waitFor();
    await choose('End snooze');
    await row.getByText('Active').waitFor();
    await choose('Pause');
    await row.getByText('Paused').waitFor();
    await choose('Edit');
    await dialog.getByLabel('Name', { exact: true }).fill('Darkness');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: /^Darkness/ }).waitFor();
    await page.setViewportSize({ width: 320, height: 700 });
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await browser.checkAccessibility();
    await page.setViewportSize({ width: 1_440, height: 900 });

    await page.getByRole('button', { name: 'More for Darkness' }).click();
    await page.getByRole('menuitem', { name: 'Run on existing videos' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Run' }).click();
    await page.waitForURL(/\/questions\/[0-9a-f]+$/);
    await page.goBack();
    await runs.filter({ hasText: 'first.mp4' }).getByText('without alerts').waitFor();

    await page.goto('/questions');
    const group = page.getByRole('region', { name: `Runs of ${DARK}` });
    await group.getByText('2 runs').waitFor();
    await group.getByRole('button', { name: DARK }).click();
    await group.getByText(/^second\.mp4 · \d+ event/).waitFor();
    await browser.checkAccessibility();
    await page.goto('/saved-questions');
    await page.getByRole('button', { name: 'More for Darkness' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete question' }).click();
    await page.getByRole('heading', { name: 'No saved questions yet' }).waitFor();
    expect(browser.problems()).toEqual([]);
  });

  test('a reading that differs is accepted or kept, and one that cannot run states why', async () => {
    const { page, sdk } = browser;
    const names = ['Gate', 'Yard', 'Hall'] as const;
    for (const name of names) await sdk.saveQuestion({ name, query: DARK });
    const proposed = { reading_id: 'other', interpretation: 'Understood as: a bus.', engine_version: '2' };
    const differs = { state: 'differs', interpretation: 'Understood as: a truck.', engine_version: '1', problem: null };
    const problem = 'The field `plan.version` must be 1.';
    const readings = new Map<string, object>([
      ['Gate', { ...differs, proposed }],
      ['Yard', { ...differs, proposed }],
      ['Hall', { ...differs, state: 'unusable', interpretation: null, problem, proposed }],
    ]);
    const decisions: unknown[] = [];
    // As a service answers whose grammar has changed since the questions were saved.
    await page.route('**/api/saved-questions', async (route) => {
      const response = await route.fetch();
      const { saved_questions } = (await response.json()) as { saved_questions: { name: string; reading: object }[] };
      const changed = saved_questions.map((each) => ({ ...each, reading: readings.get(each.name) ?? each.reading }));
      await route.fulfill({ response, json: { saved_questions: changed } });
    });
    await page.route('**/api/saved-questions/*/reading', async (route) => {
      const decision = route.request().postDataJSON() as { decision: string };
      const name = names[decisions.push(decision) - 1]!;
      if (decision.decision === 'keep') readings.set(name, { ...differs, state: 'declined', proposed });
      else readings.delete(name);
      await route.fulfill({ json: {} });
    });
    await page.goto('/saved-questions');
    await page.getByText('3 readings wait for a decision').waitFor();
    const notice = (name: string) => page.getByRole('listitem').filter({ hasText: `${name}: this version` });
    await notice('Gate').getByText('Understood as: a truck.').waitFor();
    await notice('Gate').getByText('Understood as: a bus.').waitFor();
    await notice('Hall').getByText(problem).waitFor();
    expect(await notice('Hall').getByRole('button').allInnerTexts()).toEqual(['Accept']);
    await browser.checkAccessibility();
    await page.getByRole('button', { name: 'Accept for Gate' }).click();
    await page.getByText('2 readings wait for a decision').waitFor();
    await page.getByRole('button', { name: 'Keep for Yard' }).click();
    await page.getByText('1 reading waits for a decision').waitFor();
    const other = { reading_id: 'other' };
    expect(decisions).toEqual([
      { ...other, decision: 'accept' },
      { ...other, decision: 'keep' },
    ]);
    // A reading that was declined can still be accepted.
    await page.getByRole('button', { name: 'More for Yard' }).click();
    await page.getByRole('menuitem', { name: 'Accept other reading' }).click();
    await checkDialog(browser, 'Use the reading of this version?');
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('Understood as: a bus.').waitFor();
    await dialog.getByRole('button', { name: 'Accept' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(decisions.at(-1)).toEqual({ ...other, decision: 'accept' });
    await page.unrouteAll({ behavior: 'wait' });
  });
});
