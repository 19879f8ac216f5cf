import type { Kind } from "../contract/vocabulary.ts";

/** The subject of one invented observation, in the language of the company. */
export interface Scene {
  company: string;
  /** True for a public body, which has no founder and no investors. */
  is_public: boolean;
  city: string;
  region: string;
  product: string;
  second_product: string;
  need: string;
  facility: string;
  technology: string;
  role: string;
  /** Another company of the sector. */
  partner: string;
  investor: string;
  lender: string;
  /** Amount in millions of dollars. */
  millions: number;
  /** Number of people, such as employees or customers. */
  count: number;
  square_feet: number;
  /** Duration in months or weeks. The templates state which. */
  months: number;
  /** Years since the company was founded, for which its founder has worked. */
  years: number;
}

/** The texts of an observation. */
interface ObservationText {
  fact: string;
  why: string;
  excerpt: string;
}

/** Writes the texts about a scene. */
export type Template = (scene: Scene) => ObservationText;

/** English templates by kind. Several templates per kind make the observations differ. */
export const ENGLISH: Record<Kind, readonly Template[]> = {
  procurement_request: [
    (s) => ({
      fact: `${s.company} invites bids for ${s.need} in ${s.city}, ${s.region}.`,
      why: `The buyer asks suppliers of ${s.need} to quote within ${s.months} weeks.`,
      excerpt: `Request for proposals: ${s.need}. ${s.company} will award a contract of up to ` +
        `${s.months} months for its ${s.facility}. Bidders must show three comparable deliveries.`,
    }),
    (s) => ({
      fact: `${s.company} is looking for a supplier of ${s.need} for its ${s.facility}.`,
      why: `An open request: the scope, quantities and deadline are published.`,
      excerpt: `We are sourcing ${s.need} for our ${s.facility} in ${s.city}. Offers are scored ` +
        `on price, on service within ${s.region} and on experience with ${s.technology}.`,
    }),
    (s) => ({
      fact: `${s.company} opened a qualification list for ${s.need} across ${s.region}.`,
      why: `Qualified vendors are asked first when orders for ${s.need} are placed.`,
      excerpt: `Vendors of ${s.need} may apply to be pre-qualified for ${s.months} months. The ` +
        `first call is for the ${s.facility} in ${s.city}.`,
    }),
  ],
  facility_expansion: [
    (s) => ({
      fact: `${s.company} is building ${an(s.facility)} in ${s.city}, ${s.region}.`,
      why: `A new site needs equipment, contractors and services before it opens in ` +
        `${s.months} months.`,
      excerpt:
        `Ground was broken on a new ${s.facility} of ${number(s.square_feet)} square feet in ` +
        `${s.city}. The $${s.millions} million project, meant for ${s.product}, adds ${s.count} ` +
        `jobs.`,
    }),
    (s) => ({
      fact: `${s.company} expands its ${s.facility} in ${s.city} as demand for ` +
        `${s.second_product} grows.`,
      why: `Expansion budgets of this size usually include ${s.need}.`,
      excerpt: `The expansion doubles capacity for ${s.second_product}. The council of ${s.city} ` +
        `approved the site plan; ${s.company} expects to commission ${s.technology} in the ` +
        `second phase.`,
    }),
    (s) => ({
      fact: `${s.company} leased ${number(s.square_feet)} square feet in ${s.city} for a new ` +
        `${s.facility}.`,
      why: `Fitting out leased space comes with orders for ${s.need} within months.`,
      excerpt: `The lease runs for ten years. Fit-out of the new ${s.facility} starts this ` +
        `season, and the older site moves there once it is done.`,
    }),
  ],
  funding_round: [
    (s) => ({
      fact: `${s.company} raised $${s.millions} million to grow its work in ${s.product}.`,
      why: `Fresh capital is earmarked for ${s.technology} and ${an(s.facility)}.`,
      excerpt: `The round of $${s.millions} million was led by ${s.investor}. Proceeds go to ` +
        `${s.technology}, to hiring in ${s.city} and to growth in ${s.region}.`,
    }),
    (s) => ({
      fact: `${s.company} borrowed $${s.millions} million to enlarge its ${s.facility}.`,
      why: `Debt of this kind is drawn against equipment, often ${s.need}.`,
      excerpt: `The lender, ${s.lender}, secured the loan on the ${s.facility} in ${s.city}. ` +
        `Repayment follows revenue from ${s.product}.`,
    }),
  ],
  leadership_change: [
    (s) => ({
      fact: `${s.company} appointed a new chief operating officer in ${s.city}.`,
      why: `New operations leaders tend to review suppliers in their first two quarters.`,
      excerpt:
        `The board of ${s.company} named an executive from ${s.partner} as chief operating ` +
        `officer, with a mandate to introduce ${s.technology}.`,
    }),
    (s) => ({
      fact: `The ${headOf(s)} of ${s.company} in ${s.city} hands over to a successor.`,
      why: `A succession often reopens old supply agreements, for instance for ${s.need}.`,
      excerpt:
        `After ${s.years} years the ${headOf(s)} retires. The successor, who ran operations at ` +
        `${s.partner}, plans to modernize the ${s.facility}.`,
    }),
    (s) => ({
      fact: `${s.company} created the post of vice-president, technology.`,
      why: `The post comes with a budget for ${s.technology}.`,
      excerpt: `The vice-president will choose vendors of ${s.technology} and report to the ` +
        `chief executive. ${s.company} employs ${s.count} people in ${s.region}.`,
    }),
  ],
  product_launch: [
    (s) => ({
      fact: `${s.company} added ${s.second_product} to what it offers.`,
      why: `A new line creates demand for ${s.need} and for distribution.`,
      excerpt: `From this month the offer in ${s.region} includes ${s.second_product}, beside ` +
        `${s.product}. Preparations took ${s.months} months.`,
    }),
    (s) => ({
      fact: `${s.company} began a pilot of ${s.second_product} with ${s.count} customers in ` +
        `${s.city}.`,
      why: `If the pilot succeeds, volumes and purchasing grow with it.`,
      excerpt:
        `The pilot tests ${s.second_product} for ${s.months} months. A wider release across ` +
        `${s.region} depends on the results, ${s.company} said.`,
    }),
  ],
  partnership: [
    (s) => ({
      fact: `${s.company} and ${s.partner} will jointly offer ${s.product} in ${s.region}.`,
      why: `Joint offers need shared systems, above all ${s.technology}.`,
      excerpt:
        `Under the agreement ${s.partner} markets ${s.product} while ${s.company} operates the ` +
        `${s.facility} in ${s.city}. It runs for ${s.months} months and can be renewed.`,
    }),
    (s) => ({
      fact: `${s.company} joined a research consortium on ${s.technology} with ${s.partner}.`,
      why: `The partners intend to buy together once trials of ${s.technology} end.`,
      excerpt: `The consortium shares a $${s.millions} million budget. ${s.company} contributes ` +
        `its experience with ${s.product} and a test site in ${s.city}.`,
    }),
  ],
  technology_use: [
    (s) => ({
      fact: `${s.company} uses ${s.technology} in its ${s.facility}.`,
      why: `Users of ${s.technology} buy maintenance, integration and upgrades.`,
      excerpt: `Our team in ${s.city} relies on ${s.technology} every day to deliver ${s.product}.`,
    }),
    (s) => ({
      fact: `${s.company} introduced ${s.technology} for ${s.product}.`,
      why: `A recent change of tools shows where processes are being modernized.`,
      excerpt: `Case study: how ${s.company} introduced ${s.technology} within ${s.months} ` +
        `months, and what it meant for the ${s.count} people who work on ${s.product}.`,
    }),
  ],
  job_posting: [
    (s) => ({
      fact: `${s.company} is hiring ${an(s.role)} in ${s.city}, ${s.region}.`,
      why: `The posting points to growth in ${s.product}.`,
      excerpt:
        `We are looking for ${an(s.role)} for our ${s.facility}. You know ${s.technology} and ` +
        `enjoy working with people who care about ${s.product}. Permanent, full time.`,
    }),
    (s) => ({
      fact: `${s.company} advertises ${2 + s.count % 11} openings for the role of ${s.role}.`,
      why: `Hiring several people for one role precedes a new shift or site.`,
      excerpt: `Several positions in ${s.city}: ${s.role}. Experience with ${s.technology} is an ` +
        `asset. Shifts at the ${s.facility}, training provided.`,
    }),
  ],
  company_profile: [
    (s) => ({
      fact: `${s.company}, based in ${s.city}, ${s.region}, provides ${s.product} and ` +
        `${s.second_product}.`,
      why: `Describes what the company does; it says nothing about buying intent.`,
      excerpt:
        `${s.company} is known in ${s.region} for ${s.product} and ${s.second_product}. Its ` +
        `${s.facility} in ${s.city} works with ${s.technology} and employs ${s.count} people.`,
    }),
    (s) => ({
      fact: `${s.company} of ${s.city} specializes in ${s.product}.`,
      why: `Background on the company, without a dated event.`,
      excerpt: `From ${s.city}, ${s.company} serves customers across ${s.region} with ` +
        `${s.product}. It also offers ${s.second_product}.`,
    }),
  ],
};

