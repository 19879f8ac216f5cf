/** A metropolitan area with its key, its folded names, and its cities by state or province. */
interface Metro {
  key: string;
  names: string;
  cities: Readonly<Record<string, string>>;
}

/** Metropolitan areas of the United States and Canada. */
export const METROS: readonly Metro[] = [
  {
    key: "san francisco bay area",
    names:
      "sf bay area|sf bay|bay area|the bay area|silicon valley|greater san francisco|san francisco area|" +
      "east bay|south bay|baie de san francisco|region de san francisco",
    cities: {
      "US-CA":
        "san francisco|south san francisco|san jose|oakland|palo alto|east palo alto|mountain view|" +
        "menlo park|sunnyvale|redwood city|san mateo|santa clara|cupertino|berkeley|emeryville|fremont|" +
        "burlingame|pleasanton|foster city|los gatos|san bruno|san carlos|milpitas|los altos|hayward|" +
        "walnut creek|san ramon|campbell|belmont|brisbane|san rafael|sausalito|larkspur|alameda|livermore",
    },
  },
  {
    key: "new york",
    names:
      "greater new york|new york metro|nyc metro|new york city area|new york area|tri state area|" +
      "greater new york city|greater new york city area|grand new york|region de new york",
    cities: {
      "US-NY": "new york|brooklyn|queens|bronx|staten island|long island city|white plains|yonkers",
      "US-NJ": "jersey city|hoboken|newark|secaucus|fort lee",
      "US-CT": "stamford|greenwich",
    },
  },
  {
    key: "boston",
    names: "greater boston|boston area|boston metro|grand boston|region de boston|route 128",
    cities: {
      "US-MA":
        "boston|cambridge|somerville|waltham|burlington|lexington|woburn|newton|bedford|watertown|" +
        "needham|quincy|framingham|andover|lowell|marlborough|westborough|wellesley|natick|wakefield",
    },
  },
  {
    key: "los angeles",
    names:
      "greater los angeles|los angeles area|la area|la metro|silicon beach|region de los angeles",
    cities: {
      "US-CA":
        "los angeles|santa monica|culver city|el segundo|pasadena|burbank|irvine|newport beach|" +
        "long beach|costa mesa|torrance|glendale|playa vista|anaheim|west hollywood|hollywood|venice|" +
        "beverly hills|marina del rey|aliso viejo",
    },
  },
  {
    key: "washington dc",
    names:
      "dc metro|washington metro|greater washington|dc area|washington area|washington dc area|" +
      "washington dc metro|national capital region|dmv area|northern virginia|region de washington",
    cities: {
      "US-DC": "washington",
      "US-VA":
        "arlington|alexandria|reston|mclean|herndon|tysons|tysons corner|fairfax|vienna|ashburn|" +
        "chantilly|sterling|falls church",
      "US-MD": "bethesda|rockville|silver spring|gaithersburg|college park|germantown",
    },
  },
  {
    key: "seattle",
    names: "greater seattle|seattle area|puget sound|region de seattle",
    cities: { "US-WA": "seattle|bellevue|redmond|kirkland|bothell|renton|tacoma|issaquah" },
  },
  {
    key: "san diego",
    names: "greater san diego|san diego area",
    cities: { "US-CA": "san diego|carlsbad|la jolla|encinitas|solana beach" },
  },
  {
    key: "denver",
    names: "greater denver|denver area|denver metro|front range",
    cities: {
      "US-CO":
        "denver|boulder|broomfield|aurora|lakewood|golden|englewood|littleton|greenwood village|louisville",
    },
  },
  {
    key: "austin",
    names: "greater austin|austin area",
    cities: { "US-TX": "austin|round rock|cedar park" },
  },
  {
    key: "dallas",
    names: "dallas fort worth|dallas ft worth|dfw|metroplex|dallas area|greater dallas",
    cities: {
      "US-TX":
        "dallas|fort worth|plano|irving|frisco|richardson|addison|mckinney|southlake|arlington",
    },
  },
  {
    key: "houston",
    names: "greater houston|houston area",
    cities: { "US-TX": "houston|the woodlands|sugar land" },
  },
  {
    key: "chicago",
    names: "greater chicago|chicagoland|chicago area",
    cities: {
      "US-IL":
        "chicago|evanston|naperville|schaumburg|deerfield|rosemont|oak brook|lake forest|northbrook|itasca",
    },
  },
  {
    key: "atlanta",
    names: "greater atlanta|atlanta area|metro atlanta",
    cities: { "US-GA": "atlanta|alpharetta|norcross|duluth" },
  },
  {
    key: "philadelphia",
    names: "greater philadelphia|philadelphia area|philly|delaware valley",
    cities: {
      "US-PA": "philadelphia|king of prussia|conshohocken|malvern|wayne|radnor",
      "US-NJ": "camden",
    },
  },
  {
    key: "raleigh durham",
    names: "research triangle|research triangle park|the triangle|raleigh durham|rtp",
    cities: { "US-NC": "raleigh|durham|chapel hill|cary|morrisville|research triangle park" },
  },
  {
    key: "salt lake city",
    names: "silicon slopes|greater salt lake|wasatch front",
    cities: { "US-UT": "salt lake city|lehi|draper|sandy|provo|orem|american fork" },
  },
  {
    key: "portland",
    names: "greater portland|portland area",
    cities: { "US-OR": "portland|beaverton|hillsboro|lake oswego" },
  },
  {
    key: "minneapolis",
    names:
      "twin cities|minneapolis saint paul|minneapolis st paul|minneapolis area|greater minneapolis",
    cities: { "US-MN": "minneapolis|saint paul|bloomington|eden prairie|minnetonka|plymouth" },
  },
  {
    key: "pittsburgh",
    names: "pittsburg|greater pittsburgh|pittsburgh area",
    cities: { "US-PA": "pittsburgh" },
  },
  {
    key: "phoenix",
    names: "greater phoenix|phoenix area|valley of the sun",
    cities: { "US-AZ": "phoenix|scottsdale|tempe|mesa|chandler|gilbert" },
  },
  {
    key: "detroit",
    names: "metro detroit|greater detroit|detroit area",
    cities: { "US-MI": "detroit|dearborn|troy|southfield|ann arbor|farmington hills" },
  },
  {
    key: "saint louis",
    names: "greater saint louis|greater st louis|st louis area|st louis",
    cities: { "US-MO": "saint louis|clayton|chesterfield" },
  },
  {
    key: "miami",
    names: "greater miami|miami area",
    cities: { "US-FL": "miami|miami beach|coral gables|doral|hialeah" },
  },
  {
    key: "tampa",
    names: "tampa bay|tampa area|greater tampa",
    cities: { "US-FL": "tampa|saint petersburg|clearwater" },
  },
  {
    key: "toronto",
    names:
      "gta|greater toronto area|greater toronto|grand toronto|toronto area|gtha|region de toronto|region du grand toronto",
    cities: {
      "CA-ON":
        "toronto|mississauga|brampton|markham|vaughan|richmond hill|oakville|burlington|etobicoke|" +
        "scarborough|north york|ajax|pickering|whitby|oshawa|newmarket|milton|concord",
    },
  },
  {
    key: "montreal",
    names: "greater montreal|greater montreal area|grand montreal|montreal area|region de montreal",
    cities: {
      "CA-QC":
        "montreal|laval|longueuil|brossard|dorval|pointe claire|saint laurent|boucherville|terrebonne|blainville",
    },
  },
  {
    key: "vancouver",
    names:
      "greater vancouver|metro vancouver|grand vancouver|lower mainland|vancouver area|region de vancouver",
    cities: {
      "CA-BC":
        "vancouver|north vancouver|west vancouver|burnaby|richmond|surrey|coquitlam|new westminster|langley",
    },
  },
  {
    key: "ottawa",
    names:
      "ottawa gatineau|ottawa area|greater ottawa|region de la capitale nationale|region d ottawa",
    cities: { "CA-ON": "ottawa|kanata", "CA-QC": "gatineau" },
  },
  {
    key: "quebec",
    names: "region de quebec|greater quebec city|quebec city area",
    cities: { "CA-QC": "quebec|levis" },
  },
  {
    key: "waterloo",
    names: "kitchener waterloo|waterloo region|region de waterloo",
    cities: { "CA-ON": "waterloo|kitchener|cambridge|guelph" },
  },
];
