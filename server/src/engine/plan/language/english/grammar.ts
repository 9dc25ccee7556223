import { collectRules, type GrammarRule } from '../../parse/rules.ts';
import type { Categories, Category } from './categories.ts';
import { amountRules } from './grammar/amounts.ts';
import { answerFormRules } from './grammar/answer-forms.ts';
import { calendarRules } from './grammar/calendar.ts';
import { changeRules } from './grammar/changes.ts';
import { channelRules } from './grammar/channels.ts';
import { circumstanceRules } from './grammar/circumstances.ts';
import { clauseRules } from './grammar/clauses.ts';
import { comparativeRules } from './grammar/comparatives.ts';
import { comparisonRules } from './grammar/comparisons.ts';
import { deadlineRules } from './grammar/deadlines.ts';
import { degreeRules } from './grammar/degrees.ts';
import { drivingRules } from './grammar/driving.ts';
import { eachSideRules } from './grammar/each-side.ts';
import { eitherOrRules } from './grammar/either-or.ts';
import { eventNounRules } from './grammar/event-nouns.ts';
import { frontedRules } from './grammar/fronted.ts';
import { groupRules } from './grammar/groups.ts';
import { marginRules } from './grammar/margins.ts';
import { nominalRules } from './grammar/nominals.ts';
import { notableRules } from './grammar/notable.ts';
import { nounQuestionRules } from './grammar/noun-questions.ts';
import { onsetRules } from './grammar/onsets.ts';
import { openQuestionRules } from './grammar/open-questions.ts';
import { openingRules } from './grammar/openings.ts';
import { pairedQuestionRules } from './grammar/paired-questions.ts';
import { participleNounRules } from './grammar/participle-nouns.ts';
import { partitiveRules } from './grammar/partitives.ts';
import { placeRules } from './grammar/places.ts';
import { predicateRules } from './grammar/predicates.ts';
import { questionRules } from './grammar/questions.ts';
import { quotationRules } from './grammar/quotations.ts';
import { rankingRules } from './grammar/rankings.ts';
import { recordingRules } from './grammar/recordings.ts';
import { remarkRules } from './grammar/remarks.ts';
import { sequenceRules } from './grammar/sequences.ts';
import { shotRules } from './grammar/shots.ts';
import { timingRules } from './grammar/timing.ts';
import { trafficLightRules } from './grammar/traffic-lights.ts';
import { valueRules } from './grammar/values.ts';
import { valuesOfQuestionsRules } from './grammar/values-of-questions.ts';
import { waitingRules } from './grammar/waiting.ts';
import { windowRules } from './grammar/windows.ts';

/** The category of a whole prompt. */
export const GOAL: Category = 'Utterance';

/** The rules of English, by the part of the grammar. */
export const createEnglishRules = (): GrammarRule[] =>
  collectRules<Categories>(
    nominalRules,
    amountRules,
    placeRules,
    predicateRules,
    clauseRules,
    remarkRules,
    sequenceRules,
    deadlineRules,
    frontedRules,
    circumstanceRules,
    answerFormRules,
    eitherOrRules,
    partitiveRules,
    participleNounRules,
    questionRules,
    windowRules,
    calendarRules,
    openQuestionRules,
    recordingRules,
    quotationRules,
    trafficLightRules,
    openingRules,
    comparisonRules,
    comparativeRules,
    marginRules,
    changeRules,
    notableRules,
    valueRules,
    channelRules,
    valuesOfQuestionsRules,
    rankingRules,
    shotRules,
    timingRules,
    eachSideRules,
    degreeRules,
    groupRules,
    nounQuestionRules,
    eventNounRules,
    pairedQuestionRules,
    waitingRules,
    onsetRules,
    drivingRules,
  );