/** English templates, by kind, for the excerpt of a second page. */
export const ENGLISH_MORE: Record<Kind, (scene: Scene) => string> = {
  procurement_request: (s) =>
    `Addendum: a site visit at the ${s.facility} in ${s.city} takes place before bids close. ` +
    `Questions are answered in writing.`,
  facility_expansion: (s) =>
    `Building permit: ${s.facility}, ${s.city}, ${number(s.square_feet)} square feet, estimated ` +
    `value $${s.millions} million. Applicant: ${s.company}.`,
  funding_round: (s) =>
    `${s.company} plans to fill ${s.count} positions over the next ${s.months} months, its ` +
    `finance chief told the paper.`,
  leadership_change: (s) =>
    `The change takes effect in ${s.months} weeks. ${s.company} serves ${s.region} with ` +
    `${s.product} and ${s.second_product}.`,
  product_launch: (s) =>
    `Order sheet: ${s.second_product}, first deliveries from ${s.city} within ${s.months} weeks.`,
  partnership: (s) =>
    `A joint office of ${s.count} people opens in ${s.city}, the two said in ${s.region}.`,
  technology_use: (s) =>
    `Conference talk: what ${s.months} months with ${s.technology} taught us, and why we would ` +
    `buy training first.`,
  job_posting: (s) =>
    `Careers at ${s.company}: ${s.role}, ${s.city}. Applications are read as they come in, for ` +
    `${s.months} weeks.`,
  company_profile: (s) =>
    `Our sites: ${s.city}, ${s.region} (head office and ${s.facility}). Founded ${s.years} ` +
    `years ago.`,
};

function headOf({ is_public }: Scene): string {
  return is_public ? "chief administrator" : "founder";
}

function an(noun: string): string {
  return /^(?:[aeio]|u(?!s|ni))/i.test(noun) ? `an ${noun}` : `a ${noun}`;
}

function number(value: number): string {
  return value.toLocaleString("en-CA");
}
