/** Classifies capitalized words by whether they can be part of a person's name. */
import { CITY_NAMES, REGION_NAMES } from "../classify/gazetteer.ts";

/**
 * Words of organizations, places, products and sentences. A person's name contains none of them.
 */
const OTHER_NAMES = wordsOf(`
  camp adobe photoshop deficit disorder disorders shoppers
  alarm alarms detector detectors sensor sensors monoxide dioxide
  a all an and any are as at be by for from has if in into is it its new no none not of on or our see
  shall small such tba tbd than that the their then there these they this those to under until upon us
  we when where which who will with you your le la les un une des du de et ou au aux dans par pour sur
  avec sans ce cet cette ces nous vous il elle est sont please veuillez merci thank thanks regards
  sincerely dear hello hi bonjour note notes page pages section sections part parts item items line lines
  n/a na not-applicable various several both each other additional further only also more
  monday tuesday wednesday thursday friday saturday sunday january february march april may june july
  august september october november december lundi mardi mercredi jeudi vendredi samedi dimanche janvier
  février mars avril mai juin juillet août septembre octobre novembre décembre today tomorrow morning
  afternoon noon midnight est edt pst pdt cst mst am pm
  academy accounting accounts acquisition acquisitions action administration administrative agency
  agencies agreement agreements air airport airports alberta alliance ambulance amendment america american
  amtrak analysis animal apartment arbour archive archives arena arkansas army art arts asia
  assessment asset assets associates association associations atlantic auction audit australia authority
  authorities automation aviation award awards bank banking banque base bay beach bell benefits bid
  bidder bidders bidding bids biology blue board boards body book books boots border boston branch
  branches brand bridge bridges british brooklyn budget build building buildings bureau bus business
  businesses cabinet cafe calgary california call calls camera campaign campus canada canadian canadien
  canadienne capital car card cards care cars cataloguing cell cement cent center centers central centre
  centres chain chamber change channel chapter charter chemical chicago children church cinema circuit
  city civic civil claim claims class cleaning client clients clinic clinical closing closure cloud club
  coast coastal code coffee collection college collège colleges colorado columbia commerce commercial
  commission commissions committee committees communication communications community companies company
  compliance component computer computing concrete conditions conference connect conservation
  consortium construction consultants consulting consumer containers content contract contracts
  contracting contractor contractors contrats control controls cooperative co-operative corporate
  corporation corp council councils county course court courts creek crew crown culture customer
  customers cyber daily dallas dam data database day days deadline deere defence defense delaware
  delivery demand denver department departments dépôt depot design desk detail details detroit
  development devices digital disaster disposal distribution district districts division divisions
  dock document documents door doors downtown drainage drive dynamics early earth east eastern
  eastman ecole école ecology economic edmonton education electric electrical electronic electronics
  emergency employee employees employment energy enforcement engineering enterprise enterprises
  entity environment environmental equipment estate europe european event events exchange executive
  exhibition export express external extinguisher facilities facility factory fair family farm
  farms federal federation ferry fibre field fields file files film finance finances financial fire
  first fish fisheries fishing fleet floor florida food foods force forces forest forestry form forms
  fort forum foundation france freight friends front fuel fund funding funds furniture future gallery
  games garage garden gardens gas gazette general generation georgetown geographic germany global
  gmbh golf goods gouvernement government governor grand great green ground group groupe groups growth
  guard guide guidelines gulf halifax hall hamilton handling harbor harbour hardware hazardous head
  headquarters health healthcare heating heavy height helicopter help helpdesk helpline heritage
  high highway highways historic history holding holdings holiday home homes hospital hospitals
  hospitality hôpital hotel hotels hotline house houses housing houston human hvac hydro ice idaho
  illinois immigration import improvement improvements inc incorporated india indian indiana
  indigenous industrial industries industry information infrastructure inn innovation innovations
  inquiries inquiry inspection inspections installation institut institute institutes institution
  insurance integrated intelligence intent interior international internet inventory investment
  investments invitation invoice iowa island islands italy janitorial japan jersey job jobs joint
  journal jurisdiction justice kansas kentucky kingston kit kits kitchener lab labor laboratories
  laboratory labour labs lake lakes land lands landscaping language large laundry laval law laws
  learning lease leasing legal legion lens letter level library libraries licence license licensing life
  lighting limited limitée link links live llc llp local location locations lodge logistics london
  long loop louisiana lumber ltd ltée lube machine machinery magazine main maine maintenance mall
  management manitoba manual manufacturing maple maps marina marine maritime market marketing markets
  maryland massachusetts master material materials matter meals measure media medical medicine meeting
  member members memorial memory mental mercury merx mesa metal metals meter metro metrolinx
  metropolitan miami michigan microsoft middle midland military mill mills milwaukee mine minerals
  mines mining minister ministère ministry minneapolis minnesota mission mississauga mississippi
  missouri mobile mobility model modules moncton montana montréal montreal motor motors mountain
  mountains mount multiple municipal municipality municipalité museum music musée nation national
  nations native natural nature nav naval navy nebraska needs network networks nevada newfoundland
  newmarket niagara night normal north northeast northern northland northwest notice notification
  nova nunavut nurses nursing occupational ocean oceans offer office offices official officials offre
  offres ohio oil oklahoma online ontario open opening operation operations opportunities opportunity
  optimization orange order orders oregon orientation organisation organization original orlando oshawa
  ottawa outreach overview pacific package packages paint paper park parking parliament parks parkway partner
  partners partnership partnerships passenger patient pavement pavilion paving pay payment payments
  pennsylvania pension people performance periodic permit permits personal personnel pet peterborough
  petroleum pharmacy philadelphia phoenix photo physical pipe pipeline pipelines pittsburgh place
  plain plan planning plans plant plants plastics platform plaza plumbing point police policy pond
  pool pools population port portal portland ports position post postal power practice pre premier
  preparation press prevention price pricing primary prime prince print printing priority private
  pro probation process processing product production products professional profile program programme
  programs progress project projects properties property proposal proposals protection province
  provincial public publication publications publishing pump pumping pumps purchase purchases
  purchasing approvisionnement approvisionnements achats quality québec quebec quick quote quotes radio
  rail railway rally range rapid raw ready real realty receiving recherche records recovery recreation
  recycling red reference refuge regina region regional regions registration registry regulation
  rehabilitation reliability relief relations remote removal rental rentals repair repairs
  replacement reply report reporting reports representation republic request requests requirement
  requirements rescue research reserve reservation reservoir residence residential resort resource
  resources response restaurant restoration retail review richmond ridge rights river rivers road roads
  robotics rock rocky roof roofing room rooms route royal rules rural safety sales salt
  saskatchewan saskatoon sault save scarborough school schools science sciences scope scrum search seattle
  secondary secretariat sector security senate service services servicing seven sewer share
  shared sheriff ship shipping ships shipyard shop shops short sidewalk sign signage signal silver
  site sites ski snow social société society software soil soins solar sole solicitation
  solicitations solution solutions source sourcing south southeast southern southwest space special
  specialty sport sports spring square staff staffing standard standards standing star start state
  statement states station stations status stationery steam steel stock storage store stores storm
  strategic strategy stream street streets strip structural structure structures student students
  studies studio studios study sub submission submissions submit subject sudbury sun sunrise supplies
  supplier suppliers supply support surface surgery surplus surrey survey surveys sustainability sustainable
  switch system systems table talent tax taxi team teams tech technical technologies technology
  telecom telecommunications television telus temporary tender tenders tennessee term terms terminal
  terrace territories territory test testing texas textile theatre theater third thunder timber time
  toll tool tools top toronto tour tourism tower towers town township towing toys track trade
  trades traffic trail trails train training trains transfer transformation transit transition
  transmission transport transportation travel treasury treatment tree trees trench tribal tribe
  trillium truck trucks trust tunnel turbine unified uniform union unit united units universal
  université universities university upgrade upgrades urban usa use user users usda utah utilities
  utility vaccine valley value valve vancouver vehicle vehicles vendor vendors vermont vessel veterans
  victoria-bc video village ville villes virtual vision volunteer voice wales wall ward warehouse
  warehousing washington waste wastewater water waterfront waterloo watershed weather web website week
  wellness west western wetland wheels whitehorse wholesale wildlife windows window windsor winnipeg
  winter wireless wisconsin women wood wooden woods word words work worker workers working works
  workshop world writing wyoming yard year yellow yellowknife york youth yukon zone zoning zoo
  gouvernementaux ministères services travaux publics publiques approvisionnement nationale fédéral
  fédérale santé sécurité affaires défense transports ressources humaines gestion bureau centre-ville
  direction division générale conseil commission comité université universitaire hôpital rue avenue
  ave st blvd boulevard chemin ch rd dr dr. crescent cres lane court place way floor suite
  usd cad sql api sdk aws azure google amazon oracle salesforce sap cisco dell lenovo ibm intel hp
  linux android ios java javascript python react github gitlab slack zoom skype linkedin facebook
  twitter instagram youtube whatsapp indeed glassdoor merx biddingo bonfire ariba canadabuys buyandsell
  purolator fedex ups dhl telus rogers bombardier siemens honeywell xerox canon caterpillar
  stantec aecom wsp hatch deloitte kpmg pwc accenture nasa noaa faa fda dod dnd cbsa rcmp pspc tpsgc
  ssc dcc irb nrc nrcan dfo ircc esdc hrsdc csa crtc via`);

