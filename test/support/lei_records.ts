/** LEI records in the formats of both publications: the golden copy and the API. */

/** LEI of the default record. */
export const LEI = "5493004MCF8JDC86VS77";

/** Values of a record. Absent members have the values of the default record, EQUIFAX INC. */
export interface Parts {
  lei?: string;
  name?: string;
  country?: string;
  category?: string;
  legal_form?: object;
  office_city?: string;
  office_region?: string;
  status?: string;
  registration?: string;
  corroboration?: string;
  updated?: string;
  created?: string;
}

const text = ($: string) => ({ $ });

/** Returns a record of the golden copy. */
export function golden(parts: Parts = {}) {
  const country = parts.country ?? "US";
  const address = {
    "@xml:lang": "en",
    FirstAddressLine: text("c/o Jane Doe"),
    MailRouting: text("c/o Jane Doe"),
  };
  return {
    LEI: text(parts.lei ?? LEI),
    Entity: {
      LegalName: { "@xml:lang": "en", $: parts.name ?? "EQUIFAX INC." },
      OtherEntityNames: {
        OtherEntityName: [
          { "@type": "PREVIOUS_LEGAL_NAME", $: "RETAIL CREDIT COMPANY" },
          { "@type": "TRADING_OR_OPERATING_NAME", $: "EQUIFAX INC." },
          { "@type": "TRADING_OR_OPERATING_NAME", $: "EQUIFAX" },
        ],
      },
      LegalAddress: {
        ...address,
        City: text("Peachtree Corners"),
        Region: text(`${country}-GA`),
        Country: text(country),
        PostalCode: text("30092"),
      },
      HeadquartersAddress: {
        ...address,
        City: text(parts.office_city ?? "Atlanta"),
        Region: text(parts.office_region ?? "US-GA"),
        Country: text("US"),
        PostalCode: text("30309"),
      },
      RegistrationAuthority: {
        RegistrationAuthorityID: text("RA000604"),
        RegistrationAuthorityEntityID: text("J306699"),
      },
      LegalJurisdiction: text("US-GA"),
      EntityCategory: text(parts.category ?? "GENERAL"),
      LegalForm: parts.legal_form ?? { EntityLegalFormCode: text("MFYJ") },
      EntityStatus: text(parts.status ?? "ACTIVE"),
      EntityCreationDate: text(parts.created ?? "1913-12-19T00:00:00.000Z"),
    },
    Registration: {
      LastUpdateDate: text(parts.updated ?? "2024-05-04T19:02:29+02:00"),
      RegistrationStatus: text(parts.registration ?? "ISSUED"),
      NextRenewalDate: text("2025-05-03T21:55:00.000Z"),
      ValidationSources: text(parts.corroboration ?? "FULLY_CORROBORATED"),
    },
  };
}

/** The record of golden() without parts, in the format of the API. */
export const API_RECORD = {
  type: "lei-records",
  id: LEI,
  attributes: {
    lei: LEI,
    entity: {
      legalName: { name: "EQUIFAX INC.", language: "en" },
      otherNames: [
        { name: "RETAIL CREDIT COMPANY", language: "en", type: "PREVIOUS_LEGAL_NAME" },
        { name: "EQUIFAX", language: "en", type: "TRADING_OR_OPERATING_NAME" },
      ],
      legalAddress: {
        language: "en",
        addressLines: ["c/o Jane Doe"],
        mailRouting: "c/o Jane Doe",
        city: "Peachtree Corners",
        region: "US-GA",
        country: "US",
        postalCode: "30092",
      },
      headquartersAddress: {
        language: "en",
        addressLines: ["c/o Jane Doe"],
        mailRouting: null,
        city: "Atlanta",
        region: "US-GA",
        country: "US",
        postalCode: "30309",
      },
      registeredAt: { id: "RA000604", other: null },
      registeredAs: "J306699",
      jurisdiction: "US-GA",
      category: "GENERAL",
      legalForm: { id: "MFYJ", other: null },
      status: "ACTIVE",
      creationDate: "1913-12-19T00:00:00Z",
    },
    registration: {
      initialRegistrationDate: "2012-06-06T15:53:00Z",
      lastUpdateDate: "2024-05-04T17:02:29Z",
      status: "ISSUED",
      nextRenewalDate: "2025-05-03T21:55:00Z",
      managingLou: "5493001KJTIIGC8Y1R12",
      corroborationLevel: "FULLY_CORROBORATED",
    },
  },
};

/** The record of golden() without parts, in the CSV form of the golden copy. */
export const GOLDEN_CSV = [
  ["LEI", LEI],
  ["Entity.LegalName", "EQUIFAX INC."],
  ["Entity.LegalName.xmllang", "en"],
  ["Entity.OtherEntityNames.OtherEntityName.1", "RETAIL CREDIT COMPANY"],
  ["Entity.OtherEntityNames.OtherEntityName.1.xmllang", "en"],
  ["Entity.OtherEntityNames.OtherEntityName.1.type", "PREVIOUS_LEGAL_NAME"],
  ["Entity.OtherEntityNames.OtherEntityName.2", "EQUIFAX"],
  ["Entity.OtherEntityNames.OtherEntityName.2.xmllang", "en"],
  ["Entity.OtherEntityNames.OtherEntityName.2.type", "TRADING_OR_OPERATING_NAME"],
  ["Entity.LegalAddress.FirstAddressLine", "c/o Jane Doe"],
  ["Entity.LegalAddress.City", "Peachtree Corners"],
  ["Entity.LegalAddress.Region", "US-GA"],
  ["Entity.LegalAddress.Country", "US"],
  ["Entity.LegalAddress.PostalCode", "30092"],
  ["Entity.HeadquartersAddress.FirstAddressLine", "c/o Jane Doe"],
  ["Entity.HeadquartersAddress.City", "Atlanta"],
  ["Entity.HeadquartersAddress.Region", "US-GA"],
  ["Entity.HeadquartersAddress.Country", "US"],
  ["Entity.HeadquartersAddress.PostalCode", "30309"],
  ["Entity.RegistrationAuthority.RegistrationAuthorityID", "RA000604"],
  ["Entity.RegistrationAuthority.RegistrationAuthorityEntityID", "J306699"],
  ["Entity.LegalJurisdiction", "US-GA"],
  ["Entity.EntityCategory", "GENERAL"],
  ["Entity.LegalForm.EntityLegalFormCode", "MFYJ"],
  ["Entity.EntityStatus", "ACTIVE"],
  ["Entity.EntityCreationDate", "1913-12-19T00:00:00.000Z"],
  ["Registration.LastUpdateDate", "2024-05-04T19:02:29+02:00"],
  ["Registration.RegistrationStatus", "ISSUED"],
  ["Registration.NextRenewalDate", "2025-05-03T21:55:00.000Z"],
  ["Registration.ValidationSources", "FULLY_CORROBORATED"],
].reduce(
  ([header, row], [name, cell], at) => {
    const separator = at === 0 ? "" : ",";
    return [`${header}${separator}"${name}"`, `${row}${separator}"${cell}"`];
  },
  ["", ""],
).map((line) => `${line}\r\n`).join("");
