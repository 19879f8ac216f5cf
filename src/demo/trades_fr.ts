/** French trades for the companies of Quebec, three per sector. */
import { type Trades, trades } from "./trades.ts";

export const FRENCH_TRADES: Trades = {
  "11": trades(`
Vergers | des pommes à croquer; du cidre de glace | un entrepôt à atmosphère contrôlée
  | des trieuses optiques | bacs réfrigérés; lignes d'irrigation | agronome; chef de verger
Serres | des laitues hydroponiques; des tomates de serre | une serre de dix hectares
  | des capteurs d'humidité du sol | éclairage DEL pour serres; toiles d'ombrage
  | chef de culture en serre; technicien en irrigation
Érablières | du sirop d'érable biologique; du sucre d'érable | une érablière mécanisée
  | des évaporateurs électriques | tubulure et pompes; barils en acier inoxydable
  | acériculteur; technicien forestier
`),
  "21": trades(`
Minéraux | du concentré de lithium; du graphite naturel | un concentrateur par flottation
  | des trieurs de minerai à rayons X | services d'analyse; membranes pour parcs à résidus
  | métallurgiste; géologue minier
Carrières | de la pierre concassée; du sable lavé | un nouveau banc d'extraction
  | des balances à camions automatisées | convoyeurs; explosifs
  | contremaître de dynamitage; opérateur de concasseur
Ressources | du minerai de nickel; de la potasse | une usine de traitement des résidus
  | des chargeuses électriques | pneus pour camions miniers; ventilateurs
  | ingénieur minier; géologue minier
`),
  "22": trades(`
Énergie | de l'électricité éolienne; du stockage d'énergie | un parc de batteries
  | des onduleurs de réseau | transformateurs à haute tension; maîtrise de la végétation
  | monteur de lignes; planificateur de réseau
Réseaux | du chauffage urbain; du gaz naturel renouvelable | une usine de biométhanisation
  | des détecteurs de fuites | conduites isolées; compteurs intelligents
  | technicien de réseau; ingénieur en procédés
Hydro | de l'électricité au fil de l'eau; de l'expertise en sécurité des barrages
  | un poste de transformation
  | des capteurs de vibration | relais de protection; réfection de vannes
  | opérateur de centrale; ingénieur en protection de réseau
`),
  "23": trades(`
Constructions | des bâtiments en bois massif; des entrepôts clés en main
  | une usine de maisons modulaires
  | des maquettes numériques du bâtiment | béton prêt à l'emploi; location de grues à tour
  | surintendant de chantier; estimateur en bâtiment
Charpentes | des charpentes de bois; des ponts préfabriqués | un atelier de préfabrication
  | des machines de taille numériques | acier d'armature; colle structurale
  | charpentier; dessinateur
Couvertures | des toitures commerciales; des toits verts | un atelier de ferblanterie
  | des caméras thermiques | membranes de toiture; équipement antichute | couvreur; chargé de projet
`),
  "31-33": trades(`
Aliments | des repas surgelés; des petits fruits surgelés | un entrepôt frigorifique
  | des transstockeurs automatisés
  | palettiers pour entrepôt frigorifique; emballages en carton ondulé
  | responsable de la salubrité alimentaire; ingénieur de procédés
Plastiques | des barquettes compostables; de la résine recyclée | une usine de moulage par soufflage
  | des caméras d'inspection | presses à injection; silos à résine | mouliste; technicien en qualité
Usinage | des pièces pour l'aéronautique; des outils chirurgicaux
  | un atelier de traitement thermique
  | des robots collaboratifs | aluminium en barres; outils de coupe
  | machiniste; ingénieur de fabrication
`),
  "42": trades(`
Distribution | des fournitures électriques; des attaches industrielles
  | un centre de distribution régional
  | des casques de préparation vocale | palettiers; lecteurs de codes à barres
  | planificateur des stocks; directeur des achats
Fournitures | de l'équipement de restauration; de la vaisselle commerciale | une salle d'exposition
  | des logiciels de prévision
  | location de chariots élévateurs; services de courtage en transport
  | représentant aux ventes; commis à l'entrepôt
Grossistes | des fruits et légumes frais; des produits laitiers | un entrepôt réfrigéré
  | des enregistreurs de température | systèmes de réfrigération; quais de chargement
  | acheteur; superviseur d'entrepôt
`),
  "44-45": trades(`
Boutiques | du matériel de camping d'hiver; des vêtements de plein air | un magasin phare
  | des étiquettes radio | présentoirs de magasin; caméras de sécurité
  | gérant de magasin; acheteur de marchandises
Épiceries | des aliments biologiques en vrac; des plats préparés | un entrepôt de commandes en ligne
  | des étiquettes de tablette électroniques | comptoirs réfrigérés; caisses libre-service
  | gérant d'épicerie; boucher
Quincailleries | des outils de jardin; de la peinture | un centre de jardinage
  | des logiciels de caisse | rayonnages; camions de livraison
  | chef de rayon; analyste en commerce électronique
`),
  "48-49": trades(`
Transport | du transport réfrigéré; du transport longue distance | un dépôt d'entretien de camions
  | des carnets de route électroniques
  | unités télématiques; entretien de remorques frigorifiques
  | camionneur longue distance; mécanicien diesel
Logistique | de la livraison du dernier kilomètre; de la préparation de commandes
  | un centre de tri de colis
  | des logiciels d'optimisation de tournées | tracteurs de cour électriques; convoyeurs de tri
  | répartiteur; chef de quai
Entrepôts | de l'entreposage frigorifique; de la congélation rapide | un entrepôt frigorifique
  | des systèmes de réfrigération au CO2 | palettiers; niveleurs de quai
  | frigoriste; superviseur d'entrepôt
`),
  "51": trades(`
Logiciels | des logiciels de paie; de la cybersurveillance | un bureau d'ingénierie
  | des grappes de conteneurs | tests d'intrusion; audits infonuagiques
  | développeur logiciel; ingénieur en fiabilité de site
Médias | des balados; de l'information régionale | un plateau de tournage
  | des outils de sous-titrage | services de sous-titrage; microphones de studio
  | monteur vidéo; journaliste
Studios | des jeux éducatifs; de l'animation | un studio de capture de mouvement
  | des moteurs de rendu en temps réel | serveurs de rendu; services de localisation
  | programmeur de jeux; artiste 3D
`),
  "52": trades(`
Assurances | de l'assurance récolte; de l'assurance de titres
  | un centre de traitement des réclamations
  | des modèles de tarification | services-conseils en actuariat; services de centre d'appels
  | actuaire; expert en sinistres
Caisse | des prêts aux petites entreprises; des hypothèques | une succursale de services aux membres
  | des guichets automatiques | logiciels de détection de fraude; rénovation de succursales
  | agent de conformité; directeur de comptes
Paiements | des paiements instantanés; des terminaux de paiement | un centre d'exploitation
  | des outils de vérification d'identité
  | services de vérification d'identité; hébergement de serveurs | analyste de risques; développeur
`),
  "53": trades(`
Immobilier | des logements étudiants; des bureaux médicaux | une tour à usage mixte
  | des thermostats intelligents | modernisation d'ascenseurs; thermopompes
  | gestionnaire immobilier; opérateur de bâtiment
Location | des nacelles en location; des génératrices en location | une cour de location
  | des balises de suivi | nacelles; réparation de pneus
  | mécanicien d'équipement lourd; préposé à la location
Propriétés | des condos industriels; des locaux commerciaux | un parc industriel
  | des outils de gestion de baux | déneigement; inspection de toitures
  | agent de location; gestionnaire d'actifs
`),
  "54": trades(`
Ingénierie | de la conception de ponts; de la cartographie de zones inondables
  | un laboratoire d'hydraulique
  | des drones d'arpentage | licences de conception assistée; bouées de mesure
  | ingénieur en structure; hydrologue
Laboratoires | des analyses pharmaceutiques; des analyses de sols | un laboratoire de biosécurité
  | des chromatographes en phase liquide | spectromètres de masse; gaz de laboratoire
  | technologue de laboratoire; chimiste
Architectes | de la conception d'écoles; des plans de restauration | un atelier de conception
  | des visites virtuelles | services de maquettage; imprimantes grand format
  | architecte; technicien en architecture
`),
  "55": trades(`
Groupe | de la gestion de laiteries régionales; des services de trésorerie partagés
  | un siège social
  | des logiciels de trésorerie | logiciels de consolidation; audits de risques
  | contrôleur de groupe; auditeur interne
Gestion | de l'administration de franchises; des achats groupés | un centre de services partagés
  | des robots logiciels | services de recrutement de cadres; déménagement de bureaux
  | secrétaire corporatif; directeur des achats
Placements | de la gestion d'entreprises familiales; de la concession de marques
  | un centre de formation de cadres
  | des portails pour conseils d'administration | services juridiques; services de traduction
  | analyste en acquisitions; contrôleur
`),
  "56": trades(`
Recyclage | du recyclage d'appareils électroniques; du compostage
  | un centre de tri des matières recyclables
  | des trieurs optiques | camions compacteurs; presses à ballots
  | chauffeur de camion; superviseur d'usine
Entretien | de l'entretien ménager; du lavage de vitres | un dépôt de fournitures
  | des autolaveuses robotisées | uniformes; produits de nettoyage
  | superviseur d'installations; préposé à l'entretien
Sécurité | des patrouilles mobiles; de la télésurveillance | un centre de surveillance
  | des caméras intelligentes | logiciels d'horaires; véhicules de patrouille
  | agent de sécurité; directeur des opérations
`),
  "61": trades(`
Collège | des formations en soudage; des cours de soins infirmiers en ligne
  | un centre de formation professionnelle
  | des simulateurs de soudage | mobilier de laboratoire; services alimentaires
  | conseiller pédagogique; registraire
Institut | de la francisation en ligne; des cours d'anglais des affaires | une résidence étudiante
  | des outils de reconnaissance vocale | manuels scolaires; tablettes
  | enseignant de langue; responsable des admissions
Académie | des cours de pilotage; des qualifications de vol | un pavillon de simulateurs
  | des outils d'analyse de vol | simulateurs de vol; carburant d'aviation
  | instructeur de vol; mécanicien d'aéronefs
`),
  "62": trades(`
Cliniques | de la physiothérapie sportive; de la médecine familiale
  | un centre de chirurgie ambulatoire
  | des outils de télésanté | migration de dossiers médicaux; tables d'examen
  | infirmière clinicienne; physiothérapeute
Santé | de la dialyse à domicile; de l'imagerie mobile | une clinique de dialyse
  | des moniteurs à distance | appareils d'imagerie; fournitures stériles
  | technologue en imagerie médicale; infirmière auxiliaire
Résidences | des résidences pour aînés; des soins de longue durée | une résidence pour aînés
  | des détecteurs de chute | systèmes d'appel infirmier; livraison de repas
  | préposé aux bénéficiaires; animateur
`),
  "71": trades(`
Théâtre | des tournées théâtrales; des camps de théâtre | une salle modulable
  | des murs d'images | éclairage de scène; costumes | directeur technique; machiniste de scène
Musée | des expositions d'histoire régionale; des visites scolaires | une galerie d'exposition
  | des projections interactives | mobilier d'exposition; climatisation des réserves
  | conservateur de musée; restaurateur d'œuvres
Station | du ski de soirée; des sentiers de vélo de montagne | un télésiège
  | des canons à neige automatisés | pompes à neige; skis de location
  | patrouilleur; chef des remontées
`),
  "72": trades(`
Hôtels | des chambres de charme; des salles de conférence | un hôtel de quatre-vingts chambres
  | des bornes d'arrivée mobiles | literie d'hôtel; entretien d'ascenseurs
  | superviseur de la réception; gouvernante
Auberge | des séjours de pêche en forêt; des randonnées guidées | un pavillon au bord du lac
  | des panneaux solaires | moteurs hors-bord; batteries | guide de pêche; cuisinier
Traiteur | des repas pour hôpitaux; des banquets | une cuisine centrale
  | des fours à induction | lave-vaisselle commerciaux; chambres froides
  | chef exécutif; coordonnateur de banquets
`),
  "81": trades(`
Garage | de la réparation de véhicules électriques; du débosselage | un garage de douze baies
  | des outils de diagnostic de batteries | outils de diagnostic automobile; ponts élévateurs
  | technicien automobile; conseiller technique
Buanderie | du blanchissage hospitalier; du nettoyage à sec | une buanderie industrielle
  | des laveuses à l'ozone | tunnels de lavage; chariots à linge
  | superviseur d'usine; chauffeur-livreur
Électroménagers | de la remise à neuf d'électroménagers; de la réparation à domicile
  | un atelier de réparation
  | des outils de prise de rendez-vous | pièces de rechange; fourgonnettes
  | réparateur; commis aux pièces
`),
  "92": trades(`
Ville de | de la protection contre les incendies; du déneigement | une caserne de pompiers
  | des feux de circulation intelligents | camions d'incendie; sel de voirie
  | urbaniste; préventionniste en incendie
Régie | de la planification du transport collectif; de la gestion des eaux usées
  | un garage d'autobus
  | des outils d'information géographique | autobus électriques; abribus
  | planificateur; spécialiste en approvisionnement
Municipalité de | de la conservation des bassins versants; des permis de construction
  | un garage municipal
  | des capteurs de crues | inspection de ponts; équipement de terrains de jeux
  | inspecteur municipal; technicien en génie civil
`),
};
