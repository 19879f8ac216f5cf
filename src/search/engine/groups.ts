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

/** A hash table of places in `companies`. */
export function hashCompanies(companies: Float64Array): Uint16Array {
  const slots = new Uint16Array(2 ** Math.ceil(Math.log2(1.5 * companies.length + 1))).fill(EMPTY);
  companies.forEach((company, place) => {
    let slot = hashCompany(company) & (slots.length - 1);
    while (slots[slot] !== EMPTY) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = place;
  });
  return slots;
}

/** The place of a company, or -1. */
export function findCompany(
  { companies, companySlots }: { companies: Float64Array; companySlots: Uint16Array },
  company: number,
): number {
  const mask = companySlots.length - 1;
  for (let slot = hashCompany(company) & mask;; slot = (slot + 1) & mask) {
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
