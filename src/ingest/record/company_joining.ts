/**
 * Computes the names, places and sectors by which a company is joined with a company of another
 * source.
 */
import { sectorsOfIndustry } from "../classify/industry_sectors.ts";
import { legalFormOf, normalizeName } from "./company_name.ts";
import type { NormalFacets } from "./facets.ts";

/** A record's statements about its company, in the form that join_by_name.sql compares. */
interface Joining {
  /** `is_ordinary` is true for a name of only short or common words, which many companies have. */
  names: { name: string; form: string; is_current: boolean; is_ordinary: boolean }[];
  /**
   * Regions ("US-CA") and cities ("US-CA/santa clara"). A profile without a region has only its
   * country ("US").
   */
  places: string[];
  /** NAICS sectors that the source states as codes or words. */
  sectors: string[];
  /** Sectors that are only likely. They can join two companies, but never keep them apart. */
  likely_sectors: string[];
}

/** The fields of a record that are used for joins. */
interface JoinFields {
  normalized_name: string;
  legal_form: string;
  company_external_id: string | null;
  kind: string;
  country: string;
  categories: readonly string[];
  facets: NormalFacets;
}

/** Kinds whose place is the place of the work. The company may be elsewhere. */
const KINDS_WITH_PLACE_OF_WORK = new Set([
  "procurement_request",
  "job_posting",
  "facility_expansion",
]);

/**
 * Likely NAICS sectors of a company with the facet `technologies`, because such a company probably
 * develops software.
 */
const SECTORS_OF_DEVELOPERS = ["51", "54"];

/**
 * Returns a record's statements for joins. Returns null for KINDS_WITH_PLACE_OF_WORK, if the source
 * gives no external id of the company, or if all names consist of generic words and numbers. A
 * record that is not a profile also gives null if it states neither region, sector nor
 * technologies.
 */
export function joiningOf(record: JoinFields): Joining | null {
  if (record.company_external_id === null || KINDS_WITH_PLACE_OF_WORK.has(record.kind)) return null;
  const { industry, technologies } = record.facets;
  const isProfile = record.kind === "company_profile";
  const regions = placesOf(record.facets);
  const sectors = sectorsOf(record.categories, industry ?? "");
  if (!isProfile && regions.length === 0 && sectors.length === 0 && technologies == null) {
    return null;
  }
  const names = namesOf(record);
  if (names.length === 0) return null;
  return {
    names,
    places: regions.length === 0 && isProfile ? [record.country] : regions,
    sectors,
    likely_sectors: technologies == null ? [] : SECTORS_OF_DEVELOPERS,
  };
}

function sectorsOf(categories: readonly string[], industry: string): string[] {
  const sectors = [...categories];
  for (const sector of sectorsOfIndustry(industry)) {
    if (!sectors.includes(sector)) sectors.push(sector);
  }
  return sectors.sort();
}

/** Returns the current name and the former names, without duplicates. */
function namesOf({ normalized_name, legal_form, facets }: JoinFields): Joining["names"] {
  const current = nameOf(normalized_name, legal_form, true);
  const names = current === undefined ? [] : [current];
  for (const formerName of facets.former_names ?? []) {
    const former = nameOf(normalizeName(formerName), legalFormOf(formerName), false);
    if (former !== undefined && !names.some(({ name }) => name === former.name)) names.push(former);
  }
  return names;
}

/**
 * Matches a number. Numbers do not distinguish names, because many names contain the same number.
 */
const NUMBER = /^[\d+]*$/;

function nameOf(
  normalized: string,
  form: string,
  isCurrent: boolean,
): Joining["names"][number] | undefined {
  const words = normalized.split(/[ &]+/);
  const distinctive = words.filter((word) => !GENERIC_WORDS.has(word) && !NUMBER.test(word));
  if (distinctive.length === 0) return undefined;
  return {
    name: words.join(""),
    form,
    is_current: isCurrent,
    is_ordinary: distinctive.every(isOrdinary),
  };
}

function isOrdinary(word: string): boolean {
  return word.length <= 3 || ORDINARY_WORDS.has(word) ||
    (word.endsWith("s") && ORDINARY_WORDS.has(word.slice(0, -1)));
}

function placesOf({ places = [] }: NormalFacets): string[] {
  const codes = new Set<string>();
  for (const { country, region, city } of places as JoinPlace[]) {
    if (country === undefined || region === undefined) continue;
    codes.add(`${country}-${region}`);
    if (city !== undefined) codes.add(`${country}-${region}/${foldCity(city)}`);
  }
  return [...codes].sort();
}

interface JoinPlace {
  country?: string;
  region?: string;
  city?: string;
}

/** Cache of folded names of cities. Records have few distinct cities. */
const FOLDED_CITIES = new Map<string, string>();
/** Max number of cached names. The number is chosen. */
const FOLDED_CITIES_MAX = 10_000;

