/** Uncommon wordings of contacts, and phrases that only look like contacts. */
import assert from "node:assert/strict";
import { maskedParagraphs } from "../../../src/ingest/masking/mask_text.ts";

Deno.test("maskedParagraphs() masks contacts in closings, in clauses and as spelled-out addresses", () => {
  const cases = [
    ["jane.smith at example.com", "[redacted]"],
    ["JANE.SMITH AT EXAMPLE.COM", "[redacted]"],
    ["jane<at>example.com", "[redacted]"],
    ["jane -at- example -dot- com", "[redacted]"],
    ["jane point doe arobase exemple point ca", "[redacted]"],
    ["call or text 514 9988974", "call or text [redacted]"],
    ["Office: 5149988974", "Office: [redacted]"],
    ["Contact number: 5149988974", "Contact number: [redacted]"],
    ["Contracting Officer: Zaria Washington", "Contracting Officer: [redacted]"],
    ["POCs: Darnell Washington; Keisha Brown", "POCs: [redacted]; [redacted]"],
    ["POC for technical questions: Vo Tran", "POC for technical questions: [redacted]"],
    [
      "The contract specialist for this action is Vo Tran.",
      "The contract specialist for this action is [redacted].",
    ],
    ["/s/ Keisha Brown", "/s/ [redacted]"],
    ["Regards, Keisha Brown", "Regards, [redacted]"],
    ["Thanks, Keisha Brown, Recruiter", "Thanks, [redacted], Recruiter"],
    ["Report to Priya Raman, VP Engineering", "Report to [redacted], VP Engineering"],
    ["Send your CV to Priya Raman", "Send your CV to [redacted]"],
    ["Envoyez votre offre à Jeanne Gagné", "Envoyez votre offre à [redacted]"],
    ["Posted by Priya Raman", "Posted by [redacted]"],
    ["M. Archambault répondra", "M. [redacted] répondra"],
    ["Me Réjean Archambault, notaire", "Me [redacted], notaire"],
    ['<a href="mailto:b@x.ca"><b>Andr&eacute; Roy</b>, buyer</a> roof', "[redacted], buyer roof"],
    ['<a href="mailto:b@x.ca">Apply Now</a> <a href="/">Bob Smith</a>', "Apply Now Bob Smith"],
    ["Bob Smith <mailto:b@x.ca>", "[redacted] <mailto:[redacted]>"],
  ];
  for (const [text, masked] of cases) assert.equal(maskedParagraphs(text!), masked);
});

Deno.test("maskedParagraphs() leaves phrases that only look like a contact", () => {
  const phrases = [
    "Contract number: 5149988974",
    "150 M. est requis",
    "500 M. Conduit",
    "Contact Me Today About Jobs",
    "Version v2.x at example.com",
    "Contact: Camp Washington",
    "Buyer: Metro Washington",
    "POC for Ultrasound Probes: Mindray Te7",
    "Regards, The Procurement Team",
    "Merci, Ville de Laval",
    "Posted by City of Vancouver",
    "Prepared by Golder Associates",
    "Send the samples to Health Canada Laboratories",
    "Attention Deficit Disorder",
    "Mr. Heater units",
  ];
  for (const text of phrases) assert.equal(maskedParagraphs(text), text);
});
