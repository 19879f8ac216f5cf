/** Tests with typical wordings of contact persons, and with phrases that name no person. */
import assert from "node:assert/strict";
import { maskedParagraphs } from "../../../src/ingest/masking/mask_text.ts";

/** Given names of invented persons, in many languages. */
const GIVEN =
  ("Robert Maria Jane Marie-Ève Zhihao Xiaoming Priyanka Harjinder Guadalupe Iñigo Thuy " +
    "Olumide Kwame Siobhán Étienne Oksana Tremaine Jean-François Wei Mei-Ling Anjali Rajesh Javier " +
    "Lucía Geneviève Noémie Fatima Yusuf Hiroshi Svetlana").split(" ");
/** Family names of invented persons, in many languages. */
const FAMILY = ("Example,Lopez,Tremblay,O’Neil,Nguyen,Zhang,Ouyang,Kaur,Chaudhary,Fernández," +
  "de la Cruz,van der Berg,Lefebvre-Roy,McKay,Public,St-Pierre,D’Angelo,Okonkwo,Gagné,Wójcik," +
  "Krishnamurthy,MacDonald,Beauchemin,Yamamoto,Singh,Lévesque,Garcia,Chen,Haddad,Petrov")
  .split(",");

interface Person {
  given: string;
  family: string;
}

/** Combines a given name and a family name. The indexes below 900 give distinct combinations. */
function person(index: number): Person {
  return {
    given: GIVEN[(index * 7) % GIVEN.length]!,
    family: FAMILY[(index * 11 + Math.floor(index / 30)) % FAMILY.length]!,
  };
}

/**
 * Wordings of contacts. {n} stands for a name, {g} and {f} for given name and family name, {i} for
 * an initial, {N} for a name in capitals, {n2} for another name, {e} for an e-mail address.
 */
const FORMS = [
  "POC: {n}, Contract Specialist",
  "POC {g} Q. {f}, Contract Specialist, 555-0100",
  "Point of Contact: {n}",
  "Primary Point of Contact: {g} Q. {f}",
  "Contracting Officer: SSG {g} T. {f}",
  "Contracting Officer: {n}",
  "The Contracting Officer is {n}.",
  "Contracting Officer's Representative: {n}",
  "Contract Specialist - {n}",
  "Contract Specialist: {N}",
  "Contact: {f}, {g}",
  "Contact: {N}",
  "Contact - {n}",
  "Contact Name: {n}",
  "Contact person: Mr. {g} {f}",
  "Contact (technical): {n}",
  "Contact information\n{n}\nSuite 200",
  "CONTACT: {f}, {g}",
  "Contacts: {n} and {n2}",
  "Contacts: {n}; {n2}",
  "Attn. Ms. {i} {f}",
  "Attn: {n}",
  "ATTN: {N}",
  "Attn {n}",
  "Attention: Capt. {g} {f}",
  "Attention of Mr. {f}",
  "c/o {n}, 100 Main Street",
  "Buyer - {n}",
  "Buyer: {n}",
  "Senior Buyer: {g} {i} {f}",
  "Purchasing Agent: {n}",
  "Procurement Officer: {n}",
  "Project Manager: {n}",
  "Project Authority:\n{n}",
  "Technical Authority: Dr. {g} {f}",
  "Technical authority: {n}",
  "Requisitioning Authority: Maj {g} {f}",
  "Contracting Authority\n{n}\nTelephone: 613-998-8974",
  "Hiring Manager: {n}",
  "Prepared by: {n}",
  "Sincerely,\n{n}\nSupply Officer",
  "Please contact {n}, by noon.",
  "Please contact {g} {f} for details.",
  "Please contact Ms. {f} with questions.",
  "Please call {n} at 613-998-8974.",
  "Call {n} at 613-998-8974",
  "Phone {n}, 613-998-8974",
  "For a site visit contact {n} at (613) 998-8974 ext. 12",
  "Questions are to be sent to {n} at questions@example.ca",
  "Send bids to {n} (bids@example.ca)",
  "{n}, 613-998-8974",
  "{n} – Tel. +1 (613) 998-8974",
  "{n}\n613.998.8974",
  "{n}\nContract Specialist",
  "Ask Mr. {f} about it.",
  "Prof. {g} {f} leads the study.",
  "Dr. {g} {f} answers questions.",
  "Mr {f} will meet bidders.",
  "SFC {g} {f} will meet bidders.",
  "Reply to {e}. {n} reads it.",
  "Name: {n}",
  "Mme {g} {f}",
  "Mme {f} répondra aux questions.",
  "M. {g} {f}, agent",
  "Veuillez communiquer avec {n} au 613-998-8974.",
  "Veuillez contacter M. {f}.",
  "Personne-ressource : {n}",
  "Personne ressource: Mme {g} {f}",
  "Agent de négociation des contrats : {n}",
  "Agente d’approvisionnement : {n}",
  "Autorité contractante : {n}",
  "Autorité contractante\n{n}\nCourriel : questions@example.ca",
  "Autorité technique : {f}, {g}",
  "À l’attention de : {n}",
  "à l’attention de Mme {f}",
  "a/s {n}, 100, rue Principale",
  "Acheteuse : {n}",
  "Chargé de projet : {n}",
  "Gestionnaire de projet : {N}",
  "Préparé par : {n}",
  "Cordialement,\n{n}",
  "Contactez {n} au poste 4521.",
  "Adressez-vous à {g} {f}, par courriel.",
  "{n}, agente d’approvisionnement",
] as const;

