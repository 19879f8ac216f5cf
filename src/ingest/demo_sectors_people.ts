/** Words of the sectors that clean, teach, heal, entertain, host, repair and govern. */
import { list, type SectorWords } from "./demo_words.ts";

export const PEOPLE_SECTORS: readonly SectorWords[] = [
  {
    sector: "56",
    names: list("Recycling; Facility Services; Staffing; Remediation; Security"),
    products: list(
      "organic waste composting; janitorial services; soil remediation; electronics recycling; " +
        "seasonal staffing",
    ),
    needs: list(
      "compactor trucks; optical sorters; uniform supply; leachate treatment; guard scheduling " +
        "software",
    ),
    facilities: list(
      "material recovery facility; composting site; hazardous waste transfer station; recruitment " +
        "centre",
    ),
    technologies: list(
      "near-infrared sorting; route-tracking tablets; robotic floor scrubbers; thermal desorption",
    ),
    roles: list("waste route driver; environmental technician; recruiter; facility supervisor"),
    french: {
      names: list("Recyclage; Entretien; Sécurité"),
      products: list(
        "du compostage de matières organiques; de la décontamination des sols; du recyclage " +
          "d'appareils électroniques",
      ),
      needs: list("camions compacteurs; trieurs optiques; traitement du lixiviat"),
      facilities: list("un centre de tri des matières recyclables; une plateforme de compostage"),
      roles: list("technicien en environnement; recruteur; superviseur d'installations"),
    },
  },
  {
    sector: "61",
    names: list("College; Learning; Flight School; Language Institute"),
    products: list(
      "welding certification courses; pilot training; online nursing diplomas; French immersion " +
        "programs; early childhood education",
    ),
    needs: list(
      "flight simulators; learning management system; campus food services; science laboratory " +
        "furniture; student transport",
    ),
    facilities: list(
      "trades training centre; student residence; simulation laboratory; daycare wing",
    ),
    technologies: list(
      "virtual reality welding trainers; adaptive testing; lecture capture; campus single sign-on",
    ),
    roles: list("instructional designer; flight instructor; registrar; nursing instructor"),
    french: {
      names: list("Collège; Institut; Académie"),
      products: list(
        "des formations en soudage; des cours de pilotage; de la francisation en ligne",
      ),
      needs: list(
        "simulateurs de vol; plateforme d'apprentissage; mobilier de laboratoire scientifique",
      ),
      facilities: list("un centre de formation professionnelle; une résidence étudiante"),
      roles: list("conseiller pédagogique; instructeur de vol; registraire"),
    },
  },
  {
    sector: "62",
    names: list("Health; Clinics; Senior Living; Dental; Rehabilitation"),
    products: list(
      "home dialysis care; memory care residences; pediatric dentistry; sports physiotherapy; " +
        "mobile mammography",
    ),
    needs: list(
      "MRI scanners; electronic health record migration; nurse call systems; sterile processing " +
        "equipment; meal delivery services",
    ),
    facilities: list(
      "ambulatory surgery centre; long-term care home; dialysis clinic; imaging suite",
    ),
    technologies: list(
      "telehealth platform; remote patient monitoring; robotic-assisted surgery; clinical " +
        "decision support",
    ),
    roles: list(
      "registered nurse; occupational therapist; medical radiation technologist; clinic manager",
    ),
    french: {
      names: list("Cliniques; Santé; Résidences"),
      products: list(
        "de la dialyse à domicile; des soins dentaires pédiatriques; de la physiothérapie " +
          "sportive",
      ),
      needs: list(
        "appareils d'imagerie par résonance magnétique; systèmes d'appel infirmier; migration de " +
          "dossiers médicaux électroniques",
      ),
      facilities: list(
        "un centre de chirurgie ambulatoire; une résidence pour aînés; une clinique de dialyse",
      ),
      roles: list("infirmière clinicienne; ergothérapeute; technologue en imagerie médicale"),
    },
  },
  {
    sector: "71",
    names: list("Theatres; Arenas; Museum; Climbing Gyms; Ski Resort"),
    products: list(
      "touring theatre productions; indoor climbing memberships; regional history exhibitions; " +
        "night skiing; youth hockey tournaments",
    ),
    needs: list(
      "stage lighting; ice resurfacers; snowmaking pumps; ticketing software; exhibit fabrication",
    ),
    facilities: list("black box theatre; twin-pad arena; chairlift; exhibition gallery"),
    technologies: list(
      "dynamic ticket pricing; LED video walls; snowmaking automation; interactive projection",
    ),
    roles: list("technical director; ice technician; museum curator; lift operations manager"),
    french: {
      names: list("Théâtre; Musée; Station"),
      products: list(
        "des tournées théâtrales; du ski de soirée; des expositions d'histoire régionale",
      ),
      needs: list("éclairage de scène; surfaceuses à glace; pompes à neige artificielle"),
      facilities: list("un aréna à deux glaces; une galerie d'exposition; un télésiège"),
      roles: list("directeur technique; conservateur de musée; technicien de glace"),
    },
  },
  {
    sector: "72",
    names: list("Hotels; Roasters; Catering; Lodges; Diners"),
    products: list(
      "boutique hotel rooms; hospital catering; wilderness fishing lodges; espresso bars; banquet " +
        "hosting",
    ),
    needs: list(
      "commercial dishwashers; bed linen supply; property management system; kitchen exhaust " +
        "cleaning; espresso machines",
    ),
    facilities: list("eighty-room hotel; central kitchen; lakeside lodge; roastery café"),
    technologies: list(
      "mobile check-in; induction cooking lines; kitchen display system; revenue management " +
        "software",
    ),
    roles: list("executive chef; front desk supervisor; banquet coordinator; housekeeping manager"),
    french: {
      names: list("Hôtels; Auberge; Traiteur"),
      products: list(
        "des chambres d'hôtel de charme; des repas pour hôpitaux; des séjours de pêche en forêt",
      ),
      needs: list("lave-vaisselle commerciaux; literie d'hôtel; nettoyage de hottes de cuisine"),
      facilities: list("un hôtel de quatre-vingts chambres; une cuisine centrale"),
      roles: list("chef exécutif; superviseur de la réception; coordonnateur de banquets"),
    },
  },
  {
    sector: "81",
    names: list("Auto Repair; Laundry; Foundation; Appliance Service; Chamber of Commerce"),
    products: list(
      "electric vehicle repair; hospital linen laundering; appliance refurbishment; dry cleaning " +
        "pickup; member advocacy",
    ),
    needs: list(
      "tunnel washers; vehicle diagnostic tools; donor management software; spare parts " +
        "inventory; wheel alignment racks",
    ),
    facilities: list("industrial laundry plant; twelve-bay service garage; repair training shop"),
    technologies: list(
      "high-voltage battery diagnostics; ozone laundry systems; online booking; customer " +
        "relationship software",
    ),
    roles: list(
      "automotive technician; laundry plant supervisor; fundraising officer; appliance repairer",
    ),
    french: {
      names: list("Garage; Buanderie; Fondation"),
      products: list(
        "de la réparation de véhicules électriques; du blanchissage hospitalier; de la remise à " +
          "neuf d'électroménagers",
      ),
      needs: list(
        "tunnels de lavage; outils de diagnostic automobile; logiciel de gestion des dons",
      ),
      facilities: list("une buanderie industrielle; un garage de douze baies"),
      roles: list(
        "technicien automobile; agent de collecte de fonds; réparateur d'électroménagers",
      ),
    },
  },
  {
    sector: "92",
    names: list("Regional District; Municipal Authority; Port Authority; Conservation Authority"),
    products: list(
      "regional transit planning; wildfire protection; harbour management; watershed " +
        "conservation; building permits",
    ),
    needs: list(
      "fire engines; road salt; asset management software; bridge inspection; playground " +
        "equipment; police radios",
    ),
    facilities: list(
      "fire hall; snow disposal site; public works garage; emergency operations centre",
    ),
    technologies: list(
      "geographic information system; 311 service request platform; traffic signal priority; " +
        "flood forecasting sensors",
    ),
    roles: list("urban planner; fire prevention officer; procurement specialist; bylaw officer"),
    french: {
      names: list("Ville de; Régie; Municipalité de"),
      products: list(
        "de la planification du transport collectif; de la protection contre les incendies; de la " +
          "conservation des bassins versants",
      ),
      needs: list(
        "camions d'incendie; sel de voirie; inspection de ponts; équipement de terrains de jeux",
      ),
      facilities: list("une caserne de pompiers; un garage municipal; un dépôt à neige"),
      roles: list("urbaniste; préventionniste en incendie; spécialiste en approvisionnement"),
    },
  },
];
