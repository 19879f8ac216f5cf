/** Makes notices of SAM.gov in both formats: the answer of the API and the daily extract. */

const CONTACT = { fullName: "Jane Doe", email: "jane.doe@gsa.gov", phone: "202-555-0123" };

/**
 * Returns an answer of the API with one notice per part, each on a separate line. Members that a
 * part omits have default values.
 */
export function answer(...parts: Record<string, unknown>[]): string {
  const notices = parts.map((part, index) =>
    JSON.stringify({
      noticeId: `a${index}`,
      title: "Roof repair",
      solicitationNumber: "47PD-1",
      fullParentPathName: "GENERAL SERVICES ADMINISTRATION.PUBLIC BUILDINGS SERVICE.PBS R8",
      fullParentPathCode: "047.4740.47PD51",
      postedDate: "2026-02-02",
      type: "Solicitation",
      responseDeadLine: "2026-03-02T16:00:00-05:00",
      naicsCode: "238160",
      classificationCode: "Z2AA",
      active: "Yes",
      award: null,
      pointOfContact: [CONTACT],
      description: "https://api.sam.gov/prod/opportunities/v1/noticedesc?noticeid=a",
      uiLink: null,
      ...part,
    })
  );
  return `{"totalRecords": ${parts.length}, "opportunitiesData": [\n${notices.join(",\n")}\n]}\n`;
}

/** Names of all columns of the daily extract. */
const EXTRACT = [
  "NoticeId,Title,Sol#,Department/Ind.Agency,CGAC,Sub-Tier,FPDS Code,Office,AAC Code,PostedDate",
  "Type,BaseType,ArchiveType,ArchiveDate,SetASideCode,SetASide,ResponseDeadLine,NaicsCode",
  "ClassificationCode,PopStreetAddress,PopCity,PopState,PopZip,PopCountry,Active,AwardNumber",
  "AwardDate,Award$,Awardee,PrimaryContactTitle,PrimaryContactFullname,PrimaryContactEmail",
  "PrimaryContactPhone,PrimaryContactFax,SecondaryContactTitle,SecondaryContactFullname",
  "SecondaryContactEmail,SecondaryContactPhone,SecondaryContactFax,OrganizationType,State,City",
  "ZipCode,CountryCode,AdditionalInfoLink,Link,Description",
].join(",").split(",");

/** Returns a daily extract with one row per part. Columns that a part omits have default values. */
export function extract(...parts: Record<string, string>[]): string {
  const rows = parts.map((part, index) => {
    const row: Record<string, string> = {
      NoticeId: `c${index}`,
      Title: "Roof repair",
      "Department/Ind.Agency": "INTERIOR, DEPARTMENT OF THE",
      CGAC: "014",
      "Sub-Tier": "NATIONAL PARK SERVICE",
      "FPDS Code": "1443",
      Office: "DSC CONTRACTING SERVICES DIVISION",
      "AAC Code": "140P20",
      PostedDate: "2026-02-02 09:30:00.123-05",
      Type: "Solicitation",
      ResponseDeadLine: "2026-03-02T16:00:00-05:00",
      PopCountry: "USA",
      Active: "Yes",
      PrimaryContactFullname: "Jane Doe",
      PrimaryContactEmail: "jane.doe@nps.gov",
      PrimaryContactPhone: "202-555-0123",
      ...part,
    };
    return EXTRACT.map((name) => `"${(row[name] ?? "").replaceAll('"', '""')}"`).join(",");
  });
  return [EXTRACT.map((name) => `"${name}"`).join(","), ...rows].join("\r\n") + "\r\n";
}
