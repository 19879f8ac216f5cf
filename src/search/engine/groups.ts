/** Documents grouped by a small number, and companies found by their ids. */

export interface Groups {
  /** A document's group. */
  of: Uint16Array;
  /** Where a group's members start, and at last where they end. */
  starts: Uint32Array;
  members: Uint16Array;
}

export function group(of: Uint16Array, groups: number): Groups {
  const starts = new Uint32Array(groups + 1);
  for (const own of of) starts[own + 1]!++;
  for (let place = 0; place < groups; place++) starts[place + 1]! += starts[place]!;
  const next = starts.slice();
  const members = new Uint16Array(of.length);
  of.forEach((own, document) => members[next[own]!++] = document);
  return { of, starts, members };
}

const EMPTY = 0xffff;

const SLOTS_PER_COMPANY = 4 / 3;

/** The upper bits of a hash tell its slot, so that a table may have any length. */
function slotOf(company: number, { length }: Uint16Array): number {
  return Math.floor((hashCompany(company) >>> 0) * length / 2 ** 32);
}

/** A hash table of places in `companies`. */
export function hashCompanies(companies: Float64Array): Uint16Array {
  const slots = new Uint16Array(Math.ceil(SLOTS_PER_COMPANY * companies.length) + 1).fill(EMPTY);
  companies.forEach((company, place) => {
    let slot = slotOf(company, slots);
    while (slots[slot] !== EMPTY) slot = slot + 1 === slots.length ? 0 : slot + 1;
    slots[slot] = place;
  });
  return slots;
}

/** The place of a company, or -1. */
export function findCompany(
  { companies, companySlots }: { companies: Float64Array; companySlots: Uint16Array },
  company: number,
): number {
  const { length } = companySlots;
  for (let slot = slotOf(company, companySlots);; slot = slot + 1 === length ? 0 : slot + 1) {
    const place = companySlots[slot]!;
    if (place === EMPTY) return -1;
    if (companies[place] === company) return place;
  }
}

/** Of a safe integer; may be negative. */
export function hashCompany(id: number): number {
  const value = Math.imul((id ^ Math.imul(id / 2 ** 32, 0x85ebca6b)) | 0, 0x9e3779b1);
  return value ^ (value >>> 15);
}
