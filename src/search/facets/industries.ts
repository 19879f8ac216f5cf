/** Keys of industries, with their synonyms. */
import { memoized } from "../../memoized.ts";
import { fold } from "../words/stems.ts";

/**
 * Equivalent keys, one industry per line. Sources use the first key. Each key of a line in a
 * question matches each key of that line in a record. A plural that only adds an "s" needs no
 * entry.
 */
const EQUIVALENTS = `
advertising=advertisement=adtech=advertisingtechnology=publicite=publicitaire=marketing
analytics=dataanalytics=bigdata=businessintelligence=businessanalytics=analytique=analysededonnees
automotive=auto=automobile=carmaker
biotech=biotechnology=biotechnologies=biotechnologie=lifescience=lifesciences=sciencesdelavie
cleantech=cleantechnology=cleantechnologies=greentech=greentechnology=cleanenergy=renewableenergy=technologiespropres=technologieverte=technologiesvertes=energiepropre
consulting=consultancy=conseil
design
ecommerce=onlineretail=onlineshopping=onlinestore=commerceelectronique=commerceenligne=electroniccommerce
education=edtech=educationtechnology=elearning=educationaltechnology=enseignement
enterprise=enterprisesoftware=enterprisetechnology=b2bsoftware=businesssoftware=logicieldentreprise=logicielsdentreprise
fashion=apparel=clothing=mode=vetement
finance=fintech=financial=financialservice=financialservices=financialtechnology=servicefinancier=servicesfinanciers
gamesvideo=gaming=game=videogame=videogames=gamesandvideo=jeuxvideo=jeu=jeux
government=govtech=gouvernement
hardware=computerhardware=electronics=materiel=materielinformatique
health=healthcare=healthtech=digitalhealth=ehealth=healthservices=sante=soinsdesante
hospitality=hotel=restaurant=hotellerie
legal=legaltech=law=legalservices=juridique=droit
local=localservices
manufacturing=fabrication
medical=medicaldevice=medicaldevices=medtech=medicaltechnology=medicale=medicaux=dispositifmedical=dispositifsmedicaux=appareilsmedicaux
messaging=chat=instantmessaging=messagerie
mobile=mobileapp=mobileapps=mobileapplication=mobilesoftware=applicationmobile=applicationsmobiles
music=musique
nanotech=nanotechnology=nanotechnologies=nanotechnologie
networkhosting=network=networking=hosting=webhosting=networkandhosting=networkinghosting=hebergement=hebergementreseau=hebergementweb
news=actualite
nonprofit=notforprofit=charity=charities=sansbutlucratif=osbl=obnl
pets=pet=petcare=animaux
photovideo=photo=video=photography=photoandvideo=onlinevideo=photographie
publicrelations=pr=relationspubliques
realestate=property=proptech=immobilier
search=searchengine=moteurderecherche
security=cybersecurity=itsecurity=computersecurity=infosec=informationsecurity=networksecurity=securite=cybersecurite=securiteinformatique
semiconductor=semiconductors=chip=chips=chipmaker=semiconducteur=puce
social=socialnetwork=socialnetworking=socialmedia=reseauxsociaux=reseausocial=mediasociaux
software=softwareasaservice=saas=logiciel=editeurdelogiciels=editeursdelogiciels
sports=sport=sportstech
transportation=transport=logistics=transports
travel=tourism=traveltech=voyage=tourisme
web=internet=online=websites=website=siteweb=sitesweb
constructionservices=construction=constructionservice=servicesdeconstruction
goodsandservices=goodsservices=goodservice=biensetservices=goods=biens
professionalservices=professionalservice=servicesprofessionnels
`;

const KEYS = new Map<string, readonly string[]>();
for (const line of EQUIVALENTS.trim().split("\n")) {
  const keys = line.split("=");
  for (const key of keys) KEYS.set(key, keys);
}

/** Maximum number of words in the name of an industry. */
export const INDUSTRY_WORDS_MAX = 5;

/** Returns a key, its singular, and their equivalent keys. */
export function industryKeys(key: string): readonly string[] {
  const known = KEYS.get(key) ?? KEYS.get(singular(key));
  return [...new Set([key, singular(key), ...known ?? []])];
}

function singular(key: string): string {
  return key.length > 4 && key.endsWith("s") && !key.endsWith("ss") ? key.slice(0, -1) : key;
}

/** Returns the key of an industry: folded, without spaces and signs; "&" is "and". */
export const industryKey = memoized((industry) =>
  fold(industry).replaceAll("&", "and").replace(/[^\p{L}\p{N}]+/gu, "")
);
