import { readsAll } from "./asked.ts";

Deno.test("resolve() reads a span of closing dates between two days", () => {
  readsAll({
    "tenders closing between June 20 and July 31":
      "procurement_request; closes 2027-06-20..2027-08-01",
    "tenders closing between 1 and 15 December 2026":
      "procurement_request; closes 2026-12-01..2026-12-16",
    "tenders closing between December 1 and 20":
      "procurement_request; closes 2026-12-01..2026-12-21",
    "appels d'offres qui ferment entre le 5 et le 20 décembre":
      "procurement_request; closes 2026-12-05..2026-12-21",
    "soumissions fermant du 3 au 10 janvier": "procurement_request; closes 2027-01-03..2027-01-11",
    "RFPs with a closing date between 2026-12-01 and 2026-12-15":
      "document:rfp; procurement_request; closes 2026-12-01..2026-12-16",
    "tenders closing between December and February":
      "procurement_request; closes 2026-12-01..2027-03-01",
  });
});

Deno.test("resolve() completes the year of a day from the other end of the span", () => {
  readsAll({
    "bids due between Dec 3 and Jan 15": "procurement_request; closes 2026-12-03..2027-01-16",
    "tenders due from December 1, 2027 to January 31":
      "procurement_request; closes 2027-12-01..2028-02-01",
    "tenders due from December 1 to January 31, 2029":
      "procurement_request; closes 2028-12-01..2029-02-01",
  });
});

Deno.test("resolve() reads a closing day without a year as the next such day", () => {
  readsAll({
    "tenders closing on February 28": "procurement_request; closes 2027-02-28..2027-03-01",
    "tenders closing on February 29": "procurement_request; closes 2028-02-29..2028-03-01",
    "appels d'offres qui ferment le 29 février":
      "procurement_request; closes 2028-02-29..2028-03-01",
    "tenders closing between February 20 and February 29":
      "procurement_request; closes 2028-02-20..2028-03-01",
  });
});

Deno.test("resolve() reads a span of events in the past", () => {
  readsAll({
    "web between May 3 and May 20": "web; industry:web→0; occurred 2026-05-03..2026-05-21",
    "web du 5 au 20 mars 2012": "web; industry:web→0; occurred 2012-03-05..2012-03-21",
    "tenders closed between May 3 and May 20": "procurement_request; closes 2026-05-03..2026-05-21",
  });
});

Deno.test("resolve() reads no span from numbers that are not days", () => {
  readsAll({
    "web between 5 and 10 million": "web; industry:web→0; 5000000..10000000",
    "snow between 5 and 10": "snow 10",
  });
});

Deno.test("resolve() assumes tenders for a closing date, unless the query names another kind", () => {
  readsAll({
    "snow removal closing before December 15":
      "snow removal; procurement_request; closes ..2026-12-15",
    "jobs closing before December 15": "job_posting; closes ..2026-12-15",
  });
});