function foldCity(city: string): string {
  const known = FOLDED_CITIES.get(city);
  if (known !== undefined) return known;
  const folded = city.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  if (FOLDED_CITIES.size >= FOLDED_CITIES_MAX) FOLDED_CITIES.clear();
  FOLDED_CITIES.set(city, folded);
  return folded;
}

/** Words that occur in many names of companies. Only the other words identify a company. */
const GENERIC_WORDS: ReadonlySet<string> = words(`
  the of for and in by at on to a an de la le les des du et
  capital partners partner health healthcare holdings holding group groupe international intl global
  worldwide technologies technology tech systems system solutions solution services service software
  labs lab laboratory laboratories media networks network digital data financial finance bank
  banking bancorp bancorporation bancshares bankshares trust fund funds fonds equity income growth
  energy power resources resource industries industry pharmaceuticals pharmaceutical pharma
  therapeutics biosciences bioscience biotech biotechnology biotechnologies biotherapeutics
  biopharma biopharmaceuticals biomedical biologics genetics genomics sciences science scientific
  medical medicine medtech mobile communications communication telecom wireless broadband
  investments investment investors ventures venture management advisors advisory associates
  consulting consultants properties property realty real estate homes insurance interactive
  entertainment productions studios studio design designs games gaming game education learning
  foods food beverage beverages brands brand products product enterprises enterprise development
  developments acquisition acquisitions corp corporation inc incorporated ltd limited llc lp llp
  company companies co american america americas national nationwide federal united first us usa
  canada canadian canadien north south east west northern southern eastern western northwest
  southwest northeast southeast central pacific atlantic new general city state county municipal
  university college school academy hospital center centre institute foundation association society
  church club department ministry agency office bureau public community com net org io app apps ai
  online web internet cloud security secure analytics diagnostics devices robotics semiconductor
  semiconductors electronics electronic electric engineering construction manufacturing materials
  metals mining mines minerals gold silver oil gas petroleum water solar wind renewables transport
  transportation logistics shipping aviation aerospace automotive motors airlines hotels hotel
  restaurants restaurant retail store stores shop market markets marketing advertising research
  innovations innovation innovative applied advanced integrated creative strategic strategies
  commerce payments payment credit lending mortgage asset assets wealth series class portfolio
  opportunity opportunities i ii iii iv v vi vii viii ix x
`);

