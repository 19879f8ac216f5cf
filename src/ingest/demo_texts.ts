import type { Kind } from "../contract/vocabulary.ts";

/** What one invented observation is about. Words agree with the language of the company. */
export interface Scene {
  company: string;
  city: string;
  region: string;
  product: string;
  second_product: string;
  need: string;
  facility: string;
  technology: string;
  role: string;
  partner: string;
  /** Millions of dollars. */
  millions: number;
  count: number;
  square_feet: number;
  months: number;
}

/** The three texts of an observation. */
export interface Told {
  fact: string;
  why: string;
  excerpt: string;
}

type Teller = (scene: Scene) => Told;

/** Several ways to tell each kind, so that equal kinds do not read alike. */
export const ENGLISH: Record<Kind, readonly Teller[]> = {
  procurement_request: [
    (s) => ({
      fact: `${s.company} invites bids for ${s.need} in ${s.city}, ${s.region}.`,
      why: `The buyer asks suppliers of ${s.need} to quote within ${s.months} weeks.`,
      excerpt: `Request for proposals: ${s.need}. ${s.company} will award a contract of up to ` +
        `${s.months} months for its ${s.facility}. Bidders must show three comparable deliveries.`,
    }),
    (s) => ({
      fact: `${s.company} is looking for a supplier of ${s.need} for its ${s.product} business.`,
      why: `An open request: the scope, quantities and deadline are published.`,
      excerpt:
        `We are sourcing ${s.need}, about ${s.count} units, delivered to ${s.city}. Offers ` +
        `are scored on price, service within ${s.region} and compatibility with ${s.technology}.`,
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
      fact: `${s.company} is building ${
        an(s.facility)
      } in ${s.city}, ${s.region}, for ${s.product}.`,
      why:
        `A new site needs equipment, contractors and services before it opens in ${s.months} months.`,
      excerpt:
        `Ground was broken on ${an(s.facility)} of ${number(s.square_feet)} square feet in ` +
        `${s.city}. The $${s.millions} million project adds ${s.count} jobs and room for ${s.product}.`,
    }),
    (s) => ({
      fact:
        `${s.company} expands its ${s.facility} in ${s.city} to make room for ${s.second_product}.`,
      why: `Expansion budgets of this size usually include ${s.need}.`,
      excerpt:
        `The expansion doubles capacity for ${s.second_product}. Council of ${s.city} approved ` +
        `the site plan; ${s.company} expects to commission ${s.technology} in the second phase.`,
    }),
    (s) => ({
      fact: `${s.company} leased ${number(s.square_feet)} square feet in ${s.city} for ` +
        `${an(s.facility)}.`,
      why: `Fitting out leased space comes with orders for ${s.need} within months.`,
      excerpt:
        `The lease runs for ten years. Fit-out of the ${s.facility} starts this season, and ` +
        `${s.product} will move there from the older site.`,
    }),
  ],
  funding_round: [
    (s) => ({
      fact: `${s.company} raised $${s.millions} million to scale ${s.product}.`,
      why: `Fresh capital is earmarked for ${s.technology} and ${an(s.facility)}.`,
      excerpt:
        `The round of $${s.millions} million was led by ${s.partner} Ventures. Proceeds go to ` +
        `${s.technology}, hiring in ${s.city} and growth of ${s.product} in ${s.region}.`,
    }),
    (s) => ({
      fact: `${s.company} closed a $${s.millions} million credit facility for its ${s.facility}.`,
      why: `Debt of this kind is drawn against equipment, often ${s.need}.`,
      excerpt:
        `The lender, ${s.partner} Bank, secured the loan on the ${s.facility} in ${s.city}. ` +
        `Repayment follows revenue from ${s.product}.`,
    }),
  ],
  leadership_change: [
    (s) => ({
      fact: `${s.company} appointed a new chief operating officer to lead ${s.product}.`,
      why: `New operations leaders tend to review suppliers in their first two quarters.`,
      excerpt:
        `The board of ${s.company} named an executive from ${s.partner} as chief operating ` +
        `officer, based in ${s.city}, with a mandate to introduce ${s.technology}.`,
    }),
    (s) => ({
      fact: `The founder of ${s.company} in ${s.city} hands over to a new president.`,
      why: `A succession often reopens long-standing contracts, such as those for ${s.need}.`,
      excerpt:
        `After ${s.count} years the founder retires. The incoming president ran ${s.product} ` +
        `at ${s.partner} and plans to modernize the ${s.facility}.`,
    }),
    (s) => ({
      fact: `${s.company} created the post of vice-president, technology.`,
      why: `The post comes with a budget for ${s.technology}.`,
      excerpt:
        `The vice-president will choose vendors for ${s.technology} and report to the chief ` +
        `executive. ${s.company} employs ${s.count} people in ${s.region}.`,
    }),
  ],
  product_launch: [
    (s) => ({
      fact: `${s.company} launched ${s.second_product} beside its ${s.product}.`,
      why: `A new line creates demand for ${s.need} and for distribution.`,
      excerpt:
        `From this month ${s.second_product} is offered to customers in ${s.region}. It was ` +
        `developed over ${s.months} months with ${s.technology}.`,
    }),
    (s) => ({
      fact:
        `${s.company} began a pilot of ${s.second_product} with ${s.count} customers in ${s.city}.`,
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
      excerpt:
        `The consortium shares a $${s.millions} million budget. ${s.company} contributes its ` +
        `experience with ${s.product} and a test site in ${s.city}.`,
    }),
  ],
  technology_use: [
    (s) => ({
      fact: `${s.company} uses ${s.technology} in its ${s.facility}.`,
      why: `Users of ${s.technology} buy maintenance, integration and upgrades for it.`,
      excerpt: `Our team in ${s.city} relies on ${s.technology} every day to deliver ${s.product}.`,
    }),
    (s) => ({
      fact: `${s.company} replaced spreadsheets with ${s.technology} for ${s.product}.`,
      why: `A recent change of tools shows where processes are being modernized.`,
      excerpt:
        `Case study: how ${s.company} introduced ${s.technology} at ${s.count} workstations ` +
        `within ${s.months} months, and what it meant for ${s.product}.`,
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
      fact: `${s.company} advertises ${Math.min(s.count, 12)} openings for the role of ${s.role}.`,
      why: `Hiring several people for one role precedes a new shift or site.`,
      excerpt: `${s.city}: several positions as ${s.role}. Experience with ${s.technology} is an ` +
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
      excerpt:
        `From ${s.city}, ${s.company} serves customers across ${s.region} with ${s.product}. ` +
        `The company also offers ${s.second_product}.`,
    }),
  ],
};

function an(noun: string): string {
  return /^(?:[aeio]|u(?!s|ni))/i.test(noun) ? `an ${noun}` : `a ${noun}`;
}

function number(value: number): string {
  return value.toLocaleString("en-CA");
}
