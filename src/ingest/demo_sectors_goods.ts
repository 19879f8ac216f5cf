/** Words of the sectors that grow, dig, build, make and sell things. */
import { list, type SectorWords } from "./demo_words.ts";

export const GOODS_SECTORS: readonly SectorWords[] = [
  {
    sector: "11",
    names: list("Orchards; Grain Growers; Greenhouses; Forest Products; Aquaculture"),
    products: list(
      "hydroponic lettuce; seed potatoes; cold-pressed canola; Atlantic salmon; honeycrisp " +
        "apples; certified pulse crops",
    ),
    needs: list(
      "drip irrigation lines; grain dryers; greenhouse LED lighting; refrigerated bins; forestry " +
        "harvester parts",
    ),
    facilities: list(
      "controlled-atmosphere packing house; twelve-hectare greenhouse; fish hatchery; grain " +
        "elevator",
    ),
    technologies: list(
      "soil moisture sensors; drone crop imaging; robotic milking; variable-rate seeding",
    ),
    roles: list("agronomist; greenhouse grower; silviculture supervisor; irrigation technician"),
    french: {
      names: list("Vergers; Serres; Fermes"),
      products: list(
        "des laitues hydroponiques; du sirop d'érable biologique; des pommes de terre de semence; " +
          "des bleuets sauvages",
      ),
      needs: list(
        "systèmes d'irrigation goutte à goutte; séchoirs à grain; éclairage DEL pour serres",
      ),
      facilities: list(
        "une serre de dix hectares; un entrepôt à atmosphère contrôlée; une érablière mécanisée",
      ),
      roles: list("agronome; chef de culture en serre; technicien en irrigation"),
    },
  },
  {
    sector: "21",
    names: list("Minerals; Aggregates; Resources; Drilling"),
    products: list(
      "lithium concentrate; crushed limestone aggregate; copper cathode; potash granules; helium " +
        "gas",
    ),
    needs: list(
      "haul truck tires; tailings pond liners; diamond drill bits; ventilation fans; assay " +
        "laboratory services",
    ),
    facilities: list(
      "flotation concentrator; open-pit extension; tailings treatment plant; core storage " +
        "building",
    ),
    technologies: list(
      "autonomous haulage; ore sorting by X-ray; ground-penetrating radar; battery-electric " +
        "loaders",
    ),
    roles: list("mine geologist; blasting supervisor; metallurgist; tailings engineer"),
    french: {
      names: list("Minéraux; Carrières; Ressources"),
      products: list(
        "du concentré de lithium; du graphite naturel; de la pierre concassée; du minerai de " +
          "nickel",
      ),
      needs: list(
        "pneus pour camions miniers; membranes pour parcs à résidus; services de forage au " +
          "diamant",
      ),
      facilities: list(
        "un concentrateur par flottation; une usine de traitement des résidus miniers",
      ),
      roles: list("géologue minier; métallurgiste; contremaître de dynamitage"),
    },
  },
  {
    sector: "22",
    names: list("Power; Water Utility; Hydro; Gas Distribution"),
    products: list(
      "run-of-river electricity; district heating; treated drinking water; renewable natural gas; " +
        "wind power",
    ),
    needs: list(
      "smart water meters; high-voltage transformers; vegetation management services; ductile " +
        "iron pipe; substation relays",
    ),
    facilities: list(
      "battery storage site; water treatment plant; switching substation; biogas upgrading plant",
    ),
    technologies: list(
      "SCADA telemetry; advanced metering infrastructure; ultraviolet disinfection; grid-forming " +
        "inverters",
    ),
    roles: list(
      "power line technician; water treatment operator; protection engineer; grid planner",
    ),
    french: {
      names: list("Énergie; Réseaux; Hydro"),
      products: list(
        "de l'électricité au fil de l'eau; du chauffage urbain; du gaz naturel renouvelable",
      ),
      needs: list(
        "compteurs d'eau intelligents; transformateurs à haute tension; conduites en fonte " +
          "ductile",
      ),
      facilities: list(
        "une station de traitement de l'eau; un parc de batteries; une usine de biométhanisation",
      ),
      roles: list(
        "monteur de lignes; opérateur en traitement des eaux; ingénieur en protection de réseau",
      ),
    },
  },
  {
    sector: "23",
    names: list("Builders; Civil Works; Roofing; Mechanical Contractors; Bridgeworks"),
    products: list(
      "mass timber buildings; bridge rehabilitation; commercial roofing; precast parking " +
        "structures; HVAC retrofits",
    ),
    needs: list(
      "reinforcing steel; tower crane rental; ready-mix concrete; site fencing; demolition " +
        "services",
    ),
    facilities: list(
      "modular home factory; equipment yard; prefabrication shop; training centre for trades",
    ),
    technologies: list(
      "building information modelling; laser scanning of sites; robotic total stations; cross- " +
        "laminated timber",
    ),
    roles: list("site superintendent; estimator; crane operator; plumbing foreman"),
    french: {
      names: list("Constructions; Charpentes; Couvertures"),
      products: list(
        "des bâtiments en bois massif; des toitures commerciales; des ponts préfabriqués",
      ),
      needs: list("acier d'armature; location de grues à tour; béton prêt à l'emploi"),
      facilities: list("une usine de maisons modulaires; un atelier de préfabrication"),
      roles: list("surintendant de chantier; estimateur en bâtiment; grutier"),
    },
  },
  {
    sector: "31-33",
    names: list("Foods; Plastics; Precision Machining; Batteries; Textiles; Steelworks"),
    products: list(
      "compostable food trays; lithium iron phosphate cells; machined aerospace brackets; frozen " +
        "plant-based meals; recycled polyester fleece; stainless steel tanks",
    ),
    needs: list(
      "injection moulding machines; corrugated packaging; industrial ovens; collaborative robots; " +
        "aluminum billet; compressed air systems",
    ),
    facilities: list(
      "blow-moulding plant; freeze-drying line; gigafactory annex; powder coating shop; bottling " +
        "hall",
    ),
    technologies: list(
      "machine vision inspection; additive manufacturing; predictive maintenance; manufacturing " +
        "execution system; six-axis robots",
    ),
    roles: list(
      "process engineer; CNC machinist; quality assurance manager; maintenance millwright; food " +
        "safety lead",
    ),
    french: {
      names: list("Aliments; Plastiques; Usinage; Textiles"),
      products: list(
        "des barquettes compostables; des fromages affinés; des pièces usinées pour " +
          "l'aéronautique; des réservoirs en acier inoxydable",
      ),
      needs: list(
        "presses à injection; emballages en carton ondulé; robots collaboratifs; fours " +
          "industriels",
      ),
      facilities: list(
        "une usine de lyophilisation; une ligne d'embouteillage; un atelier de peinture en poudre",
      ),
      roles: list("machiniste CNC; ingénieur de procédés; responsable de la salubrité alimentaire"),
    },
  },
  {
    sector: "42",
    names: list("Supply; Wholesale; Distributors; Trading"),
    products: list(
      "electrical supplies; restaurant equipment; medical consumables; industrial fasteners; " +
        "specialty lumber",
    ),
    needs: list(
      "pallet racking; barcode scanners; freight brokerage services; shrink-wrap film; forklift " +
        "leasing",
    ),
    facilities: list(
      "regional distribution centre; cross-dock terminal; will-call counter; bonded warehouse",
    ),
    technologies: list(
      "electronic data interchange; warehouse management system; voice picking; demand " +
        "forecasting software",
    ),
    roles: list(
      "inside sales representative; inventory planner; purchasing manager; branch manager",
    ),
    french: {
      names: list("Distribution; Fournitures; Grossistes"),
      products: list(
        "des fournitures électriques; de l'équipement de restauration; des attaches industrielles",
      ),
      needs: list("palettiers; lecteurs de codes à barres; location de chariots élévateurs"),
      facilities: list("un centre de distribution régional; un entrepôt sous douane"),
      roles: list(
        "planificateur des stocks; directeur des achats; représentant aux ventes internes",
      ),
    },
  },
  {
    sector: "44-45",
    names: list("Outfitters; Grocers; Hardware; Pharmacy; Furniture"),
    products: list(
      "winter camping gear; bulk organic groceries; garden tools; refillable cleaning products; " +
        "solid maple furniture",
    ),
    needs: list(
      "self-checkout kiosks; store fixtures; electronic shelf labels; security cameras; delivery " +
        "vans",
    ),
    facilities: list(
      "flagship store; dark store for online orders; garden centre; click-and-collect depot",
    ),
    technologies: list(
      "point-of-sale system; loyalty program app; RFID inventory tags; headless e-commerce " +
        "platform",
    ),
    roles: list("store manager; merchandise buyer; e-commerce analyst; pharmacist"),
    french: {
      names: list("Boutiques; Épiceries; Quincailleries"),
      products: list(
        "du matériel de camping d'hiver; des aliments biologiques en vrac; des meubles en érable " +
          "massif",
      ),
      needs: list(
        "caisses libre-service; présentoirs de magasin; étiquettes de tablette électroniques",
      ),
      facilities: list("un magasin phare; un centre de jardinage; un comptoir de cueillette"),
      roles: list("gérant de magasin; acheteur de marchandises; analyste en commerce électronique"),
    },
  },
];
