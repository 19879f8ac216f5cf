import type { Wanted } from "./demo_judge.ts";

/** Pattern of subjects of cold storage, in either language. */
export const COLD = /cold storage|refrigerat|reefer|frigorifique|réfrigér/i;

/** English questions with their criteria: see demo_questions.ts. */
export const ENGLISH: [string, Wanted][] = [
  ["cold storage expansion in Canada", {
    kinds: ["facility_expansion"],
    about: COLD,
    country: "CA",
  }],
  ["Who is asking for bids on refrigeration systems?", {
    kinds: ["procurement_request"],
    about: COLD,
  }],
  ["tenders for security cameras", {
    kinds: ["procurement_request"],
    about: /security camera|caméras de sécurité/i,
    near: /alarm|surveillance|patrol/i,
  }],
  ["American manufacturers opening a new plant since January", {
    kinds: ["facility_expansion"],
    country: "US",
    sectors: ["31-33"],
    after: "2026-01-01",
  }],
  ["hospitals and clinics hiring nurses", {
    kinds: ["job_posting"],
    sectors: ["62"],
    about: /nurse|infirmi/i,
    near: /therapist|technologist|support worker|bénéficiaires|thérapeute|technologue/i,
  }],
  ["companies that raised funding in the last quarter", {
    kinds: ["funding_round"],
    after: "2026-01-01",
    before: "2026-04-01",
  }],
  ["RFPs from public bodies in Canada", {
    kinds: ["procurement_request"],
    sectors: ["92"],
    country: "CA",
  }],
  ["software companies hiring engineers, not in the United States", {
    kinds: ["job_posting"],
    sectors: ["51"],
    country: "CA",
    about: /engineer|ingénieur|développeur/i,
    near: /architect|designer|programm/i,
  }],
  ["welding robots", { about: /robotic welding/i, near: /welding|soudage/i }],
  ["new chief executive at an insurer or credit union", {
    kinds: ["leadership_change"],
    sectors: ["52"],
    trade: /Insurance|Credit Union|Assurances|Caisse/,
  }],
  ["trucking and logistics firms looking for suppliers", {
    kinds: ["procurement_request"],
    sectors: ["48-49"],
  }],
  ["construction companies that got financing, not roofing", {
    kinds: ["funding_round"],
    sectors: ["23"],
    not: /roofing|couverture|toiture/i,
  }],
  ['"battery storage site" projects', {
    about: /battery storage site/i,
    near: /parc de batteries|stockage d'énergie/i,
  }],
  ["mining companies in Canada building tailings facilities", {
    kinds: ["facility_expansion"],
    sectors: ["21"],
    country: "CA",
    about: /tailings|résidus/i,
  }],
  ["restaurants and hotels buying kitchen equipment", {
    kinds: ["procurement_request"],
    sectors: ["72"],
    about: /dishwasher|freezer|espresso|kitchen|lave-vaisselle|chambres froides/i,
    near: /seating|solar|linen|literie/i,
  }],
  ["explicit requests for actuarial consulting", {
    kinds: ["procurement_request"],
    about: /actuar/i,
  }],
  ["retailers that launched new products in the past 60 days", {
    kinds: ["product_launch"],
    sectors: ["44-45"],
    after: "2026-04-16",
  }],
  ["US farms buying irrigation or lighting", {
    kinds: ["procurement_request"],
    sectors: ["11"],
    country: "US",
    about: /irrigation|lighting/i,
    near: /bins|screens|fans/i,
  }],
  ["who uses Kubernetes", { kinds: ["technology_use"], about: /Kubernetes/i, near: /conteneurs/i }],
  ["colleges and schools with open tenders", { kinds: ["procurement_request"], sectors: ["61"] }],
  ["waste and recycling companies expanding", {
    kinds: ["facility_expansion"],
    trade: /Recycl|Remediation/,
  }],
  ["food manufacturers with new facilities, without frozen meals", {
    kinds: ["facility_expansion"],
    sectors: ["31-33", "42", "44-45", "72"],
    about: /storage|warehouse|distribution|kitchen|entrepôt|cuisine/i,
    not: /plant-based meals|repas surgelés/i,
  }],
  ["partnership announcements in health care", { kinds: ["partnership"], sectors: ["62"] }],
  ["wind or hydro power producers, without gas", {
    sectors: ["22"],
    trade: /Power|Hydro|Énergie/,
    not: /gas delivery|gaz naturel/i,
  }],
  ["executives replaced at companies in Texas and Oklahoma", {
    kinds: ["leadership_change"],
    region: /Texas|Oklahoma/,
  }],
  ["expansions since last fall except warehouses", {
    kinds: ["facility_expansion"],
    after: "2025-09-22",
    not: /warehouse|entrepôt/i,
  }],
  ["job openings for drivers and diesel mechanics", {
    kinds: ["job_posting"],
    about: /driver|diesel|camionneur|chauffeur/i,
    near: /mechanic|mécanicien|dispatch|répartiteur/i,
  }],
  ["companies purchasing forklifts or reach trucks", {
    kinds: ["procurement_request"],
    about: /forklift|reach truck|chariots élévateurs/i,
    near: /\bracking|palettiers/i,
  }],
  ["snow removal contracts", {
    kinds: ["procurement_request"],
    about: /snow removal|déneigement/i,
    near: /road salt|sel de voirie/i,
  }],
  ["Canadian data centres needing backup generators or cooling", {
    kinds: ["procurement_request"],
    country: "CA",
    about: /generators|cooling units/i,
  }],
  ["news about sister-mills.example", { hostname: "sister-mills.example" }],
  ["real estate developers building in Canada this year", {
    kinds: ["facility_expansion"],
    sectors: ["53"],
    country: "CA",
    after: "2026-01-01",
  }],
  ["museums and theatres seeking suppliers", {
    kinds: ["procurement_request"],
    trade: /Theatres|Museums|Théâtre|Musée/,
  }],
  ["payment companies with growth news, except job postings", {
    trade: /Payments|Paiements/,
    not_kinds: ["job_posting", "company_profile", "technology_use"],
  }],
  ["in 2025: who raised money?", {
    kinds: ["funding_round"],
    after: "2025-01-01",
    before: "2026-01-01",
  }],
  ["fleet telematics units", {
    about: /telematics|télématiques/i,
    near: /fleet tracking|balises/i,
  }],
];