/** Words right before or after a name in forms and signatures. */
const ROLES = wordsOf(`
  e-mail email emails mail courriel courriels tel tél phone telephone téléphone fax télécopieur cell
  cellulaire mobile ext extension poste title titre address adresse name nom number numéro date office
  officer officers director directeur directrice manager managers gestionnaire specialist specialists
  spécialiste senior junior principal advisor adviser conseiller conseillère agent agents agente
  acting assistant assistante associate deputy chief chef lead leader analyst analyste administrator
  administrateur administratrice coordinator coordonnateur coordonnatrice supervisor superviseur
  superintendent president président présidente vice-president vice ceo cto cfo coo cio secretary
  secrétaire clerk buyer buyers acheteur acheteuse engineer ingénieur architect planner inspector
  negotiator representative représentant représentante technician technicien recruiter developer
  designer scientist consultant accountant attorney lawyer counsel judge mayor councillor foreman
  owner contact contacts attention attn poc chair chairman chairperson responsable fournisseur
  contracting procurement purchasing supply project contract technical program responsible authority autorité
  contractante technique négociation phd peng p.eng pmp cpa mba cscp sccp md esq jr sr
  commander commandant captain major colonel lieutenant sergeant corporal
  linkedin website web site http https www monday-friday`);

/** Second words of brands that begin with a title: "Dr Pepper", "Mr Clean". */
const TITLED_BRANDS = wordsOf(`lube martens pepper sub clean coffee oetker scholl robot bean mike
  electronics fields greek beer brown-boots bronner dre rooter plumber handyman paint hydro
  heater gasket pac-man penfield seuss transmission gas tire christie beast freeze mercedes-benz`);

