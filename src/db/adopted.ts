/** Recognizes the migrations of earlier versions, which the scripts of sql/ have replaced. */

/** SHA-256 of each replaced migration by its name, in the order in which they ran. */
export const ADOPTED: ReadonlyMap<string, string> = new Map([
  ["0001_accounts", "c28f66132c66b85189ca503d99df8840bb4164bcdc0532e788b0bab31375d0cc"],
  ["0002_dataset", "3efa88f329b6b0dfb42c31058fe2709728aea3e024b693ae84959c9baa3ee274"],
  ["0003_operations", "953f7d7183bf05c6b6f4123c7df77b62efde962c6d6f908b4686427220b648db"],
  ["0004_listing_and_refresh", "2731fe0ded74e120d82858f5b5002877c4e745cd8a839273959bca5a69dbdb3b"],
  ["0005_dataset_id", "40aec8e53b82e87ed1b8561061ac15c0558c12c21bee396204b695a3f675ab0d"],
  ["0006_company_resolution", "381871d9ef42376090369fefb513c2c4959c188c93173350863f4008ae560d87"],
  ["0007_source_refresh", "22c59c02795c9bf6d2d8c4c0e1b453b78bc569e9f88ca964a0261bb88d5ddc14"],
  ["0008_acquisition", "96673775a67679eb8740e0daed8e193e80576e80fd2bf77fa295d6e03f1126e5"],
  ["0009_semantic_models", "37c75d50f9d186faeb82022cbb62f4846dc216ca83e136180831f25540564082"],
  ["0010_embeddings", "75f17867ed380984595a889288958eb23c13270a9af551585bb15b8001227fac"],
  [
    "0011_forms_and_corrections",
    "b43445c5d1922f5718302cbb4663ef31c3fc3e7625e9deb0d6ce896021eba512",
  ],
  ["0012_embedding_upkeep", "626edfa53e44c6082349ebed0c590b003c4160d8fee9cb786f89781c19821a4d"],
  [
    "0014_relisted_observations",
    "1aba29bb985cd8b31072e63f6e2008174d4ba34e36f40a5662c76aa75fdb0cc3",
  ],
  ["0015_texts_and_facets", "81a7db5a4704b272d4bdb9fc4a4098e6381b7cb4379f167822575923b5a91c52"],
  ["0016_company_join_names", "c7a1761e0ae49a62ffe3bb8e8e27d87bd14d1c928a4025d4532efc0de4b950f4"],
  ["0018_excerpt_length", "4f54e6e036884a576e43ae7b460a22daa897c43f824f23ef994844fc0bec0106"],
  ["0019_ready_pieces", "6b00d065ac47389d8941f30d61d8779dbc02f04bae90c699200ef25c553fad04"],
]);

/**
 * Returns whether the replaced migrations have been applied. They created the same objects as the
 * scripts. Their rows stay in the table `migrations`, because replicas of the previous version
 * check them.
 *
 * @param applied checksums by the names of migrations
 * @throws Error if the database has only some of the replaced migrations, or a changed one
 */
export function isAdopted(applied: ReadonlyMap<string, string>): boolean {
  const names = [...ADOPTED.keys()].filter((name) => name !== UNCHANGED);
  if (!names.some((name) => applied.has(name))) return false;
  for (const [name, checksum] of ADOPTED) {
    const recorded = applied.get(name);
    if (recorded === checksum) continue;
    throw new Error(
      recorded === undefined
        ? `The database lacks the migration ${name}: first start the previous version once.`
        : `The migration ${name} was changed after it had been applied.`,
    );
  }
  return true;
}

/** Name of the one migration of earlier versions that is still a script, with the same text. */
const UNCHANGED = "0001_accounts";

/** Names of the scripts that replace the migrations. */
export const REPLACEMENTS: ReadonlySet<string> = new Set([
  UNCHANGED,
  "0002_operations",
  "0003_dataset",
  "0004_search",
]);
