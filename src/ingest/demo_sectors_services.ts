/** Words of the sectors that move, inform, finance, let, advise and manage. */
import { list, type SectorWords } from "./demo_words.ts";

export const SERVICE_SECTORS: readonly SectorWords[] = [
  {
    sector: "48-49",
    names: list("Freight; Logistics; Cold Storage; Rail Services; Marine Terminals"),
    products: list(
      "refrigerated trucking; short-line rail haulage; last-mile parcel delivery; container " +
        "drayage; bulk marine handling",
    ),
    needs: list(
      "electric yard tractors; telematics units; dock levellers; reefer trailer maintenance; " +
        "dredging services",
    ),
    facilities: list(
      "cold storage warehouse; intermodal yard; truck maintenance depot; parcel sorting hub",
    ),
    technologies: list(
      "route optimization software; electronic logging devices; automated storage and retrieval; " +
        "ammonia refrigeration controls",
    ),
    roles: list("long-haul driver; dispatch coordinator; diesel mechanic; customs specialist"),
    french: {
      names: list("Transport; Logistique; Entrepôts"),
      products: list(
        "du transport réfrigéré; de la livraison du dernier kilomètre; de la manutention de vrac " +
          "maritime",
      ),
      needs: list(
        "tracteurs de cour électriques; unités télématiques; entretien de remorques frigorifiques",
      ),
      facilities: list("un entrepôt frigorifique; un centre de tri de colis; une cour intermodale"),
      roles: list("camionneur longue distance; répartiteur; mécanicien diesel"),
    },
  },
  {
    sector: "51",
    names: list("Software; Media; Data Centres; Broadband; Studios"),
    products: list(
      "payroll software; rural fibre internet; podcast hosting; geospatial analytics platform; " +
        "educational games; cybersecurity monitoring",
    ),
    needs: list(
      "penetration testing; fibre splicing crews; server cooling units; captioning services; " +
        "cloud cost audits",
    ),
    facilities: list(
      "data centre hall; sound stage; network operations centre; engineering office",
    ),
    technologies: list(
      "Kubernetes; PostgreSQL; large language models; edge caching; zero-trust access",
    ),
    roles: list(
      "site reliability engineer; machine learning engineer; network architect; product designer; " +
        "video editor",
    ),
    french: {
      names: list("Logiciels; Médias; Studios"),
      products: list(
        "des logiciels de paie; de l'internet par fibre en région; des jeux éducatifs; de la " +
          "cybersurveillance",
      ),
      needs: list("tests d'intrusion; équipes d'épissure de fibre; services de sous-titrage"),
      facilities: list("un centre de données; un plateau de tournage; un bureau d'ingénierie"),
      roles: list("ingénieur en fiabilité de site; développeur logiciel; architecte réseau"),
    },
  },
  {
    sector: "52",
    names: list("Credit Union; Insurance; Capital; Payments"),
    products: list(
      "crop insurance; small business loans; instant payment processing; pension administration; " +
        "title insurance",
    ),
    needs: list(
      "fraud detection software; actuarial consulting; branch renovation; identity verification " +
        "services; call centre outsourcing",
    ),
    facilities: list("member service branch; claims processing centre; payments operations hub"),
    technologies: list(
      "core banking platform; open banking interfaces; telematics-based pricing; anti-money- " +
        "laundering screening",
    ),
    roles: list("actuary; commercial lender; compliance officer; claims adjuster"),
    french: {
      names: list("Assurances; Caisse; Paiements"),
      products: list(
        "de l'assurance récolte; des prêts aux petites entreprises; des paiements instantanés",
      ),
      needs: list(
        "logiciels de détection de fraude; services-conseils en actuariat; vérification " +
          "d'identité",
      ),
      facilities: list(
        "une succursale de services aux membres; un centre de traitement des réclamations",
      ),
      roles: list("actuaire; agent de conformité; expert en sinistres"),
    },
  },
  {
    sector: "53",
    names: list("Properties; Realty; Equipment Rentals; Land Trust"),
    products: list(
      "student housing; self-storage units; aerial lift rental; medical office leasing; " +
        "industrial condominiums",
    ),
    needs: list(
      "elevator modernization; snow removal contracts; roof condition assessments; tenant access " +
        "control; heat pump installation",
    ),
    facilities: list("mixed-use tower; self-storage complex; rental yard; industrial park"),
    technologies: list(
      "smart thermostats; digital lease management; occupancy sensors; electric vehicle charging",
    ),
    roles: list("property manager; leasing agent; building operator; asset manager"),
    french: {
      names: list("Immobilier; Location; Propriétés"),
      products: list("des logements étudiants; des nacelles en location; des condos industriels"),
      needs: list(
        "modernisation d'ascenseurs; contrats de déneigement; installation de thermopompes",
      ),
      facilities: list("une tour à usage mixte; un parc industriel"),
      roles: list("gestionnaire immobilier; agent de location; opérateur de bâtiment"),
    },
  },
  {
    sector: "54",
    names: list("Engineering; Laboratories; Architects; Surveying; Advisory"),
    products: list(
      "environmental site assessments; contract drug testing; geotechnical drilling reports; user " +
        "experience research; flood plain mapping",
    ),
    needs: list(
      "mass spectrometers; survey drones; translation services; specialist laboratory gases; " +
        "computer-aided design licences",
    ),
    facilities: list(
      "materials testing laboratory; biosafety level 2 lab; design studio; wind tunnel",
    ),
    technologies: list(
      "lidar mapping; liquid chromatography; digital twins; computational fluid dynamics",
    ),
    roles: list("structural engineer; laboratory technologist; land surveyor; patent analyst"),
    french: {
      names: list("Ingénierie; Laboratoires; Architectes"),
      products: list(
        "des évaluations environnementales; des analyses pharmaceutiques; de la cartographie de " +
          "zones inondables",
      ),
      needs: list("spectromètres de masse; drones d'arpentage; services de traduction"),
      facilities: list("un laboratoire d'essai des matériaux; un atelier de conception"),
      roles: list("ingénieur en structure; technologue de laboratoire; arpenteur-géomètre"),
    },
  },
  {
    sector: "55",
    names: list("Holdings; Group; Enterprises"),
    products: list(
      "shared treasury services; oversight of regional dairies; management of family-owned mills; " +
        "franchise group administration",
    ),
    needs: list(
      "consolidation software; executive search services; enterprise risk audits; office " +
        "relocation services",
    ),
    facilities: list("head office; shared services centre; executive training campus"),
    technologies: list(
      "enterprise resource planning; robotic process automation; board portal software; treasury " +
        "management system",
    ),
    roles: list("group controller; internal auditor; corporate secretary; mergers analyst"),
    french: {
      names: list("Groupe; Gestion; Placements"),
      products: list(
        "des services de trésorerie partagés; de la gestion de laiteries régionales; de " +
          "l'administration de franchises",
      ),
      needs: list(
        "logiciels de consolidation; services de recrutement de cadres; audits de risques",
      ),
      facilities: list("un siège social; un centre de services partagés"),
      roles: list("contrôleur de groupe; auditeur interne; secrétaire corporatif"),
    },
  },
];
