/** Tests with names that are recognized only because they follow a label or a title. */
import assert from "node:assert/strict";
import { maskedParagraphs } from "../../../src/ingest/masking/mask_text.ts";

Deno.test("maskedParagraphs() masks the words right after a contact label", () => {
  const cases = [
    ["Contracting Officer: Jose De La Cruz", "Contracting Officer: [redacted]"],
    ["CONTRACTING OFFICER: JOSE DE LA CRUZ", "CONTRACTING OFFICER: [redacted]"],
    ["CO: Kwame Nkrumah", "CO: [redacted]"],
    ["CO Jane Example will answer.", "CO [redacted] will answer."],
    ["The CO, Robert Q. Example, decides", "The CO, [redacted], decides"],
    ["CO is Jane Example.", "CO is [redacted]."],
    ["Contact CO Xiuying Zhang, by noon", "Contact CO [redacted], by noon"],
    ["Submit to the KO Vo Tran at the office", "Submit to the KO [redacted] at the office"],
    ["PCO James Okonkwo", "PCO [redacted]"],
    ["POC Xiuying Zhang", "POC [redacted]"],
    ["Contract Specialist Vo Tran", "Contract Specialist [redacted]"],
    ["Please contact Faith Rivers, Buyer", "Please contact [redacted], Buyer"],
    [
      "For details contact Xiuying Zhang, Contract Specialist",
      "For details contact [redacted], Contract Specialist",
    ],
    ["Please contact Vo Tran or Xiuying Zhang.", "Please contact [redacted] or [redacted]."],
    ["Contact: Summer Park", "Contact: [redacted]"],
    ["CONTACT: PARK, SUMMER", "CONTACT: [redacted]"],
    ["Buyer: Crystal Stone", "Buyer: [redacted]"],
    ["Contracting Officer Vo Tran will answer.", "Contracting Officer [redacted] will answer."],
    ["POC/Contract Specialist: Xiuying Zhang", "POC/Contract Specialist: [redacted]"],
    ["Contracting Officer: Ana Dos Santos/Vo Tran", "Contracting Officer: [redacted]/[redacted]"],
    ["Reports to: Vo Tran", "Reports to: [redacted]"],
    ["Hiring manager: Summer Park", "Hiring manager: [redacted]"],
    ["Engineer: Vo Tran", "Engineer: [redacted]"],
    ["Engineer: Robert Q. Example", "Engineer: [redacted]"],
    ["Engineer: Tremaine Okonkwo, 613-555-0137", "Engineer: [redacted], [redacted]"],
    ["Chair: Xiuying Zhang", "Chair: [redacted]"],
    ["Chair: Jane Example", "Chair: [redacted]"],
    ..."c/o|a/s|Acheteuse|Personne-ressource|Renseignements|Recruteuse|Questions".split("|")
      .map((label) => [`${label} : Jeanne Tremblay`, `${label} : [redacted]`]),
  ];
  for (const [text, masked] of cases) assert.equal(maskedParagraphs(text!), masked);
});

Deno.test("maskedParagraphs() keeps places and firms after a contact label", () => {
  const phrases = [
    "Denver, CO: Main Street",
    "CO Springs",
    "Boulder, CO Example",
    "Boulder CO James Park",
    "Fort Carson CO Martin Road",
    "the CO Kidde Nighthawk detector",
    "CO Kidde Nighthawk",
    "CO Detector Alarms",
    "ACO Drain Systems",
    "ACME CO Baker Hughes",
    "Contact: Thunder Bay",
    "Contact: San Diego",
    "Contact: Ann Arbor",
    "CO: Kandahar Airfield",
    "POC Kandahar Airfield",
    "Contact: Brooklyn Hall",
    "Contracting Officer: Fort McMurray",
    "Please contact Avila Therapeutics, by noon",
    "Buyer: Akros Silicon",
    "Engineer: Stantec Consulting",
    "Engineer: Morrison Hershfield",
    "Engineer: Kerr Wood Leidal",
    "Owner - Brookfield Triovest",
    "Chair: Herman Miller Aeron",
    "Chair: Steelcase Gesture",
    "Attention Kmart Shoppers",
    "Reports to: Vice President, Sales",
    "GESTIONNAIRE : MINISTERE DE LA DEFENSE",
    "Buyer: Colombie-Britannique",
    "Search in SEO, PPC, email marketing",
    "Built with Xamarin, AdobeAIR, PhoneGAP",
  ];
  for (const text of phrases) assert.equal(maskedParagraphs(text), text);
});

Deno.test("maskedParagraphs() masks every person after a title in the plural", () => {
  const cases = [
    ["Mmes Dupont et Tremblay", "Mmes [redacted] et [redacted]"],
    ["Mmes Dupont, Roy et Tremblay.", "Mmes [redacted] et [redacted]."],
    ["MM. Dupont et Tremblay sont absents", "MM. [redacted] et [redacted] sont absents"],
    ["Messrs. Smith and Brown", "Messrs. [redacted] and [redacted]"],
    ["Drs. Smith and Jones", "Drs. [redacted] and [redacted]"],
    ["Mmes Dupont et Tremblay, Ottawa", "Mmes [redacted] et [redacted], Ottawa"],
    ["Mmes Roy et Associés", "Mmes [redacted] et Associés"],
    ["25 MM. Dupont et Tremblay", "25 MM. Dupont et Tremblay"],
  ];
  for (const [text, masked] of cases) assert.equal(maskedParagraphs(text!), masked);
});