/** First two words of brands that read as a given name and a surname. */
const PERSONAL_BRANDS: ReadonlySet<string> = new Set(
  `herman-miller john-deere jenny-craig calvin-klein ralph-lauren tommy-hilfiger
  mary-kay laura-ashley eddie-bauer harry-winston jack-daniels johnnie-walker
  tim-hortons martin-brower baker-tilly grant-thornton
  parker-hannifin johnson-matthey arthur-andersen raymond-james edward-jones charles-schwab
  morgan-stanley jacques-whitford baker-hughes`.split(/\s+/),
);

/** Returns whether a name begins with the words of a brand: "Herman Miller Aeron". */
export function isBrandName(words: readonly string[]): boolean {
  return PERSONAL_BRANDS.has(words.slice(0, 2).join("-").toLowerCase());
}

/** Words that begin names of places, but not of persons: "San Diego", "Palo Alto". */
const PLACE_STARTS = wordsOf("san santa los las palo boca baton saint sainte mont punta puerto");

/** Names of cities and regions in lower case. */
const PLACES: ReadonlySet<string> = new Set(
  [CITY_NAMES, REGION_NAMES].flatMap((countries) => Object.values(countries))
    .flatMap((names) => Object.values(names)).flatMap((names) => names.split(/[|=]/))
    .map((name) => name.replace("*", "").replaceAll("-", " ").toLowerCase()),
);

/** Returns whether words name a place: "Los Gatos", "Ann Arbor", "Colombie-Britannique". */
export function isPlaceName(words: readonly string[]): boolean {
  const [first, second] = words;
  if (first === undefined || second === undefined) return false;
  return PLACE_STARTS.has(first.toLowerCase()) || PLACES.has(words.join(" ").toLowerCase());
}

/** Returns whether a word or name is also that of a city or region: "Nelson", "Vernon". */
export function isPlaceWord(name: string): boolean {
  return PLACES.has(name.toLowerCase());
}

/**
 * Last words of names of organizations and places. The words before them may look like a person's
 * name.
 */
