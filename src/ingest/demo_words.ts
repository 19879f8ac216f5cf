import type { Country, Sector } from "../contract/vocabulary.ts";

/** What the invented companies of a sector make, buy, build, use and hire for. */
export interface SectorWords {
  sector: Sector;
  /** Ends of English names: "Cedarbrook Orchards". */
  names: readonly string[];
  products: readonly string[];
  /** What they ask suppliers for. */
  needs: readonly string[];
  facilities: readonly string[];
  technologies: readonly string[];
  roles: readonly string[];
  /** For the companies of Quebec; products and facilities come with their article. */
  french: {
    /** Starts of French names: "Vergers Boisclair". */
    names: readonly string[];
    products: readonly string[];
    needs: readonly string[];
    facilities: readonly string[];
    roles: readonly string[];
  };
}

/** Entries apart by semicolons, in the data files of this folder. */
export function list(entries: string): string[] {
  return entries.split("; ");
}

export interface Place {
  city: string;
  region: string;
  country: Country;
}

const places = (country: Country, entries: string): Place[] =>
  list(entries).map((entry) => {
    const [city, region] = entry.split(", ") as [string, string];
    return { city, region, country };
  });

export const CANADIAN_PLACES = places(
  "CA",
  "Halifax, Nova Scotia; Moncton, New Brunswick; St. John's, Newfoundland and Labrador; " +
    "Charlottetown, Prince Edward Island; Ottawa, Ontario; Kingston, Ontario; Hamilton, Ontario; " +
    "Windsor, Ontario; Sudbury, Ontario; Thunder Bay, Ontario; Guelph, Ontario; Winnipeg, Manitoba; " +
    "Brandon, Manitoba; Regina, Saskatchewan; Saskatoon, Saskatchewan; Calgary, Alberta; " +
    "Red Deer, Alberta; Lethbridge, Alberta; Kelowna, British Columbia; Kamloops, British Columbia; " +
    "Nanaimo, British Columbia; Prince George, British Columbia; Whitehorse, Yukon",
);

export const QUEBEC_PLACES = places(
  "CA",
  "Québec, Québec; Sherbrooke, Québec; Trois-Rivières, Québec; Saguenay, Québec; Rimouski, Québec; " +
    "Drummondville, Québec; Gatineau, Québec; Lévis, Québec; Granby, Québec; Sept-Îles, Québec; " +
    "Rouyn-Noranda, Québec; Victoriaville, Québec; Saint-Hyacinthe, Québec",
);

export const AMERICAN_PLACES = places(
  "US",
  "Boise, Idaho; Spokane, Washington; Duluth, Minnesota; Fargo, North Dakota; Omaha, Nebraska; " +
    "Wichita, Kansas; Tulsa, Oklahoma; Lubbock, Texas; El Paso, Texas; Baton Rouge, Louisiana; " +
    "Mobile, Alabama; Chattanooga, Tennessee; Greenville, South Carolina; Raleigh, North Carolina; " +
    "Roanoke, Virginia; Scranton, Pennsylvania; Rochester, New York; Portland, Maine; Toledo, Ohio; " +
    "Fort Wayne, Indiana; Grand Rapids, Michigan; Green Bay, Wisconsin; Peoria, Illinois; " +
    "Reno, Nevada; Tucson, Arizona; Fresno, California; Eugene, Oregon",
);

export const STEMS =
  ("Alderpoint Amberfield Ashgrove Balsam Bayfront Beaconhill Birchwood Bluewater " +
    "Brackenridge Brightwater Cairnmore Cedarbrook Clearview Cobaltline Copperleaf Cranberry Crestline " +
    "Daybreak Deepwell Dovetail Driftwood Eastgate Elkhorn Emberstone Evergreen Fairhaven Falconer " +
    "Fernhill Flintlock Foxglove Foundry Garnet Glacier Goldenrod Granite Greatlakes Greenmantle " +
    "Harborlight Hawthorn Heron Highmark Hollybrook Ironwood Juniper Kestrel Keystone Kingfisher " +
    "Lakehead Lanternway Larkspur Limestone Lodestar Longmeadow Maplecrest Meridian Millrace Mistral " +
    "Moraine Northgate Northlight Oakhaven Obsidian Orchardview Otterburn Palisade Pinnacle Plainsong " +
    "Prairiewind Quarrystone Quillfeather Ravenswood Redstone Ridgeway Riverbend Rockport Rosethorn " +
    "Saltmarsh Sandpiper Silverbirch Skylark Southfork Springbank Stonebridge Summerset Sunridge " +
    "Tamarack Thistledown Tidewater Timberline Trillium Truenorth Umberlake Valleyforge Verdant Wayfare " +
    "Westwind Whitecap Wildrose Willowmere Windhover Wintergreen Yarrow").split(" ");

export const FRENCH_STEMS =
  ("Aubépine Beauséjour Belle-Rive Boisclair Boréal Brise-Lames Chantelac " +
    "Clairefontaine Cordillon Deux-Rives Érablière Estran Falaise Grand-Duc Grosbois Hautmarais " +
    "Hirondelle Laurentel Lisière Longpré Marégrave Merisier Montclair Nordet Orignal Passerelle " +
    "Pierrefeu Portneige Quatre-Vents Rivemont Roselin Sablière Sapinière Solstice Tourmaline " +
    "Trois-Caps Valbois Vertefeuille").split(" ");
