/** Generates records for the ingest benches. They are as large as real records. */

const WORDS =
  ("expansion plant facility capacity equipment warehouse regional production line new " +
    "contract supplier investment hiring software cloud platform steel polymer battery logistics " +
    "hospital municipal network upgrade maintenance automation robotics packaging water energy solar " +
    "phase announced completed plans regulator approval timeline budget million procurement service")
    .split(" ");

const KINDS = [
  "facility_expansion",
  "product_launch",
  "partnership",
  "technology_use",
  "job_posting",
];

/** Returns record `n`. Ten records share a company and its hostname. Each has one evidence item. */
export function benchRecord(n: number) {
  const company = Math.floor(n / 10);
  const day = new Date(Date.UTC(2025, 0, 1) + (n % 500) * 86_400_000).toISOString();
  return {
    source: "bench",
    external_id: `b-${n}`,
    company: {
      name: `Bench Company ${company}`,
      external_id: `c-${company}`,
      domains: [`company-${company}.example`],
    },
    kind: KINDS[n % KINDS.length]!,
    observed_fact: words(n, 24),
    why_it_may_matter: words(n + 7, 18),
    demand_class: "proxy",
    country: n % 2 === 0 ? "CA" : "US",
    confidence: 0.8,
    occurred_at: day,
    observed_at: day,
    expires_at: null,
    categories: ["31-33"],
    evidence: [{
      source_uri: `https://company-${company}.example/news/${n}`,
      excerpt: words(n + 13, 60),
      occurred_at: day,
      observed_at: day,
    }],
  };
}

/** Writes a file of records, one per line. */
export async function writeRecords(path: string, lines: number): Promise<void> {
  const file = await Deno.create(path);
  const encoder = new TextEncoder();
  async function* chunks() {
    for (let at = 0; at < lines; at += 1_000) {
      const count = Math.min(1_000, lines - at);
      const texts = Array.from({ length: count }, (_, n) => JSON.stringify(benchRecord(at + n)));
      yield await Promise.resolve(encoder.encode(texts.join("\n") + "\n"));
    }
  }
  await ReadableStream.from(chunks()).pipeTo(file.writable);
}

function words(seed: number, count: number): string {
  let state = seed >>> 0;
  let text = "";
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    text += (i === 0 ? "" : " ") + WORDS[(state >>> 8) % WORDS.length];
  }
  return text;
}
