/** Reasons for which words block a search although a picture may show what they name. */
export const NO_CLASS = 'the detector has no class for this';
export const NO_PLACES = 'places such as this one are not recognized';
export const NO_WEATHER = 'no observer here recognizes weather';
export const NOT_RECOGNIZED = 'no observer here recognizes this';
export const UNKNOWN_WORD = 'this is not a known object, action, signal or sound';
