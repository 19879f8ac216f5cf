/** Names the two languages of records and questions. */

/** Languages whose words the index stems: English, and French as it is written in Canada. */
export const LANGUAGES = ["en", "fr"] as const;

export type Language = (typeof LANGUAGES)[number];