const HEADS = wordsOf(`
  university université college collège school école academy institute institut hospital hôpital
  centre center park street avenue ave road rd drive boulevard blvd crescent lane terrace way court
  square place parkway highway bridge building tower hall house room pavilion plaza arena stadium
  theatre library museum gallery church memorial foundation fondation award trust bank inc ltd llc
  llp corp corporation company co gmbh group associates partners consulting consultants engineering
  construction contracting services service enterprises industries holdings systems technologies
  technology solutions laboratories labs software media press publishing realty pharmacy motors
  electric medical clinic health healthcare elementary secondary high public community regional
  international airport river lake bay beach creek valley island islands falls hills fort county
  region township village city gardens garden field society association society union club lodge
  pharmaceuticals pharmaceutical pharma therapeutics therapeutic therapies therapy biosciences
  bioscience diagnostics analytics semiconductor semiconductors interactive entertainment biomedical
  logic biosystems biopharma biopharmaceuticals biotherapeutics surgical biotech biotechnology
  biotechnologies imaging metrics biologics genomics genetics ventures worldwide instruments discovery
  oncology engines concepts photonics scientific informatics vascular microsystems orthopaedics
  orthopedics gaming broadband silicon insights optics designs pictures foundry fuels biofuels sensors
  aerospace windpower polymers renewables neurosciences machines components applications bioenergy
  radiopharmaceuticals vaccines medicines airfield base depot
  residence manor farms farm homes auto automotive equipment rentals foods bakery brewery boots
  shoes clothing furniture paint tools products limited limitée ltée police transit hydro water`);

/** Common words that are also surnames, for example after a given name or a title. */
const SURNAMES = wordsOf(`
  public park parks king young hill hills lake banks brooks west north east south bush church forest
  field fields wood woods rivers stone price day long major green blue silver gold snow rose house
  hall mills mill glass law may page bell bridges fish bay best case frost winter waters fox chase
  sage post link cross french holland london paris lane ford power powers love knight baker mason
  carter star ward wall pond moss le la du an do van st fair read march trade wells summers marina
  dallas austin houston washington lincoln hamilton kingston carson chambers bishop judge marshall
  hunter fisher cook cooper tower towers castle street archer temple rice berry bean law laval hart
  salt savage sharp short small strong sweet swift wise workman yard good head heard child children
  royal clay gray grey black white brown noble mayor abbott pope parson parsons dean duke england
  ireland scott wales german welch walsh houle roy côté ma so to my in it no at he you yu on me`);

/**
 * Nouns that are also given names. They count as given names only where a person or an office is
 * expected. Names of places are not included.
 */
const NOUN_GIVEN_NAMES = wordsOf(`
  faith hope grace joy summer autumn crystal amber jade ruby pearl ginger rose lily daisy violet holly
  ivy heather hazel olive iris dawn april may june august destiny charity patience prudence constance
  chance parker tyler carter mercy melody harmony stella luna sunny penny cherry candy brandy sherry
  honey coral opal jewel diamond sandy stormy misty rich frank will bill mark grant chase wade clay
  gene ray drew rob pat sue bob jack max miles guy earl rex sterling christian angel trinity precious
  blessing favour favor princess sky skye poppy juniper sage willow robin wren raven rocky rusty dusty
  major noble cliff heath glen dale reed art norm`);

/** Words of SURNAMES that are not nouns. */
const PURE_SURNAMES = wordsOf("roy côté houle walsh welch marshall carter hart scott parsons");

/**
 * Returns whether a surname is also a noun or the name of a place. If such a word occurs alone, it
 * may not be a name.
 */
export function isNounSurname(word: string): boolean {
  const lower = word.toLowerCase();
  return SURNAMES.has(lower) && !PURE_SURNAMES.has(lower);
}

/** Returns whether a noun is also a given name: "Faith", "Summer". */
export function isNounGivenName(word: string): boolean {
  return NOUN_GIVEN_NAMES.has(word.toLowerCase());
}

/**
 * Class of a capitalized word. "head" ends the name of an organization or place. "surname" is a
 * common word that is also a surname. "role" belongs to a form or an office. "other" is part of no
 * person's name. "open" is any other word, which may be part of a person's name.
 */
export type WordMeaning = "head" | "surname" | "other" | "role" | "open";

/** Returns whether a word can end the name of an organization or place: "Hall", "Park". */
export function isHead(word: string): boolean {
  return HEADS.has(word.toLowerCase());
}

/** Returns the class of a capitalized word. */
export function meaningOf(word: string): WordMeaning {
  const lower = word.toLowerCase().replace(/[’']s$/, "");
  if (SURNAMES.has(lower) && (OTHER_NAMES.has(lower) || HEADS.has(lower))) return "surname";
  if (HEADS.has(lower)) return "head";
  if (ROLES.has(lower)) return "role";
  return OTHER_NAMES.has(lower) || lower.endsWith("day") ? "other" : "open";
}

/** Returns whether a title and this word are a brand: "Mr. Lube". */
export function isTitledBrand(word: string): boolean {
  return TITLED_BRANDS.has(word.toLowerCase());
}

/**
 * Splits a list. A word with accents is also added without accents, because capitals are often
 * written without them.
 */
function wordsOf(text: string): ReadonlySet<string> {
  const words = text.trim().split(/\s+/);
  return new Set([...words, ...words.map((word) => word.normalize("NFD").replace(/\p{M}+/gu, ""))]);
}