/** Returns a wording with names in place of the braces, and the persons whose names it contains. */
const filled = (form: string, index: number) => {
  const [one, another] = [person(index), person(index + 13)];
  const plain = `${one.given}.${one.family}`.normalize("NFD").replace(/[^A-Za-z.]/g, "");
  const parts: Record<string, string> = {
    n: `${one.given} ${one.family}`,
    n2: `${another.given} ${another.family}`,
    N: `${one.given} ${one.family}`.toUpperCase(),
    g: one.given,
    f: one.family,
    i: `${one.given[0]}.`,
    e: `${plain.toLowerCase()}@example.ca`,
  };
  const names = form.includes("{n2}") ? [one, another] : [one];
  return { text: form.replace(/\{(\w+)\}/g, (_, key) => parts[key]!), names };
};

/** Returns whether a masked text contains none of the family names. */
const isHidden = (masked: string, names: readonly Person[]) =>
  names.every(({ family }) => !masked.toLowerCase().includes(family.toLowerCase()));

Deno.test("maskedParagraphs() masks persons in at least 97 % of typical wordings", () => {
  const missed: string[] = [];
  let count = 0;
  for (const [index, form] of FORMS.entries()) {
    for (const variant of [0, 1, 2, 3, 4]) {
      const { text, names } = filled(form, index * 5 + variant);
      count++;
      const masked = maskedParagraphs(text);
      if (!isHidden(masked, names)) missed.push(`${text} -> ${masked}`);
    }
  }
  assert.ok(count >= 400);
  assert.ok(1 - missed.length / count >= 0.97, `${count}:\n${missed.join("\n")}`);
});

const LABELS =
  "tel tél telephone téléphone phone ph cell cellular cellulaire mobile fax facsimile " +
  "télécopieur toll-free";
const CALLS = "call dial text reach contact appelez composez téléphonez joindre sms whatsapp";

Deno.test("maskedParagraphs() masks wordings that an earlier version did not mask", () => {
  const cases = [
    ["POC: Robert Q. Example, Contract Specialist", "POC: [redacted], Contract Specialist"],
    ["Contracting Officer: SSG Maria T. Lopez", "Contracting Officer: SSG [redacted]"],
    ["Contact: Example, Jane", "Contact: [redacted]"],
    ["Attn. Ms. J. Public", "Attn. Ms. [redacted]"],
    ["Buyer - Jane Public", "Buyer - [redacted]"],
    ["Mme Jeanne Public", "Mme [redacted]"],
    ["Please contact Marie Example, by Friday", "Please contact [redacted], by Friday"],
    ["Call Jane Smith at the office", "Call [redacted] at the office"],
    ["Write to jane AT example DOT ca", "Write to [redacted]"],
    ["jane [@] example.ca", "[redacted]"],
    ["jane.doe(at)example[dot]ca", "[redacted]"],
    ["jane arobase exemple point ca", "[redacted]"],
    ["jane AT example.ca", "[redacted]"],
    ["See https://www.linkedin.com/in/jane-doe-1a2b/ now", "See [redacted] now"],
    ["linkedin.com/in/jane-doe", "[redacted]"],
    ["linkedin.com/pub/jane-doe/1a/2b/3c", "[redacted]"],
    ...LABELS.split(" ").map((label) => [`${label} 998 8974`, `${label} [redacted]`]),
    ...CALLS.split(" ").map((call) => [`${call} 6139988974`, `${call} [redacted]`]),
    ["Telephone number is 6139988974.", "Telephone number is [redacted]."],
    ["Call us at 6139988974", "Call us at [redacted]"],
    ["T: 6139988974", "T: [redacted]"],
    ["Cell # 16139988974", "Cell # [redacted]"],
    ["Fax: +1 (613) 998-8974", "Fax: [redacted]"],
    ["Greenland +299 32 12 34", "Greenland [redacted]"],
    ["tél. 613 998-8974, poste 12", "tél. [redacted]"],
  ];
  for (const [text, masked] of cases) assert.equal(maskedParagraphs(text!), masked);
});

