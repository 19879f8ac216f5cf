/** Places, parts of company names, investors, lenders and hostnames of newspapers for the demo. */
import type { Country } from "../contract/vocabulary.ts";

/** A city of the demo. */
export interface DemoPlace {
  city: string;
  region: string;
  country: Country;
}

const list = (entries: string) => entries.split("; ");

const places = (country: Country, entries: string): DemoPlace[] =>
  list(entries).map((entry) => {
    const [city, region] = entry.split(", ") as [string, string];
    return { city, region, country };
  });

/** Canadian cities outside of Quebec. */
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

/** First parts of English company names. */
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

/** Last parts of French company names. */
export const FRENCH_STEMS =
  ("Aubépine Beauséjour Belle-Rive Boisclair Boréal Brise-Lames Chantelac " +
    "Clairefontaine Cordillon Deux-Rives Érablière Estran Falaise Grand-Duc Grosbois Hautmarais " +
    "Hirondelle Laurentel Lisière Longpré Marégrave Merisier Montclair Nordet Orignal Passerelle " +
    "Pierrefeu Portneige Quatre-Vents Rivemont Roselin Sablière Sapinière Solstice Tourmaline " +
    "Trois-Caps Valbois Vertefeuille").split(" ");

/** Names of investors and lenders, and hostnames of newspapers. */
interface Surroundings {
  investors: readonly string[];
  lenders: readonly string[];
  press: readonly string[];
}

/** Investors, lenders and press by the company's country. Companies of Quebec use `fr`. */
export const SURROUNDINGS: Record<"fr" | Country, Surroundings> = {
  fr: {
    investors: list("Capital Laurentel; Fonds Deux-Rives; Investissements Boréal"),
    lenders: list("la Banque du Fleuve; le Crédit régional"),
    press: list("www.le-relais-economique.example; affaires.gazette-du-fleuve.example"),
  },
  CA: {
    investors: list("Fundy Ventures; Northbound Growth Partners; Larch Hill Capital"),
    lenders: list("Maple & Main Bank; Prairie Crossing Credit"),
    press: list("www.northern-ledger.example; business.maritime-courier.example"),
  },
  US: {
    investors: list("Redwater Ventures; Plainview Growth Partners; Switchgrass Capital"),
    lenders: list("First Junction Bank; Cottonwood Commercial Credit"),
    press: list("www.midland-business-post.example; news.frontrange-wire.example"),
  },
};
