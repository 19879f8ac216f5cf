/** The closed vocabularies of the wire (specification 2, Observation). */

export const KINDS = [
  "procurement_request",
  "facility_expansion",
  "funding_round",
  "leadership_change",
  "product_launch",
  "partnership",
  "technology_use",
  "job_posting",
  "company_profile",
] as const;
export type Kind = (typeof KINDS)[number];

export const DEMAND_CLASSES = ["explicit_request", "proxy", "structural"] as const;
export type DemandClass = (typeof DEMAND_CLASSES)[number];

export const COUNTRIES = ["CA", "US"] as const;
export type Country = (typeof COUNTRIES)[number];

/** NAICS 2022 sectors with their titles (US Census Bureau, 2022 NAICS). */
export const SECTORS = {
  "11": "Agriculture, Forestry, Fishing and Hunting",
  "21": "Mining, Quarrying, and Oil and Gas Extraction",
  "22": "Utilities",
  "23": "Construction",
  "31-33": "Manufacturing",
  "42": "Wholesale Trade",
  "44-45": "Retail Trade",
  "48-49": "Transportation and Warehousing",
  "51": "Information",
  "52": "Finance and Insurance",
  "53": "Real Estate and Rental and Leasing",
  "54": "Professional, Scientific, and Technical Services",
  "55": "Management of Companies and Enterprises",
  "56": "Administrative and Support and Waste Management and Remediation Services",
  "61": "Educational Services",
  "62": "Health Care and Social Assistance",
  "71": "Arts, Entertainment, and Recreation",
  "72": "Accommodation and Food Services",
  "81": "Other Services (except Public Administration)",
  "92": "Public Administration",
} as const;
export type Sector = keyof typeof SECTORS;
export const SECTOR_CODES = Object.keys(SECTORS) as [Sector, ...Sector[]];
