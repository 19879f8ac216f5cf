// Search in sections of the reference and of the guides, which the browser has all loaded.

/**
 * @typedef {object} Section
 * @property {string} words all words of the section, in lower case
 * @property {string} names words of its titles, in lower case
 * @property {boolean} [isGuide] true if it is part of a guide
 */

const wordsOf = (phrase) => phrase.toLowerCase().split(/\s+/).filter(Boolean);

/**
 * Returns the sections that contain all words of a phrase. The more of the words their titles
 * contain, the earlier they come. Of equal ones, guides precede calls and schemas.
 */
export function sectionsWith(sections, phrase) {
  const words = wordsOf(phrase);
  const rank = ({ names, isGuide }) =>
    words.filter((word) => !names.includes(word)).length + (isGuide ? 0 : 0.5);
  return sections.filter((one) => words.every((word) => one.words.includes(word)))
    .sort((a, b) => rank(a) - rank(b));
}

/** Prepares the sections of the guides, as `docs/guides.json` has them, for the search. */
export function guideSections(sections) {
  return sections.map((section) => {
    const names = section.title.toLowerCase();
    return { ...section, isGuide: true, names, words: `${names} ${section.text.toLowerCase()}` };
  });
}

/** Number of characters of an excerpt, and of those before the first word that was searched. */
const EXCERPT = { all: 180, before: 50 };

/** Returns the part of a text that is about the first of the searched words. */
export function excerptOf(text, phrase) {
  const lower = text.toLowerCase();
  const places = wordsOf(phrase).map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const first = Math.min(...places, text.length) - EXCERPT.before;
  const start = places.length === 0 || first <= 0 ? 0 : text.indexOf(" ", first) + 1;
  const isCut = start + EXCERPT.all < text.length;
  const part = text.slice(start, start + EXCERPT.all).replace(isCut ? /\s\S*$/ : /\s+$/, "");
  return `${start > 0 ? "… " : ""}${part}${isCut ? " …" : ""}`;
}