/** Phrases that name no person, although they look like a contact: by a label, title or request. */
const INNOCENT = [
  "Contact: Procurement Branch",
  "Contact: Supply Chain Helpdesk",
  "Contact: Simon Fraser University",
  "Contact: Thunder Bay Police Services",
  "Contact: Green Valley Pumping Works",
  "Contact: PSPC Ottawa",
  "Contact: Niagara Falls Hydro",
  "Contact: Bids and Tenders",
  "Contact Us",
  "Contact centre services",
  "Contact Centre Modernization",
  "Contact Lens Solution",
  "Contact-Tracing Mobile Kits",
  "Contact Closure Module",
  "Contact surfaces: Stainless Steel",
  "Buyer - City of Toronto",
  "Buyer: Metro Vancouver",
  "Buyer: Defence Construction Canada",
  "Buyers Guide",
  "Mr. Lube",
  "Dr. Martens boots",
  "Mr. Clean Magic Eraser",
  "MS Office licences",
  "Call for tenders",
  "Call for Proposals",
  "Call Centre Services",
  "CALL FOR TENDERS: MAIN STREET",
  "Call Bell Canada at 613",
  "Contracting Officer's Representative",
  "Contracting Officer will decide",
  "Contracting Authority: Public Services and Procurement Canada",
  "Contracting Authority: Department of National Defence",
  "Contract Specialist Services",
  "Project Manager Certification",
  "Project Manager: Construction Services",
  "Project Name: Green Valley",
  "Name: Green Valley Pumping Works",
  "Project Authority may inspect",
  "Technical Authority: National Research Council",
  "Technical Authority approval",
  "Technical Authority: Brantley Hall",
  "Attention: All Suppliers",
  "Attention Bidders",
  "ATTENTION: SHIPPING AND RECEIVING",
  "Attn: Accounts Payable",
  "Please contact Service Ontario.",
  "Please contact Parks Canada at the office",
  "Please contact the Contracting Authority",
  "Please call Emergency Services",
  "Please see Annex A",
  "See Appendix B for details",
  "See Schedule C, Section 4",
  "Prepared by: Stantec Consulting Ltd.",
  "Submitted to Transport Canada",
  "Sent to Canada Post",
  "Questions: Submit by Friday",
  "Inquiries: Bid Receiving Unit",
  "c/o Simon Fraser University",
  "Dr. Penfield Avenue",
  "Dr. Martin Luther King Boulevard",
  "Madame Vanier School",
  "Jane Street, from Bloor Street to Dundas Street",
  "New York, NY: Fort McMurray",
  "Fort McMurray, Alberta",
  "Los Angeles, California",
  "St. John’s, Newfoundland",
  "Salesforce, Project Manager role",
  "Scrum Master, Project Manager",
  "Data Scientist, Technical Lead",
  "John Deere Tractors",
  "Black & Decker tools",
  "Johnson Controls equipment",
  "Caterpillar, Komatsu and Volvo",
  "Capital Project Major Works",
  "Major Projects Office",
  "General Dynamics vehicles",
  "Captain Cook Cruises",
  "Sergeant-at-Arms Office",
  "Acheteur : Ville de Montréal",
  "Autorité contractante : Services publics et Approvisionnement Canada",
  "Personne-ressource : Direction des achats",
  "À l’attention de : Service des finances",
  "Veuillez contacter Services partagés Canada.",
  "Veuillez communiquer avec Parcs Canada",
  "Gestionnaire de projet : Hydro Québec",
  "Renseignements : Bureau municipal",
  "500 M. Concrete pipe",
  "Rev. A Drawing",
  "Solicitation 9117105139",
  "Document number 3202107273",
  "call number 2023123456",
  "An offset of +12 34567",
  "Mobile: 1 200 000 litres",
  "linkedin.com/company/example",
  "Look at example dot com domains",
  "AVAILABLE AT WWW.MERX.COM",
  "Delivered at point of origin",
  "Delivery to: Halifax, Nova Scotia",
  "Ship to: Canadian Forces Base Kingston",
  "From: Union Station to: Pearson Airport",
] as const;

Deno.test("maskedParagraphs() returns phrases that name no person unchanged", () => {
  assert.ok(INNOCENT.length >= 80);
  for (const text of INNOCENT) assert.equal(maskedParagraphs(text), text);
});
