/**
 * Patterns of occupations in English and French, without accents. They omit occupations whose work
 * companies also buy as a service, such as architects and inspectors.
 */

/** Pattern of occupations in English. */
export const OCCUPATION = "(?:" + [
  "accountants?|actuar(?:y|ies)|administrators?|analysts?|apprentices?|assemblers?|assistants?|attendants?",
  "bakers?|bookkeepers?|butchers?|caregivers?|carpenters?|cashiers?|chefs?|chemists?|clerks?|cooks?",
  "coordinators?|dentists?|developers?|dispatchers?|doctors?|drafters?|drillers?|drivers?|economists?",
  "editors?|educators?|electricians?|employees|engineers?|estimators?|foremen|foreman|gardeners?",
  "geologists?|hygienists?|interns?|interpreters?|journalists?|labou?rers?|lawyers?|librarians?",
  "machinists?|managers?|mechanics?|mechanists?|metallurgists?|millwrights?|nurses?|operators?",
  "paralegals?|paramedics?|pharmacists?|physicians?|physiotherapists?|pilots?|pipefitters?|plumbers?",
  "professors?|programmers?|receptionists?|representatives?|salespeople|scientists?|secretar(?:y|ies)",
  "specialists?|staff|students?|supervisors?|surveyors?|tailors?|teachers?|technicians?|technologists?",
  "tellers?|testers?|therapists?|trainees?|truckers?|veterinarians?|waiters?|welders?|workers?",
].join("|") + ")";

/** Pattern of occupations in French. */
export const OCCUPATION_FR = "(?:" + [
  "acheteu(?:r|rs|se|ses)|actuaires?|adjointe?s?|agronomes?|analystes?|apprentie?s?|avocate?s?|bouchers?",
  "boulangers?|caissi(?:er|ers|ere|eres)|camionneu(?:r|rs|se|ses)|charpentiers?|chauffeu(?:r|rs|se|ses)|chimistes?",
  "commis|comptables?|conduct(?:eur|eurs|rice|rices)|contremaitres?|coordonnat(?:eur|eurs|rice|rices)",
  "couvreurs?|cuisini(?:er|ers|ere|eres)|dentistes?|developpeu(?:r|rs|se|ses)|econom(?:iste|istes)",
  "educat(?:eur|eurs|rice|rices)|electricien(?:s|ne|nes)?|employee?s?|enseignante?s?|ergotherapeutes?",
  "forestiers?|gerante?s?|geologues?|gestionnaires?|grutiers?|hygienistes?|infirmi(?:er|ers|ere|eres)",
  "ingenieure?s?|journaliers?|machinistes?|manoeuvres?|mecanicien(?:s|ne|nes)?|medecins?|menuisiers?",
  "metallurgistes?|operat(?:eur|eurs|rice|rices)|ouvri(?:er|ers|ere|eres)|pharmaciens?|pilotes?|plombiers?",
  "preposee?s?|professeure?s?|programmeurs?|receptionnistes?|repartit(?:eur|eurs|rice|rices)|representante?s?",
  "secretaires?|serveu(?:r|rs|se|ses)|soudeu(?:r|rs|se|ses)|specialistes?|stagiaires?|superviseure?s?",
  "techniciens?|techniciennes?|technologues?|travailleu(?:r|rs|se|ses)|vendeu(?:r|rs|se|ses)|veterinaires?",
].join("|") + ")";