/** Common words, first names and places. The names of many companies consist only of such words. */
const ORDINARY_WORDS: ReadonlySet<string> = words(`
  able access ace active acorn acme action adam adapt advance advantage affinity agile aim air alamo alert
  alex alice align alliance allied alloy ally alpha alpine alta alto amber ample anchor angel angle
  anthem apex apollo apple arbor arc arch archer arena argo argyle ark arrow artemis artisan ascend
  ascent ash aspect aspen aspire assembly assist aster astra atlas atom audio august aura aurora
  austin author auto avalon avenue aviator awake axis axiom axle azure badge balance bamboo banner bar bark barn
  base basis basin bay beach beacon beam bear beat beauty bell benchmark berkeley best beta better
  beyond big bird birch bit black blade blaze blend blink block bloom blossom blue board boat bold bolt bond
  book boom boost border boston boulder bounce box brain branch brave break breeze brick bridge brief
  bright brightness broad brook brooklyn bubble buffer build builder bull bundle burst business butter button buzz
  cabin cable cactus calm cambridge camp campus candle canopy canvas canyon cape cardinal care career
  cargo carbon card carousel cascade case cash castle catalyst cedar cell century certain chain
  challenge champion change channel chapter charge chariot charlie charm chart chase check chef cherry chicago choice
  chorus chrome cinder cipher circle circuit citizen citrus civic clarity classic clean clear clever click
  cliff climb clip clock close clover coast cobalt code coffee coin collective color column combine
  comet comfort command common commons compass complete concept concert concord condor connect connection
  conquest consensus context contour control convoy cooper copper coral core corner cornerstone cosmos cottage counter
  courage cove craft crane crater creek crescent crest crew cricket crimson cross crossroads crowd crown crystal cube
  current curve custom cyber cycle dash dawn day deal decision deep deer delight delta denver depot
  desk destiny diamond dig dimension direct discover discovery distance divine dock dog dome dot dove
  dragon dream drift drive drop dual duck dune dynamic dynamics eagle early earth easy echo eclipse
  eco eden edge edison ego eight elastic element elements elevate elite elm em ember emerald emerge emergent empire empower
  enable encore endeavor endless engage engine entry envoy epic epoch equal equinox era escape essence
  essential eternal ether evergreen everest evolution evolve exact excel exchange expert explorer
  express eye fab fable face factor factory fair falcon family farm fast feather field fig filter
  finch find fire firefly fit five flag flame flash fleet flex flight flint flip float flow flower
  fluid fly focus folio force forest forge fork form formula fort forte fortune forum forward fountain
  four fox frame free freedom fresh friend frontier fuel fuse fusion future galaxy gallery gamma garden
  garnet gate gateway gem gemini generation genesis genius gentle giant glass glide glow go goal
  golden good grace grain grand granite grape graph grass gravity gray great green grid grove guard
  guardian guide guild gulf habit hall halo hammer hand handy happy harbor harmony harvest haven
  hawk hazel head heart hearth heat height helix hello hero heritage hex high highland hill hint hive
  hollow home honey honor hook hope horizon horse host house hover hub human hunter hydra ice icon idea
  ideal ignite image imagine impact imprint in infinite infinity influence insight inspire instant instinct
  integral integrity intellect intelligence intelligent intent interface iris iron island ivory ivy jade jet
  jewel join journey jump junction juniper jupiter just justice key keystone kind kinetic king kite
  knight knot knowledge lake lamp land landmark lane lantern large laser latitude launch laurel lava layer lead
  leaf leap legacy legend lemon lens level lever liberty life lift light lightning lily lime line
  linear link lion liquid little live living local lock loft logic long loop lotus loud love loyal
  lucid lumen luna lunar lynx lyric machine madison magic magnet magnolia main major mango map maple
  marble march margin marina mark mars mason master match matrix matter maverick max maze meadow mean meet
  mega mentor mercury meridian merit mesa mesh message meta method metric metro micro midas mighty
  milestone mill mind mint minute mirror mission mix mobile mode model modern moment momentum monarch monument
  moon mosaic motion motor mountain move muse museum music myriad mystic name nano native natural
  nature navigator nebula nest neutral neutron nexus next night nimble nine noble node nomad noon nova novel
  now nucleus oak oasis object ocean octagon odyssey official olive olympic olympus omega omni one onyx opal
  open optic optics optima optimal optimum optimus oracle orange orbit orchard orchid order organic origin original
  osprey otter outlook oxford oyster pace pack page palette palm panda panorama panther paper parade paradigm
  paradise parallel park parrot partnership pass passage passport past patch path patriot pattern peak pear pearl pebble
  pegasus pelican penguin people perch perfect performance perk phoenix photo pick picture pier pilgrim
  pillar pilot pine pinnacle pioneer pivot pixel place plain planet plant platform platinum play plaza
  plum plus point polar pole polaris pony pool pop poppy port portal post prairie precise precision
  premier premium press prime print prism private pro process promise proof prosper protect proton
  provider provision proxy pulse pump pure purple pursuit push pyramid quality quantum quarter quartz
  quest quick quiet quill quilt radar radiant radio radius rain rainbow ram ranch range ranger rapid
  raptor raven ray reach reaction ready realm reason rebel record red redwood reef reflex regal regent relay
  reliance relief renew republic response result revel revolution rhythm ridge right ring rise river road
  robin rock rocket roots rose rover royal ruby rush sable safe safety saffron sage sail salt sand
  sapphire saturn savage savanna scale scope score scout script sea seal search season seed select
  self senior sense sentinel sentry sequence sequoia seven shade shadow shape share sharp shell shield
  shift shine ship shore short shot show sierra sight sigma sign signal signature silk silver simple six
  sky slack slate sleek slice slide small smart smile smooth snap snow social soft solar sole solid
  solo sonic soul sound source space span spark speak spectra spectrum speed sphere spider spin spiral
  spire spirit splash spoke sport spot spring sprout spruce square stack stage stanley star start
  station status stay steady steam steel stella stellar step sterling stitch stone storm story strata
  strategy stream street stride strike stripe strong structure style sugar suite summer summit sun
  sunrise sunset super support sure surf surge swan sweet swift switch sycamore symphony sync synergy table
  tag tandem tango target task taste team temple tempo ten terra terrace test texas theory think third thread
  three thrive thunder ticket tide tiger timber time titan toast today together token tonic tool top topaz
  torch total touch tower town trace track trade trail train transfer travel treasure tree trek trend
  triangle tribe tribune trident trigger trilogy trinity trio triumph tropic true trust truth tulip
  tundra tune turbo turn turtle twin twist two ultra umbrella union unique unison unit unity universal
  universe up upper urban valley value van vanguard vantage vault vector vega velocity velvet venture
  venus verge veritas vertex vertical vessel vibe vibrant victor victory video view vigor village vine
  vintage violet virtual virtue vision visual vista vital vivid voice volt vox voyage voyager walker
  wall walnut walrus wander watch wave way wealth weather weave well whale wheel whisper white whole wide
  wild willow win window wine wing winter wire wise wish wolf wonder wood word work works world
  wren yellow yes york young zen zenith zephyr zero zest zip zone zoom
`);

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
