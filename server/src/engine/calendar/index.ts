/** Times of the calendar that prompts name, and where they are in a video by its recording clock. */

export {
  answerEmptyLibrary,
  answerLibrary,
  type LibrarySearch,
  searchLibrary,
} from './library.ts';
export { datePlan, type FootageClock, missedBy, placePlan, type Requested } from './place.ts';
export { calendarText, coveredText } from './text.ts';
